// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

@Suite struct SimulatedClockTests {
  @Test(.simulated) func `time stands still while a task is ready and is what was slept for after that`() async throws {
    let start = Execution.clock.now
    for _ in 0..<100 { await Task.yield() }
    #expect(Execution.clock.now == start)
    try await Execution.clock.sleep(until: start.advanced(by: .seconds(90)))
    #expect(start.duration(to: Execution.clock.now) >= .seconds(90))
    #expect(start.duration(to: Execution.clock.now) < .seconds(91))
  }

  @Test(arguments: [Duration.milliseconds(1), .microseconds(1_500), .seconds(3), .milliseconds(20_250)])
  func `a round delay is kept to the nanosecond`(_ delay: Duration) async {
    let exact = Mutex(0)
    _ = await Explorer(executions: 50, strategy: .fifo).run {
      try await Task.sleep(for: delay)
      if Execution.clock.now.offset == delay { exact.withLock { $0 += 1 } }
    }
    // A thread that is taken off its core for more than a quarter of a millisecond in between misses it.
    #expect(exact.withLock { $0 } >= 40)
  }

  @Test func `a cancelled sleep throws and takes no time`() async {
    let result = await Explorer(executions: 20, strategy: .random).run {
      let sleeper = Task { try await Execution.clock.sleep(for: .seconds(50)) }
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
      #expect(Execution.clock.now.offset == .zero)
    }
    #expect(result.failure == nil)
  }
}
