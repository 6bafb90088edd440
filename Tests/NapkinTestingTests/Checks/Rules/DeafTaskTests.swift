// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

/// Bound tasks that do not look at their cancellation.
@Suite struct DeafTaskTests {
  private final actor Poller: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private let length: Int
    private var polls = 0

    init(_ length: Int) { self.length = length }

    func didBecomeActive() async {
      task { [length] in
        for _ in 0..<length {
          // A sleep returns at once in a task that was cancelled: only the call to the actor suspends.
          try? await Task.sleep(for: .seconds(1))
          await self.poll()
        }
      }
    }

    private func poll() { polls += 1 }
  }

  private static let line = #line - 12

  private static func fuzzer(_ length: Int) -> TreeFuzzer<Router<Poller>> {
    TreeFuzzer { Router(interactor: Poller(length)) }.action("rest") { _ in await Task.yield() }
  }

  @Test func `a bound task that sleeps for ever is named by the rule, with its line`() async throws {
    let exploration = await Self.fuzzer(.max).run(executions: 20)
    let failure = try #require(exploration.failure)
    let message = try #require(failure.messages.first)
    let place = "L6 boundTasks: Task 1 of Poller, bound at \(#fileID):\(Self.line)"
    #expect(message.contains(place), "\(message)")
    #expect(message.contains("was cancelled, and has run 1,000 steps since"))
    #expect(exploration.steps < 60_000)
  }

  @Test func `a bound task that ends after five hundred rounds is none`() async throws {
    #expect(await Self.fuzzer(500).run(executions: 20).failure == nil)
  }
}
