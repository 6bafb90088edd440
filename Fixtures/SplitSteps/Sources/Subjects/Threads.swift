// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

// Threads and queues that the code under test starts itself: each is a task of the schedule.

/// Runs a function in two threads of Foundation's, and waits for both.
private func inTwoThreads(_ work: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  for _ in 0..<2 {
    Thread.detachNewThread {
      work()
      done.signal()
    }
  }
  for _ in 0..<2 { done.wait() }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Runs a function in a thread of the system's.
private func thread(_ work: @escaping @Sendable () -> Void) -> pthread_t {
  var thread = pthread_t()
  let context = Unmanaged.passRetained(Work(work)).toOpaque()
  let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
    Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
    return nil
  }
  pthread_create(&thread, nil, start, context)
  return thread
}

/// A thread that does what it is given, for ever.
private final class Servant: @unchecked Sendable {
  private let condition = NSCondition()
  private var work: [@Sendable () -> Void] = []

  init() {
    Thread.detachNewThread { [self] in
      while true {
        condition.lock()
        while work.isEmpty { condition.wait() }
        let next = work.removeFirst()
        condition.unlock()
        next()
      }
    }
  }

  func serve(_ next: @escaping @Sendable () -> Void) {
    condition.lock()
    work.append(next)
    condition.signal()
    condition.unlock()
  }
}

extension Subject {
  static let wrongThreads = [
    Subject("Thread") {
      let counter = MutexCounter()
      inTwoThreads { counter.increment() }
      try expect(counter.value, 2)
    },
    Subject("pthread") {
      let counter = AtomicCounter()
      let threads = (0..<2).map { _ in thread { counter.increment() } }
      for thread in threads { pthread_join(thread, nil) }
      try expect(counter.value, 2)
    },
    Subject("async") {
      let counter = MutexCounter()
      let group = DispatchGroup()
      for _ in 0..<2 { DispatchQueue.global().async(group: group) { counter.increment() } }
      group.wait()
      try expect(counter.value, 2)
    },
    Subject("asyncAfter") {
      let counter = MutexCounter()
      let done = DispatchSemaphore(value: 0)
      for _ in 0..<2 {
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) {
          counter.increment()
          done.signal()
        }
      }
      for _ in 0..<2 { done.wait() }
      try expect(counter.value, 2)
    },
    Subject("concurrentPerform") {
      let counter = MutexCounter()
      DispatchQueue.concurrentPerform(iterations: 3) { _ in counter.increment() }
      try expect(counter.value, 3)
    },
    Subject("tasks that blocks start") {
      let counter = MutexCounter()
      let group = DispatchGroup()
      for _ in 0..<2 {
        group.enter()
        DispatchQueue.global().async {
          Task {
            counter.increment()
            group.leave()
          }
        }
      }
      await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
      try expect(counter.value, 2)
    },
    Subject("two queues") {
      let first = QueueCounter()
      let second = QueueCounter()
      let counter = MutexCounter()
      let group = DispatchGroup()
      first.later(in: group) { counter.increment() }
      second.later(in: group) { counter.increment() }
      group.wait()
      try expect(counter.value, 2)
    },
  ]

  /// Races between threads.
  static let racingThreads = [
    Subject("threads without a lock") {
      let box = Box()
      let threads = (0..<2).map { number in thread { box.value = number } }
      for thread in threads { pthread_join(thread, nil) }
    },
    Subject("blocks of a concurrent queue") {
      let box = Box()
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let group = DispatchGroup()
      for number in 0..<2 { queue.async(group: group) { box.value = number } }
      group.wait()
    },
  ]

  static let soundThreads = [
    Subject("threads that are joined") {
      let box = Box()
      for number in 1...3 { pthread_join(thread { box.value += number }, nil) }
      try expect(box.value, 6)
    },
    Subject("threads with a lock") {
      let counter = LockedCounter()
      inTwoThreads { for _ in 0..<2 { counter.incrementAtOnce() } }
      try expect(counter.value, 4)
    },
    Subject("serial queue") {
      let queue = DispatchQueue(label: "serial")
      let box = Box()
      for number in 1...3 { queue.async { box.value = box.value * 10 + number } }
      try expect(queue.sync { box.value }, 123)
    },
    Subject("barrier") {
      let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let box = Box()
      let counter = MutexCounter()
      for _ in 0..<2 { queue.async { if box.value == 0 { counter.incrementAtOnce() } } }
      queue.async(flags: .barrier) { box.value = 1 }
      for _ in 0..<2 { queue.async { if box.value == 1 { counter.incrementAtOnce() } } }
      queue.sync(flags: .barrier) {}
      try expect(counter.value, 4)
    },
    Subject("notification of a group") {
      let box = Box()
      let group = DispatchGroup()
      let queue = DispatchQueue(label: "serial")
      for _ in 0..<2 { queue.async(group: group) { box.value += 1 } }
      let value = await withCheckedContinuation { continuation in
        group.notify(queue: queue) { continuation.resume(returning: box.value) }
      }
      try expect(value, 2)
    },
    Subject("main queue") {
      let screen = Screen()
      let value = await withCheckedContinuation { continuation in
        for _ in 0..<2 { DispatchQueue.main.async { MainActor.assumeIsolated { try? screen.increment() } } }
        DispatchQueue.main.async { MainActor.assumeIsolated { continuation.resume(returning: screen.number) } }
      }
      try expect(value, 2)
    },
    Subject("later") {
      let start = ContinuousClock.now
      let queue = DispatchQueue(label: "serial")
      let counter = MutexCounter()
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 3600) { counter.incrementAtOnce() }
        queue.asyncAfter(deadline: .now() + 3600) {
          counter.incrementAtOnce()
          continuation.resume()
        }
      }
      if ContinuousClock.now - start < .seconds(3599) { throw Wrong("too early") }
    },
    Subject("concurrentPerform, at once") {
      let counter = MutexCounter()
      DispatchQueue.concurrentPerform(iterations: 6) { _ in counter.incrementAtOnce() }
      try expect(counter.value, 6)
    },
    Subject("work item") {
      let box = Box()
      let item = DispatchWorkItem { box.value = 7 }
      let cancelled = DispatchWorkItem { box.value = 8 }
      cancelled.cancel()
      let queue = DispatchQueue(label: "serial")
      queue.async(execute: item)
      item.wait()
      queue.async(execute: cancelled)
      try expect(queue.sync { box.value }, 7)
    },
    Subject("thread that serves for ever") {
      let servant = Servant()
      let value = await withCheckedContinuation { continuation in
        servant.serve { continuation.resume(returning: 5) }
      }
      try expect(value, 5)
    },
    Subject("where a block is") {
      let queue = DispatchQueue(label: "serial")
      let key = DispatchSpecificKey<Int>()
      queue.setSpecific(key: key, value: 3)
      let value = await withCheckedContinuation { continuation in
        queue.async {
          dispatchPrecondition(condition: .onQueue(queue))
          continuation.resume(returning: DispatchQueue.getSpecific(key: key) ?? 0)
        }
      }
      try expect(value, 3)
    },
    Subject("operation queue") {
      let counter = MutexCounter()
      let queue = OperationQueue()
      for _ in 0..<2 { queue.addOperation { counter.incrementAtOnce() } }
      await withCheckedContinuation { continuation in queue.addBarrierBlock { continuation.resume() } }
      try expect(counter.value, 2)
    },
  ]
}
