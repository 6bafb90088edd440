// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Synchronization
import Testing

private actor Counter {
  private(set) var count = 0
  func increment() { count += 1 }
}

/// Keeps itself alive.
private final class Ring: Sendable {
  private let next = Mutex<Ring?>(nil)
  func close() { next.withLock { $0 = self } }
}

private final class QueueExecutor: SerialExecutor {
  static let shared = QueueExecutor()
  private let queue = DispatchQueue(label: "an actor's own")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

@globalActor private actor Courier {
  static let shared = Courier()
  nonisolated var unownedExecutor: UnownedSerialExecutor { QueueExecutor.shared.asUnownedSerialExecutor() }
}

@Courier private func deliver(to counter: Counter) async {
  await counter.increment()
  await counter.increment()
}

@globalActor private actor Kitchen {
  static let shared = Kitchen()
}

/// Takes a while in which the actor is in use.
@Kitchen private func cook() {
  for _ in 0..<200 { sched_yield() }
}

/// Runs most of its jobs before the code goes on that enqueues them, as a thread does that is faster.
private final class HastyExecutor: SerialExecutor {
  static let shared = HastyExecutor()
  private let queue = DispatchQueue(label: "hasty")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let hasRun = RunMark()
    queue.async {
      job.runSynchronously(on: self.asUnownedSerialExecutor())
      hasRun.set()
    }
    for _ in 0..<2_000 where !hasRun.isSet { sched_yield() }
  }
}

private final class RunMark: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}

private final class PreferredExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "preferred")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

@globalActor private actor Hasty {
  static let shared = Hasty()
  nonisolated var unownedExecutor: UnownedSerialExecutor { HastyExecutor.shared.asUnownedSerialExecutor() }
}

@Suite(.disabled(if: Instrumentation.splitsSteps, "queues are tasks of the schedule where steps are split"))
struct OwnExecutorTests {
  private static let isSeen = ConditionTrait.enabled(
    if: PlatformWays.replaceLibraryFunctions, "what the body leaves to a queue is not seen here")

  @Test func `an actor with an executor of its own is not taken for another test`() async {
    let result = await Explorer(executions: 3_000, seed: 1).run {
      let counter = Counter()
      async let one: Void = deliver(to: counter)
      async let other: Void = deliver(to: counter)
      async let third: Void = counter.increment()
      _ = await (one, other, third)
      #expect(await counter.count == 5)
    }
    #expect(result.failure == nil)
    let wrong = result.warnings.filter { $0.contains("is in use by tasks that are not of this execution") }
    #expect(wrong == [])
  }

  @Test(isSeen) func `a task that another thread runs before it is made is no deadlock`() async {
    let result = await Explorer(executions: 20).run {
      await Task { @Hasty in try? await Task.sleep(for: .seconds(100)) }.value
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    #expect(result.executions == 20)
  }

  @Test(isSeen) func `what a task starts on an executor of its own sleeps in the execution's time`() async {
    let result = await Explorer(executions: 10).run {
      let executor = PreferredExecutor()
      await Task(executorPreference: executor) {
        await Task { try? await Task.sleep(for: .seconds(100)) }.value
      }.value
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    #expect(result.executions == 10)
  }

  @Test(isSeen) func `what an executor's task starts on an actor sleeps in the execution's time`() async {
    let result = await Explorer(executions: 10).run {
      let executor = PreferredExecutor()
      await Task(executorPreference: executor) {
        await Task { @Kitchen in try? await Task.sleep(for: .seconds(100)) }.value
        await Task.immediate { @Kitchen in try? await Task.sleep(for: .seconds(100)) }.value
      }.value
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    #expect(result.executions == 10)
  }

  @Test(isSeen) func `a leak is found by a task that an executor starts at once`() async {
    let result = await Explorer(executions: 5).run {
      await Task(executorPreference: PreferredExecutor()) {
        await Task.immediate {
          _ = await expectDeallocated {
            let ring = Ring()
            ring.close()
            return ring
          }
        }.value
      }.value
    }
    let message = result.failure?.messages.first ?? ""
    #expect(message.contains("Ring is still alive"), "\(message)")
  }

  @Test(isSeen) func `what a queue starts on an actor that is in use is the execution's`() async {
    let result = await Explorer(executions: 200).run {
      let queue = DispatchQueue(label: "starts tasks")
      let left: Task<Void, Never> = await withUnsafeContinuation { continuation in
        queue.async {
          continuation.resume(returning: Task { @Kitchen in try? await Task.sleep(for: .seconds(100)) })
        }
        Task { await cook() }
      }
      await left.value
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    #expect(result.executions == 200)
  }

  @Test(isSeen) func `a child that prefers an executor of its own sleeps in the execution's time`() async {
    let result = await Explorer(executions: 10).run {
      let executor = PreferredExecutor()
      await withTaskExecutorPreference(executor) {
        async let child: Void? = { try? await Task.sleep(for: .seconds(100)) }()
        _ = await child
      }
      await withTaskExecutorPreference(executor) {
        await withTaskGroup { group in
          for _ in 0..<2 { group.addTask { try? await Task.sleep(for: .seconds(100)) } }
        }
      }
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    #expect(result.executions == 10)
  }

  @Test func `a work item is waited for, as a block is`() async {
    let queue = DispatchQueue(label: "items")
    let result = await Explorer(executions: 1).run {
      await withUnsafeContinuation { continuation in
        // Longer than the wait for work that was not announced.
        let item = DispatchWorkItem {
          Thread.sleep(forTimeInterval: 0.7)
          continuation.resume()
        }
        queue.async(execute: item)
      }
    }
    #expect(result.failure == nil)
  }
}
