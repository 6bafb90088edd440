// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

/// Continuations that are resumed while their task is half-way through a step.
@Suite struct ResumptionTests {
  private struct Refused: Error {}

  /// Where one task waits, and is resumed without being taken out.
  private final class CarelessBench: Sendable {
    private let waiting = Mutex<UnsafeContinuation<Void, Never>?>(nil)
    let hasGoneOn = Flag()
    let count = Tally()

    func wait() async {
      await withUnsafeContinuation { continuation in waiting.withLock { $0 = continuation } }
      hasGoneOn.isReady.store(true, ordering: .releasing)
      for _ in 0..<3 { count.increment() }
      try? await Task.sleep(for: .seconds(1))
    }
    func resume() { waiting.withLock { $0 }?.resume() }
    var isTaken: Bool { waiting.withLock { $0 != nil } }
  }

  private static let resumesAgain: @Sendable () async -> Void = {
    let bench = CarelessBench()
    let task = Task { await bench.wait() }
    while !bench.isTaken { await Task.yield() }
    bench.resume()
    while !bench.hasGoneOn.isReady.load(ordering: .acquiring) { await Task.yield() }
    for _ in 0..<3 { bench.count.increment() }
    bench.resume()
    await task.value
  }

  @Test func `a task that is resumed again in the middle of its step is said to be`() async throws {
    var inTheMiddle = 0
    for seed in 1...5 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 1, strategy: .random, seed: seed).run(Self.resumesAgain)
      let failure = try #require(exploration.failure)
      #expect(failure.diagnostics.first?.kind == .doubleResume)
      let first = try #require(failure.diagnostics.first?.summary)
      let words =
        #/task 1 is resumed twice: its continuation was resumed before, by body in step \d+, at ResumptionTests\.swift:\d+ in .*CarelessBench\.resume/#
      #expect(first.contains(words), "\(first)")
      let again = await Explorer(strategy: .replay(failure.schedule), shrinks: false).run(Self.resumesAgain)
      #expect(again.failure?.messages == failure.messages)
      inTheMiddle += exploration.preemptions ?? 0
    }
    // The first execution is not split: the same with what the later ones are preempted at.
    for seed in 1...5 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 60, strategy: .random, seed: seed, shrinks: false).run {
        let bench = CarelessBench()
        let task = Task { await bench.wait() }
        while !bench.isTaken { await Task.yield() }
        bench.resume()
        // Once the task is through with its step, nothing is wrong.
        while !bench.hasGoneOn.isReady.load(ordering: .acquiring) { await Task.yield() }
        if bench.count.value < 3 { bench.resume() }
        await task.value
      }
      let failure = try #require(exploration.failure, "seed \(seed)")
      #expect(failure.diagnostics.first?.kind == .doubleResume)
      inTheMiddle += exploration.preemptions ?? 0
    }
    #expect(inTheMiddle >= 5)
  }

  @Test func `a task may be resumed once at each continuation, with a value or an error`() async {
    let exploration = await Explorer(executions: 1_000, seed: 1, shrinks: false).run {
      let kept = Mutex<[UnsafeContinuation<Int, any Error>]>([])
      let shared = Kept(kept)
      let task = Task {
        var sum = 0
        for _ in 0..<3 {
          do {
            sum += try await withUnsafeThrowingContinuation { next in shared.value.withLock { $0.append(next) } }
          } catch { sum += 10 }
        }
        return sum
      }
      for number in 1...3 {
        var next: UnsafeContinuation<Int, any Error>?
        repeat {
          next = shared.value.withLock { $0.popLast() }
          if next == nil { await Task.yield() }
        } while next == nil
        if number == 2 { next?.resume(throwing: Refused()) } else { next?.resume(returning: number) }
      }
      #expect(await task.value == 14)
    }
    #expect(exploration.failure == nil)
    #expect((exploration.preemptions ?? 0) > 250)
  }
}
