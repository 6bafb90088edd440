// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

/// A router that shows one screen at a time, in a slot or by hand.
@MainActor
private protocol ScreenShowing: Router<ProbeInteractor> {
  /// The screen once it was attached; nil if another call came first. By hand it may be gone by then.
  func show(_ name: String) async -> ProbeRouter?
}

/// A screen that takes a while to be built, and to become active.
@MainActor
private func buildScreen(_ name: String) async -> ProbeRouter {
  await Task { @concurrent in await Task.yield() }.value
  return ProbeRouter(name, active: { _ in await Task.yield() })
}

@MainActor private final class SlotRouter: Router<ProbeInteractor>, ScreenShowing {
  private lazy var slot = ChildSlot<ProbeRouter>(of: self)

  func show(_ name: String) async -> ProbeRouter? { await slot.show { await buildScreen(name) } }
}

/// A router without a slot, as the page about slots has it: the place is taken before the first `await`.
@MainActor private final class HandRouter: Router<ProbeInteractor>, ScreenShowing {
  private var screen: ProbeRouter?
  private var calls = 0

  func show(_ name: String) async -> ProbeRouter? {
    calls += 1
    let call = calls
    let child = await buildScreen(name)
    while call == calls, let leaving = screen {
      screen = nil
      await detachChild(leaving)
    }
    guard call == calls else { return nil }
    screen = child
    await attachChild(child)
    return child
  }
}

/// A link into a screen that another call takes away at the same moment, on real threads.
@MainActor
@Suite struct DeepLinkTests {
  /// Follows a link while the user goes elsewhere, both from threads of their own; the screens at the end of each run.
  private func follow(_ runs: Int, from makeRoot: () -> any ScreenShowing) async -> [[String]] {
    var ends: [[String]] = []
    for run in 0..<runs {
      let root = makeRoot()
      await root.interactor.activate()
      let link = Task.detached {
        for _ in 0..<run % 7 { await Task.yield() }
        guard let screen = await root.show("linked") else { return }
        try? await screen.interactor.lifecycle.whenActive()
      }
      let user = Task.detached {
        for _ in 0..<run % 5 { await Task.yield() }
        _ = await root.show("chosen")
      }
      for task in [link, user] { await task.value }
      ends.append(root.children.compactMap { ($0 as? ProbeRouter)?.name })
    }
    return ends
  }

  // Each run waits for the main actor several times, which the suite's other tests use as well.
  @Test(.timeLimit(.minutes(60))) func `a deep link through a slot ends with one screen, on any threads`() async {
    let ends = await follow(200) { SlotRouter(interactor: ProbeInteractor()) }
    #expect(ends.allSatisfy { $0.count == 1 })
  }

  @Test(.timeLimit(.minutes(60))) func `a deep link by hand ends with one screen, on any threads`() async {
    let ends = await follow(200) { HandRouter(interactor: ProbeInteractor()) }
    #expect(ends.allSatisfy { $0.count == 1 })
  }
}
