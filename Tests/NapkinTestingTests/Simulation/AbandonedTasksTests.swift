// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NapkinTesting
import Synchronization
import Testing

/// Runs jobs at once, where they are enqueued.
private final class InlineExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
}

private actor Inline {
  private let executor = InlineExecutor()
  private(set) var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func increment() { count += 1 }
}

/// Where one task waits for another that resumes it.
private final class Bench: Sendable {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

  var isTaken: Bool { waiting.withLock { $0 != nil } }
  func wait() async { await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } } }
  func resume() { waiting.withLock { $0.take() }?.resume() }
}

@Suite struct AbandonedTasksTests {
  @Test(.disabled(if: Instrumentation.splitsSteps, "its executor has no queue: two tasks can be on the actor at once"))
  func `a custom executor that stays on its thread is under control`() async {
    let result = await Explorer(executions: 100).run {
      let actor = Inline()
      let tasks = (0..<3).map { _ in Task { await actor.increment() } }
      for task in tasks { await task.value }
      #expect(await actor.count == 3)
    }
    #expect(result.failure == nil)
    #expect(result.distinctSchedules > 1)
  }

  @Test func `a task that another thread resumes during its execution stays controlled`() async throws {
    let wentOn = Recorder<Int>()
    let result = await Explorer(executions: 1, shrinks: false).run {
      let bench = Bench()
      let waiter = Task {
        await bench.wait()
        wentOn.record(1)
      }
      while !bench.isTaken { await Task.yield() }
      // The other thread is done before this one goes on, so it came while the execution ran.
      let isDone = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        bench.resume()
        isDone.signal()
      }
      isDone.wait()
      await waiter.value
    }
    #expect(result.failure == nil)
    #expect(wentOn.events == [1])
    // Where steps are split, a block that is left to a queue is a task of the schedule.
    if Instrumentation.splitsSteps {
      #expect(result.warnings.isEmpty)
      return
    }
    let place =
      PlatformWays.replaceLibraryFunctions ? "a global dispatch queue" : "something outside Swift Concurrency"
    #expect(result.warnings.first?.hasPrefix("Lost control: \(place) resumed tasks") == true)
  }

  @Test func `a task that an execution leaves behind goes on when it is resumed later`() async {
    let bench = Bench()
    let gate = Gate()
    let result = await Explorer(executions: 1).run {
      Task {
        await bench.wait()
        gate.open()
      }
      while !bench.isTaken { await Task.yield() }
    }
    #expect(result.failure == nil)
    bench.resume()
    await gate.pass()
  }

  @Test func `a task from outside that a discarded execution resumed goes on outside`() async {
    // No gates, which fail when they have held a task for 20 s: an exploration waits for its turn.
    let (inner, outer) = (Bench(), Bench())
    let outside = Task {
      await inner.wait()
      await outer.wait()
    }
    while !inner.isTaken { await Task.yield() }
    let result = await Explorer(executions: 1, shrinks: false).run {
      inner.resume()
      await Task.yield()
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(result.failure?.messages.first?.hasPrefix("Deadlock") == true)
    while !outer.isTaken { await Task.yield() }
    outer.resume()
    await outside.value
  }
}
