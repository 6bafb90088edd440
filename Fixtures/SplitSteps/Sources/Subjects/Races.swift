// SPDX-License-Identifier: Apache-2.0

import Synchronization

// Programs in which two accesses to the same memory are not ordered, whatever their outcome.

final class Box: @unchecked Sendable {
  var value = 0
  var other: Int8 = 0
  var third: Int8 = 0
}

final class Guarded: Sendable {
  private let lock = Mutex(0)
  func set(_ box: Box, to value: Int) { lock.withLock { _ in box.value = value } }
}

/// Accessed by tasks that it does not order.
final class Unordered: Sendable {
  private let number = Atomic(0)
  func add() { number.add(1, ordering: .relaxed) }
}

/// Publishes a value by a flag, which orders the two sides only where its operations say so.
final class Publication: @unchecked Sendable {
  private let isReady = Atomic(false)
  private var value = 0
  func publish() {
    value = 7
    isReady.store(true, ordering: .releasing)
  }
  func publishRelaxed() {
    value = 7
    isReady.store(true, ordering: .relaxed)
  }
  func read() -> Int? { isReady.load(ordering: .acquiring) ? value : nil }
}

extension Subject {
  /// Counts a variable up, which is two accesses each time.
  public static func increment(_ count: Int) {
    let box = Box()
    for _ in 0..<count { box.value &+= 1 }
  }

  /// Makes that number of objects, writes to each, and gives them all back.
  public static func fill(_ count: Int) {
    let boxes = (0..<count).map { _ in Box() }
    for box in boxes { box.value = 1 }
  }

  /// The programs with a data race that shows in no result.
  public static let races =
    [
      Subject("write and read") {
        let box = Box()
        async let first: Void = { box.value = 1 }()
        async let second = box.value
        _ = await (first, second)
      },
      Subject("one lock of two") {
        let box = Box()
        let guarded = Guarded()
        async let first: Void = guarded.set(box, to: 1)
        async let second: Void = { box.value = 2 }()
        _ = await (first, second)
      },
      Subject("relaxed publication") {
        let publication = Publication()
        async let first: Void = publication.publishRelaxed()
        async let second = publication.read()
        _ = await (first, second)
      },
      Subject("two actors") {
        let box = Box()
        let first = Writer(box)
        let second = Writer(box)
        async let one: Void = first.write()
        async let two: Void = second.write()
        _ = await (one, two)
      },
    ] + racingThreads + racingLitmus

  /// The same programs with what orders the accesses.
  static let ordered = [
    Subject("write, then read") {
      let box = Box()
      async let first: Void = { box.value = 1 }()
      await first
      async let second = box.value
      try expect(await second, 1)
    },
    Subject("one lock") {
      let box = Box()
      let guarded = Guarded()
      async let first: Void = guarded.set(box, to: 1)
      async let second: Void = guarded.set(box, to: 2)
      _ = await (first, second)
    },
    Subject("publication") {
      let publication = Publication()
      async let first: Void = publication.publish()
      async let second = publication.read()
      let value = await second
      await first
      if value != nil, value != 7 { throw Wrong("\(String(describing: value))") }
    },
    Subject("one actor") {
      let box = Box()
      let writer = Writer(box)
      async let one: Void = writer.write()
      async let two: Void = writer.write()
      _ = await (one, two)
    },
    Subject("neighbours") {
      let box = Box()
      async let first: Void = { box.other = 1 }()
      async let second: Void = { box.third = 1 }()
      _ = await (first, second)
    },
    Subject("continuation") {
      let box = Box()
      let value = await withCheckedContinuation { continuation in
        Task {
          box.value = 3
          continuation.resume(returning: 4)
        }
      }
      try expect(value + box.value, 7)
    },
    Subject("continuation that is resumed before the task waits for it") {
      let box = Box()
      let unordered = Unordered()
      let value = await withCheckedContinuation { continuation in
        Task {
          box.value = 3
          continuation.resume(returning: 4)
          unordered.add()
        }
        unordered.add()
      }
      try expect(value + box.value, 7)
    },
    Subject("array that is passed on") {
      let (stream, continuation) = AsyncStream<[Int]>.makeStream()
      async let sum = stream.reduce(0) { $0 + $1.count }
      var numbers: [Int] = []
      for number in 1...4 {
        numbers.append(number)
        continuation.yield(numbers)
        numbers.append(number)
      }
      continuation.finish()
      try expect(await sum, 16)
    },
    Subject("results of a group") {
      let total = await withTaskGroup(of: [Int].self) { group in
        for number in 1...3 { group.addTask { Array(repeating: number, count: number) } }
        var all: [Int] = []
        for await part in group { all += part }
        return all.count
      }
      try expect(total, 6)
    },
    Subject("main actor's state") {
      let screen = Screen()
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await MainActor.run { _ = screen.number } } }
        group.addTask { try? await screen.increment() }
      }
    },
    Subject("what a cancellation handler refers to") {
      let task = Task {
        let box = Box()
        box.value = 5
        return await withTaskCancellationHandler {
          while !Task.isCancelled { await Task.yield() }
          return box.other
        } onCancel: {
          box.third = Int8(box.value)
        }
      }
      await Task.yield()
      task.cancel()
      try expect(Int(await task.value), 0)
    },
    Subject("detached tasks") {
      let box = Box()
      let task = Task.detached { box.value = 1 }
      await task.value
      box.value += 1
      let second = Task { box.value += 1 }
      _ = await second.result
      try expect(box.value, 3)
    },
  ]
}

actor Writer {
  private let box: Box
  init(_ box: Box) { self.box = box }
  func write() { box.value += 1 }
}
