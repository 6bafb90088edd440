// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A sound program found something that cannot be.
struct Broken: Error, CustomStringConvertible {
  let description: String
}

/// Programs that hold a lock over calls of the runtime, and have no bug.
enum Sound {
  typealias Body = @Sendable () async throws -> Void
  typealias Locked = @Sendable (@Sendable () -> Void) -> Void

  /// Each kind of lock, new in each execution.
  static let locks: [(name: String, make: @Sendable () -> Locked)] = [
    (
      "Mutex",
      {
        let lock = Shared(Mutex(()))
        return { body in lock.value.withLock { _ in body() } }
      }
    ),
    (
      "NSLock",
      {
        let lock = NSLock()
        return { body in lock.withLock { body() } }
      }
    ),
    (
      "NSRecursiveLock",
      {
        let lock = NSRecursiveLock()
        return { body in lock.withLock { lock.withLock { body() } } }
      }
    ),
    (
      "NSCondition",
      {
        let lock = NSCondition()
        return { body in
          lock.lock()
          body()
          lock.signal()
          lock.unlock()
        }
      }
    ),
    (
      "pthread_mutex",
      {
        let lock = PosixLock()
        return { body in
          pthread_mutex_lock(lock.mutex)
          body()
          pthread_mutex_unlock(lock.mutex)
        }
      }
    ),
    (
      "pthread_rwlock",
      {
        let lock = PosixLock()
        return { body in
          pthread_rwlock_wrlock(lock.readers)
          body()
          pthread_rwlock_unlock(lock.readers)
        }
      }
    ),
    (
      "spin",
      {
        let lock = SpinLock()
        return { body in
          while lock.isTaken.exchange(true, ordering: .acquiring) {}
          body()
          lock.isTaken.store(false, ordering: .releasing)
        }
      }
    ),
    (
      "spin with sched_yield",
      {
        let lock = SpinLock()
        return { body in
          while lock.isTaken.exchange(true, ordering: .acquiring) { sched_yield() }
          body()
          lock.isTaken.store(false, ordering: .releasing)
        }
      }
    ),
    (
      "DispatchQueue.sync",
      {
        let queue = DispatchQueue(label: "sound")
        return { body in queue.sync { body() } }
      }
    ),
    (
      "DispatchSemaphore",
      {
        let semaphore = DispatchSemaphore(value: 1)
        return { body in
          semaphore.wait()
          body()
          semaphore.signal()
        }
      }
    ),
  ]

  /// What is done under the lock, with tasks that take it, too.
  static let uses: [(name: String, body: @Sendable (@escaping Locked, Count) async throws -> Void)] = [
    (
      "makes",
      { locked, count in
        let tasks = Box<[Task<Void, Never>]>()
        locked {
          count.enter()
          tasks.put([Task.detached { locked { count.both() } }, Task { locked { count.both() } }])
          count.leave()
        }
        for task in tasks.take() ?? [] { await task.value }
      }
    ),
    (
      "resumes",
      { locked, count in
        let box = Box<CheckedContinuation<Void, Never>>()
        let waiter = parked {
          await withCheckedContinuation { box.put($0) }
          locked { count.both() }
        }
        locked {
          count.enter()
          box.take()?.resume()
          count.leave()
        }
        await waiter.value
      }
    ),
    (
      "yields",
      { locked, count in
        let (stream, source) = AsyncStream<Int>.makeStream()
        let reader = parked {
          for await _ in stream { locked { count.both() } }
        }
        for number in 1...2 {
          locked {
            count.enter()
            source.yield(number)
            count.leave()
          }
        }
        locked { source.finish() }
        await reader.value
      }
    ),
    (
      "cancels",
      { locked, count in
        let task = Task.detached {
          locked { count.both() }
          while !Task.isCancelled { await Task.yield() }
          locked { count.both() }
        }
        locked {
          count.enter()
          task.cancel()
          count.leave()
        }
        await task.value
      }
    ),
    (
      "asks",
      { locked, count in
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<3 {
            group.addTask {
              locked {
                count.enter()
                _ = Task.isCancelled
                _ = Task.currentPriority
                count.leave()
              }
            }
          }
          group.cancelAll()
        }
      }
    ),
    (
      "sends to main",
      { locked, count in
        let tasks = Box<[Task<Void, Never>]>()
        locked {
          count.enter()
          tasks.put([Task { @MainActor in locked { count.both() } }, Task.detached { locked { count.both() } }])
          count.leave()
        }
        await MainActor.run { locked { count.both() } }
        for task in tasks.take() ?? [] { await task.value }
      }
    ),
    (
      "main makes",
      { locked, count in
        await Task { @MainActor in
          let tasks = Box<[Task<Void, Never>]>()
          locked {
            count.enter()
            tasks.put([Task { @MainActor in locked { count.both() } }, Task.detached { locked { count.both() } }])
            count.leave()
          }
          locked { count.both() }
          for task in tasks.take() ?? [] { await task.value }
        }.value
      }
    ),
    (
      "actors contend",
      { locked, count in
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 {
            group.addTask {
              let holder = Holder()
              await holder.twice(locked, count)
            }
          }
        }
      }
    ),
  ]

  static let all: [(name: String, body: Body)] =
    locks.flatMap { lock in uses.map { (name: "\(lock.name) \($0.name)", body: program(lock.make, $0.body)) } } + lazies

  private static func program(
    _ make: @escaping @Sendable () -> Locked, _ use: @escaping @Sendable (@escaping Locked, Count) async throws -> Void
  ) -> Body {
    {
      let count = Count()
      try await use(make(), count)
      try count.check()
    }
  }

  static let lazies: [(name: String, body: Body)] = [
    (
      "lazy global",
      {
        async let one = startedByGlobal.value
        async let two = startedByGlobal.value
        guard await one == 7, await two == 7 else { throw Broken(description: "another value") }
      }
    ),
    (
      "static let",
      {
        let tasks = (0..<3).map { _ in Task.detached { await Holder.shared.value } }
        for task in tasks where await task.value != 8 { throw Broken(description: "another value") }
      }
    ),
  ]
}

nonisolated let startedByGlobal: Task<Int, Never> = {
  Task.detached {}.cancel()
  return Task.detached { 7 }
}()

actor Holder {
  static let shared: Task<Int, Never> = {
    Task.detached {}.cancel()
    return Task.detached { 8 }
  }()

  func twice(_ locked: Sound.Locked, _ count: Count) async {
    for _ in 0..<2 {
      locked {
        count.enter()
        Task.detached {}.cancel()
        count.leave()
      }
      await Task.yield()
    }
  }
}

/// Counts what is inside of a lock, and notices two at once.
final class Count: Sendable {
  private let inside = Atomic(0)
  private let overlaps = Atomic(0)

  func enter() {
    if inside.add(1, ordering: .relaxed).newValue > 1 { overlaps.add(1, ordering: .relaxed) }
  }
  func leave() { inside.subtract(1, ordering: .relaxed) }
  func both() {
    enter()
    leave()
  }
  func check() throws {
    let (inside, overlaps) = (inside.load(ordering: .relaxed), overlaps.load(ordering: .relaxed))
    if inside != 0 || overlaps != 0 { throw Broken(description: "\(inside) inside at the end, \(overlaps) at once") }
  }
}

final class SpinLock: Sendable {
  let isTaken = Atomic(false)
}

final class Shared<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}

/// The locks of pthreads.
final class PosixLock: @unchecked Sendable {
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  let readers = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_rwlock_init(readers, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_rwlock_destroy(readers)
    mutex.deallocate()
    readers.deallocate()
  }
}
