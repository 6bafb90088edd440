// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

@Suite struct SearchTests {
  private struct Oops: Error {}

  private actor Counter {
    private var value = 0
    func increment() async {
      let old = value
      await Task.yield()
      value = old + 1
    }
  }

  private static func loseAnUpdate() async {
    let counter = Counter()
    async let one: Void = counter.increment()
    async let other: Void = counter.increment()
    _ = await (one, other)
  }

  @Test func `an exploration inside another takes few jobs of that one`() async {
    let result = await Explorer(executions: 1, strategy: .fifo).run {
      _ = await Explorer(executions: 1, strategy: .fifo).run { throw Oops() }
    }
    // 45, and 101 where each replay leaves the main actor once more.
    #expect(result.steps < 60, "\(result.steps)")
  }

  @Test func `a failure that does not come again is shown in the order of replays`() async throws {
    let runs = Mutex(0)
    let result = await Explorer(executions: 100, strategy: .random, seed: 2).run {
      let isFirst = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      await Self.loseAnUpdate()
      if isFirst { throw Oops() }
    }
    let failure = try #require(result.failure)
    #expect(failure.shrinking.executions <= 20, "\(failure.shrinking.executions)")
  }

  @Test func `an exploration that is cancelled in an execution that fails says both`() async {
    let exploring = Mutex<Task<Exploration, Never>?>(nil)
    let runs = Mutex(0)
    let task = Task {
      await Explorer(executions: 100, strategy: .fifo, shrinks: false).run {
        let number = runs.withLock { runs in
          runs += 1
          return runs
        }
        // The first execution has run twice.
        guard number == 5 else { return }
        while exploring.withLock({ $0 == nil }) { await Task.yield() }
        exploring.withLock { $0?.cancel() }
        throw Oops()
      }
    }
    exploring.withLock { $0 = task }
    let result = await task.value
    #expect(result.failure?.execution == 4)
    #expect(result.warnings.contains { $0.hasPrefix("The exploration was cancelled, and ended with execution 4.") })
  }
}
