// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

/// Where one task waits, and is resumed without being taken out.
private final class CarelessBench: Sendable {
  private let waiting = Mutex<UnsafeContinuation<Void, Never>?>(nil)

  var isTaken: Bool { waiting.withLock { $0 != nil } }
  func wait() async { await withUnsafeContinuation { continuation in waiting.withLock { $0 = continuation } } }
  func resume() { waiting.withLock { $0 }?.resume() }
}

@Suite struct DoubleResumeTests {
  private func expectDoubleResume(_ result: Exploration, _ location: SourceLocation = #_sourceLocation) throws {
    let failure = try #require(result.failure, sourceLocation: location)
    #expect(failure.diagnostics.map(\.kind) == [.doubleResume], sourceLocation: location)
    #expect(
      failure.messages.first?.contains("is resumed twice: it has not gone on since it was resumed before") == true,
      sourceLocation: location)
  }

  @Test func `a continuation that is resumed twice in one step is a failure`() async throws {
    let result = await Explorer(executions: 20).run {
      let bench = CarelessBench()
      let task = Task { await bench.wait() }
      while !bench.isTaken { await Task.yield() }
      bench.resume()
      bench.resume()
      await task.value
    }
    try expectDoubleResume(result)
    #expect(result.failure?.messages.first?.contains(" resumed before, by body in step ") == true, "\(result)")
    #expect(result.failure?.decisivePair == nil)
  }

  @Test func `a task is resumed at each of its continuations`() async {
    let result = await Explorer(executions: 50).run {
      let (first, second) = (CarelessBench(), CarelessBench())
      let task = Task {
        await first.wait()
        await second.wait()
      }
      while !first.isTaken { await Task.yield() }
      first.resume()
      while !second.isTaken { await Task.yield() }
      second.resume()
      await task.value
    }
    #expect(result.failure == nil)
  }
}
