// SPDX-License-Identifier: Apache-2.0

@_spi(Benchmarks) import NapkinTesting
import Synchronization
import Testing

@globalActor private actor Archive {
  static let shared = Archive()
}

private final class Order: Sendable {
  private let entries = Mutex<[Int]>([])
  func add(_ entry: Int) { entries.withLock { $0.append(entry) } }
  @Archive func addOnArchive(_ entry: Int) { add(entry) }
  var count: Int { entries.withLock { $0.count } }
}

private actor Shelf {
  private(set) var entries: [Int] = []
  private var waiting: [UnsafeContinuation<Void, Never>] = []

  func add(_ entry: Int) { entries.append(entry) }

  func addInTask(_ entry: Int) -> Task<Void, Never> { Task { self.entries.append(entry) } }

  func addAfterWaiting(_ entry: Int) async {
    await withUnsafeContinuation { waiting.append($0) }
    entries.append(entry)
  }

  func resumeAll() {
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

/// Jobs that the runtime enqueues on an actor by itself, without a hop: their words are read from its queue.
@Suite struct ActorQueueTests {
  static let shapes: [Shape] = [
    Shape("tasks of a global actor") {
      let order = Order()
      let tasks = (0..<3).map { number in Task { @Archive in order.add(number) } }
      for task in tasks { await task.value }
      #expect(order.count == 3)
    },
    Shape("tasks of a global actor and hops to it") {
      let order = Order()
      let task = Task { @Archive in order.add(0) }
      async let one: Void = order.addOnArchive(1)
      async let other: Void = order.addOnArchive(2)
      _ = await (one, other, task.value)
      #expect(order.count == 3)
    },
    Shape("tasks that an actor starts on itself") {
      let shelf = Shelf()
      async let one = shelf.addInTask(1)
      async let other = shelf.addInTask(2)
      for task in await [one, other] { await task.value }
      #expect(await shelf.entries.count == 2)
    },
    Shape("continuations that are resumed on an actor") {
      let shelf = Shelf()
      await withDiscardingTaskGroup { group in
        for number in 0..<2 { group.addTask { await shelf.addAfterWaiting(number) } }
        group.addTask {
          while await shelf.entries.count < 2 {
            await shelf.resumeAll()
            await Task.yield()
          }
        }
      }
    },
    Shape("children of a task of a global actor") {
      let order = Order()
      let task = Task { @Archive in
        async let one: Void = order.addOnArchive(1)
        async let other: Void = order.addOnArchive(2)
        _ = await (one, other)
      }
      await task.value
      #expect(order.count == 2)
    },
    Shape("a value that a task of a global actor waits for") {
      let task = Task { await Task.yield() }
      let waiting = Task { @Archive in await task.value }
      await waiting.value
    },
  ]

  @Test(arguments: shapes) func `a job in an actor's queue belongs to its task`(_ shape: Shape) async throws {
    for strategy in [Explorer.Strategy.random, .pct(depth: 3), .surw, .portfolio] {
      let explorer = Explorer(executions: 30, strategy: strategy, seed: 5)
      let first = await explorer.run(shape.body)
      let second = await explorer.run(shape.body)
      #expect(first.failure == nil, "\(first.failure?.messages ?? [])")
      #expect(first.steps == second.steps)
      #expect(first.distinctSchedules == second.distinctSchedules)
    }
  }

  @Test func `a task of a global actor is named in a report`() async throws {
    let result = await Explorer(executions: 1, strategy: .fifo).run {
      let task = Task(name: "archivist") { @Archive in
        await Task.yield()
        #expect(Bool(false))
      }
      await task.value
    }
    let failure = try #require(result.failure)
    // The body is 0; the job that drains the actor for the first time has the number of the task that it is for.
    #expect(failure.log.taskNames == [0: "body", 1: "archivist"])
  }
}
