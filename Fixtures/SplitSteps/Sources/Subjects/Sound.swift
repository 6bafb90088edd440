// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

// Programs without a bug: whatever is preempted, none of them fails.

struct Table {
  static let shared = Table()
  let values: [String: Int]
  private init() { values = Dictionary(uniqueKeysWithValues: (0..<20).map { ("key\($0)", $0) }) }
}

actor Cell {
  private(set) var number = 0
  private var isInside = false
  func increment() throws {
    if isInside { throw Wrong("two jobs on one actor") }
    isInside = true
    let value = number
    for index in 0..<5 where index > 7 { number = 0 }
    number = value + 1
    isInside = false
    assertIsolated()
    dispatchPrecondition(condition: .notOnQueue(.main))
    if Thread.isMainThread { throw Wrong("an actor is on the main thread") }
  }
}

@MainActor
final class Screen {
  nonisolated init() {}
  private(set) var number = 0
  private var isInside = false
  func increment() throws {
    MainActor.preconditionIsolated()
    dispatchPrecondition(condition: .onQueue(.main))
    if !Thread.isMainThread { throw Wrong("the main actor is off the main thread") }
    if isInside { throw Wrong("two jobs on the main actor") }
    isInside = true
    let value = number
    number = value + 1
    isInside = false
  }
}

final class SpinLock: @unchecked Sendable {
  private let isTaken = Atomic(false)
  private(set) var number = 0
  func increment() {
    while !isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {}
    number += 1
    isTaken.store(false, ordering: .releasing)
  }
}

final class Recursive: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private(set) var number = 0
  func increment() { lock.withLock { lock.withLock { number += 1 } } }
}

final class Printed: CustomStringConvertible, Sendable {
  var description: String { (0..<3).map { "\($0)" }.joined() }
}

final class Dying: Sendable {
  private let counter: MutexCounter
  init(_ counter: MutexCounter) { self.counter = counter }
  deinit { counter.incrementAtOnce() }
}

final class Holder: @unchecked Sendable {
  private let lock = NSLock()
  private weak var last: Printed?
  private var kept: Printed?
  func replace() {
    lock.withLock {
      kept = Printed()
      last = kept
    }
  }
  func look() -> Int { lock.withLock { last == nil ? 0 : 1 } }
}

extension Subject {
  /// Two tasks that take a mutex once.
  public static let twoTasks = Subject("two tasks on a mutex") {
    let counter = MutexCounter()
    await twice { counter.incrementAtOnce() }
    try expect(counter.value, 2)
  }

  static let soundSteps = [
    Subject("Mutex") {
      let counter = MutexCounter()
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { for _ in 0..<3 { counter.incrementAtOnce() } } }
      }
      try expect(counter.value, 12)
    },
    Subject("NSLock, at once") {
      let counter = LockedCounter()
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { for _ in 0..<3 { counter.incrementAtOnce() } } }
      }
      try expect(counter.value, 12)
    },
    Subject("atomic, at once") {
      let counter = AtomicCounter()
      await twice { for _ in 0..<3 { counter.incrementAtOnce() } }
      try expect(counter.value, 6)
    },
    Subject("NSRecursiveLock") {
      let counter = Recursive()
      await twice { for _ in 0..<2 { counter.increment() } }
      try expect(counter.number, 4)
    },
    Subject("lazy global") {
      async let first = Table.shared.values["key3"]
      async let second = Table.shared.values["key4"]
      let values = await (first, second)
      if values.0 != 3 || values.1 != 4 { throw Wrong("\(values)") }
    },
    Subject("actor") {
      let cell = Cell()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            try await cell.increment()
            await Task.yield()
            try await cell.increment()
          }
        }
        try await group.waitForAll()
      }
      try expect(await cell.number, 6)
    },
    Subject("main actor") {
      let screen = Screen()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { try await screen.increment() } }
        try await group.waitForAll()
      }
      try expect(await screen.number, 3)
    },
    Subject("spin lock") {
      let counter = SpinLock()
      await twice { counter.increment() }
      try expect(counter.number, 2)
    },
    Subject("deinit") {
      let counter = MutexCounter()
      await twice { for _ in 0..<3 { _ = Dying(counter) } }
      try expect(counter.value, 6)
    },
    Subject("weak reference") {
      let holder = Holder()
      async let first: Void = { for _ in 0..<3 { holder.replace() } }()
      async let second = (0..<3).map { _ in holder.look() }.reduce(0, +)
      let seen = await second
      await first
      if !(0...3).contains(seen) { throw Wrong("\(seen)") }
    },
    Subject("sleep") {
      let counter = MutexCounter()
      async let first: Void = {
        try? await Task.sleep(for: .seconds(5))
        counter.incrementAtOnce()
      }()
      async let second: Void = {
        counter.incrementAtOnce()
        try? await Task.sleep(for: .seconds(7))
        counter.incrementAtOnce()
      }()
      _ = await (first, second)
      try expect(counter.value, 3)
    },
    Subject("stream") {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      async let sum = stream.reduce(0, +)
      async let source: Void = {
        for number in 1...4 { continuation.yield(number) }
        continuation.finish()
      }()
      await source
      try expect(await sum, 10)
    },
    Subject("cancellation") {
      let counter = MutexCounter()
      let task = Task {
        await withTaskCancellationHandler {
          while !Task.isCancelled { await Task.yield() }
          counter.incrementAtOnce()
        } onCancel: {
          counter.incrementAtOnce()
        }
      }
      async let canceller: Void = task.cancel()
      await canceller
      await task.value
      try expect(counter.value, 2)
    },
    Subject("immediate task") {
      let counter = MutexCounter()
      let immediate = Task.immediate {
        counter.incrementAtOnce()
        await Task.yield()
        counter.incrementAtOnce()
      }
      let detached = Task.detached { counter.incrementAtOnce() }
      await immediate.value
      await detached.value
      try expect(counter.value, 3)
    },
  ]
}
