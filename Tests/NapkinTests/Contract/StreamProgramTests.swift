// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// Random activations and deactivations, and streams that are opened and dropped at any moment.
@Suite struct StreamProgramTests {
  private enum Call: Sendable, CaseIterable { case activate, deactivate, watch, watchBriefly }

  @Test(.disabled(if: Instrumentation.splitsSteps, "its model notes a call in the same step as it makes the call"))
  func `L7 a stream yields the present value and each change, and ends with its owner`() async {
    let calls = Gen<[Call]>.array(of: .allCases, count: 0...5)
    await explore(executions: 1_000) {
      let journal = Journal()
      var it: ProbeInteractor? = ProbeInteractor("it", journal, active: { _ in await Task.yield() })
      let first = it.map { Self.watch($0, nil) }
      let program = Execution.draw(.array(of: calls, count: 2...2), "calls")
      let callers = program.map { calls in
        Task { [it] in
          var watchers: [Task<[Bool], Never>] = []
          for call in calls {
            switch call {
            case .activate: await it?.activate()
            case .deactivate: await it?.deactivate()
            case .watch: if let it { watchers.append(Self.watch(it, nil)) }
            case .watchBriefly: if let it { watchers.append(Self.watch(it, 1)) }
            }
          }
          return watchers
        }
      }
      var watchers: [Task<[Bool], Never>] = []
      for caller in callers { watchers += await caller.value }
      await CurrentExecution.scope?.quiescence()
      let isActive = it?.lifecycle.inspection.isActive
      let isWatchedOn = program.joined().count { $0 == .watch } + 1
      #expect(it?.lifecycle.watcherCount == isWatchedOn, "L7: a stream that was dropped is still registered")
      it = nil
      let transitions = journal.lines.count { $0 == "it active" || $0 == "it resign" }
      #expect(await first?.value.count == transitions + 1, "L7: not every transition, or not once")
      for watcher in watchers {
        let values = await watcher.value
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 }, "L7: a transition was left out, or came twice")
        if values.count > 1 { #expect(values.last == isActive, "L7: the last transition is missing") }
      }
    }
  }

  /// Collects the values of a stream, until it ends or enough have come; the first one is checked at once.
  private static func watch(_ it: ProbeInteractor, _ most: Int?) -> Task<[Bool], Never> {
    let (stream, isActive) = (it.isActiveStream, it.lifecycle.inspection.isActive)
    return Task {
      var values: [Bool] = []
      for await value in stream {
        values.append(value)
        if values.count == most { break }
      }
      #expect(values.first == isActive, "L7: a stream begins with the present value")
      return values
    }
  }
}
