// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

/// A type of which no other test makes an interactor, so that the process knows nothing of its callbacks.
private final actor Plain: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

private final actor Other: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

/// Attaches a child, and detaches it, while another task runs.
@MainActor private func visit<I: Interactable>(_ root: I, _ leaf: I) async {
  let (parent, child) = (Router(interactor: root), Router(interactor: leaf))
  await root.activate()
  async let other: Void = Task.yield()
  await parent.attachChild(child)
  await parent.detachChild(child)
  await other
}

@Suite struct DefaultsOfExecutionsTests {
  @Test func `the first tree of a process is no reason to doubt a proof`() async {
    let result = await Explorer(executions: 20_000, strategy: .exhaustive()).run { await visit(Plain(), Plain()) }
    #expect(result.failure == nil)
    #expect(result.warnings == [])
    #expect(result.isExhaustive, "\(result)")
  }

  @Test func `an execution has the steps that it has in a new process`() async {
    let explorer = Explorer(executions: 1, strategy: .fifo)
    let first = await explorer.run { await visit(Other(), Other()) }
    let second = await explorer.run { await visit(Other(), Other()) }
    #expect(first.steps == second.steps)
  }
}
