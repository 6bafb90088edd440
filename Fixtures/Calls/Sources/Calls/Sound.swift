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
      "waits with a handler",
      { locked, count in
        let box = Box<CheckedContinuation<Void, Never>>()
        let task = Task.detached {
          await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
              locked {
                count.both()
                if Task.isCancelled { continuation.resume() } else { box.put(continuation) }
              }
            }
          } onCancel: {
            locked {
              count.enter()
              box.take()?.resume()
              count.leave()
            }
          }
        }
        locked { count.both() }
        task.cancel()
        await task.value
      }
    ),
    (
      "under two locks",
      { locked, count in
        let inner = NSLock()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 {
            group.addTask {
              locked {
                count.enter()
                inner.withLock { Task.detached { inner.withLock {} }.cancel() }
                count.leave()
              }
            }
          }
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
    + identities

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
      "static let",
      {
        // Each of the first executions is the first that asks for its value.
        let value = LazyValues.all[min(turn.add(1, ordering: .relaxed).oldValue, LazyValues.all.count - 1)]
        let tasks = (0..<3).map { _ in Task.detached { await value().value } }
        for task in tasks where await task.value != 7 { throw Broken(description: "another value") }
      }
    )
  ]

  private static let turn = Atomic(0)

  /// A value whose initialiser makes tasks.
  static func started() -> Task<Int, Never> {
    Task.detached {}.cancel()
    return Task.detached { 7 }
  }
}

actor Holder {
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
