// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Observation
import Synchronization
import Testing

/// A way in which Swift schedules work, small enough that two of them race.
struct Shape: Sendable, CustomStringConvertible {
  let description: String
  let body: @Sendable () async throws -> Void

  init(_ description: String, _ body: @escaping @Sendable () async throws -> Void) {
    self.description = description
    self.body = body
  }
}

/// The order of entries: two schedules differ when this does.
private actor Log {
  private(set) var entries: [Int] = []
  func add(_ entry: Int) { entries.append(entry) }
}

@MainActor private final class MainLog {
  var entries: [Int] = []
  func add(_ entry: Int) async {
    MainActor.assertIsolated()
    entries.append(entry)
    await Task.yield()
    entries.append(entry)
  }
}

@MainActor private final class Dying {
  let log: Mutex<[Int]>
  init() { log = Mutex([]) }
  isolated deinit { MainActor.assertIsolated() }
}

@Observable private final class Model: Sendable {
  private let storage = Mutex(0)
  var value: Int {
    get {
      access(keyPath: \.value)
      return storage.withLock { $0 }
    }
    set { withMutation(keyPath: \.value) { storage.withLock { $0 = newValue } } }
  }
}

extension Shape {
  static let all: [Shape] = [
    Shape("unstructured tasks") {
      let log = Log()
      let tasks = (0..<3).map { number in Task { await log.add(number) } }
      for task in tasks { await task.value }
      #expect(await log.entries.count == 3)
    },
    Shape("detached tasks") {
      let log = Log()
      let tasks = (0..<3).map { number in Task.detached { await log.add(number) } }
      for task in tasks { await task.value }
      #expect(await log.entries.count == 3)
    },
    Shape("immediate tasks") {
      let log = Log()
      let tasks = (0..<3).map { number in Task.immediate { await log.add(number) } }
      for task in tasks { await task.value }
      #expect(await log.entries.count == 3)
    },
    Shape("task groups") {
      let log = Log()
      await withTaskGroup { group in
        for number in 0..<3 { group.addTask { await log.add(number) } }
      }
      #expect(await log.entries.count == 3)
    },
    Shape("discarding task groups") {
      let log = Log()
      await withDiscardingTaskGroup { group in
        for number in 0..<3 { group.addTask { await log.add(number) } }
      }
      #expect(await log.entries.count == 3)
    },
    Shape("async let") {
      let log = Log()
      async let one: Void = log.add(1)
      async let other: Void = log.add(2)
      _ = await (one, other)
      #expect(await log.entries.count == 2)
    },
    Shape("the main actor") {
      let log = await MainActor.run { MainLog() }
      async let one: Void = log.add(1)
      async let other: Void = log.add(2)
      _ = await (one, other)
      #expect(await log.entries.count == 4)
    },
    Shape("priorities") {
      let log = Log()
      let low = Task(priority: .low) { await log.add(1) }
      let high = Task(priority: .high) { await log.add(2) }
      await low.value
      await high.value
      #expect(await log.entries.count == 2)
    },
    Shape("streams") {
      let (numbers, continuation) = AsyncStream<Int>.makeStream()
      let log = Log()
      let listener = Task { for await number in numbers { await log.add(number) } }
      let sender = Task {
        for number in 0..<3 {
          continuation.yield(number)
          await Task.yield()
        }
        continuation.finish()
      }
      await sender.value
      await listener.value
      #expect(await log.entries == [0, 1, 2])
    },
    Shape("continuations resumed by another task") {
      let log = Log()
      let box = Mutex<CheckedContinuation<Void, Never>?>(nil)
      let waiter = Task {
        await withCheckedContinuation { continuation in box.withLock { $0 = continuation } }
        await log.add(1)
      }
      let other = Task { await log.add(2) }
      while true {
        if let continuation = box.withLock({ $0.take() }) {
          continuation.resume()
          break
        }
        await Task.yield()
      }
      await waiter.value
      await other.value
      #expect(await log.entries.count == 2)
    },
    Shape("cancellation handlers") {
      let log = Log()
      let sleeper = Task {
        await withTaskCancellationHandler {
          try? await Task.sleep(for: .seconds(100))
          await log.add(1)
        } onCancel: {
          Task { await log.add(2) }
        }
      }
      await Task.yield()
      sleeper.cancel()
      await sleeper.value
      #expect(await log.entries.contains(1))
    },
    Shape("sleeps that end together") {
      let log = Log()
      await withTaskGroup { group in
        for number in 0..<3 {
          group.addTask {
            try? await Task.sleep(for: .seconds(5))
            await log.add(number)
          }
        }
      }
      #expect(await log.entries.count == 3)
    },
    Shape("isolated deinit") {
      let tasks = (0..<2).map { _ in
        Task {
          let dying = await Dying()
          _ = consume dying
        }
      }
      for task in tasks { await task.value }
    },
    Shape("observations") {
      let model = Model()
      let log = Log()
      let observer = Task {
        for await value in Observations({ model.value }) {
          await log.add(value)
          if value >= 2 { break }
        }
      }
      let writer = Task {
        for number in 1...2 {
          model.value = number
          await Task.yield()
        }
      }
      await writer.value
      await observer.value
      #expect(await log.entries.last == 2)
    },
    Shape("continuations on an actor") {
      let gate = Gate()
      let log = Log()
      let tasks = (0..<3).map { number in
        Task {
          await gate.pass()
          await log.add(number)
        }
      }
      await gate.reached()
      gate.open()
      for task in tasks { await task.value }
      #expect(await log.entries.count == 3)
    },
  ]
}

@Suite struct ControlTests {
  // The model that is observed has no lock, so that a change can be missed in the middle of a step.
  private static let shapes = Shape.all.filter { !Instrumentation.splitsSteps || $0.description != "observations" }

  @Test(arguments: shapes) func `the schedule is ours`(_ shape: Shape) async throws {
    let explorer = Explorer(executions: 60, strategy: .random, seed: 11)
    let first = await explorer.run(shape.body)
    let second = await explorer.run(shape.body)
    #expect(first.failure == nil, "\(first.failure?.messages ?? [])")
    // Else there was nothing to pick.
    #expect(!first.warnings.contains { $0.contains("never suspends") })
    #expect(first.steps == second.steps)
    #expect(first.distinctSchedules == second.distinctSchedules)
  }

  @Test func `an actor whose executor leaves its jobs to the main actor runs there`() async {
    let result = await Explorer(executions: 20).run {
      let screen = MainScreen()
      async let one: Void = screen.show()
      async let other: Void = screen.show()
      _ = await (one, other)
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test func `an exploration runs inside another`() async throws {
    let result = await Explorer(executions: 5, strategy: .random).run {
      let inner = await Explorer(executions: 20, strategy: .random, seed: 3).run {
        let log = Log()
        async let one: Void = log.add(1)
        async let other: Void = log.add(2)
        _ = await (one, other)
        if await log.entries == [2, 1] { throw CancellationError() }
      }
      #expect(inner.failure != nil)
      #expect(Execution.isSimulated)
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test func `two explorations at once do not disturb each other`() async throws {
    let shape = try #require(Shape.all.first)
    let alone = await Explorer(executions: 200, strategy: .random, seed: 1).run(shape.body)
    async let one = Explorer(executions: 200, strategy: .random, seed: 1).run(shape.body)
    async let other = Explorer(executions: 200, strategy: .random, seed: 1).run(shape.body)
    for result in await [one, other] {
      #expect(result.failure == nil)
      #expect(result.steps == alone.steps)
      #expect(result.distinctSchedules == alone.distinctSchedules)
    }
  }

  @Test func `other tasks of the process get on while an exploration runs`() async throws {
    let steps = Mutex(0)
    let seen = Mutex<Set<Int>>([])
    let hasBegun = Gate()
    let other = Task.detached {
      while !Task.isCancelled {
        await MainActor.run { steps.withLock { $0 += 1 } }
        hasBegun.open()
        await Task.yield()
      }
    }
    await hasBegun.pass()
    _ = await Explorer(executions: 5_000, strategy: .random).run {
      let now = steps.withLock { $0 }
      seen.withLock { _ = $0.insert(now) }
      await Task.yield()
    }
    other.cancel()
    // The executions saw the other task at different steps: the exploration released the main actor between them.
    #expect(seen.withLock { $0.count } > 1)
  }
}

/// Tasks that leave one actor for another arrive in the order in which they left: each is queued before the next one leaves.
@Suite struct MailboxTests {
  @Test(.disabled(if: Instrumentation.splitsSteps, "it counts schedules of whole steps"))
  func `what the main actor sends to an actor arrives in order`() async {
    let result = await Explorer(executions: 500, strategy: .random).run {
      let log = Log()
      let tasks = await MainActor.run {
        (0..<4).map { number in Task.immediate { @MainActor in await log.add(number) } }
      }
      for task in tasks { await task.value }
      #expect(await log.entries == [0, 1, 2, 3])
    }
    #expect(result.failure == nil)
    // Each actor is entered in that order, in however many schedules.
    #expect(result.distinctSchedules == 1)
  }

  @Test func `tasks that leave an actor for the thread pool go on in any order`() async {
    let result = await Explorer(executions: 500, strategy: .random).run {
      let log = Log()
      let steps = Steps()
      let tasks = (0..<2).map { number in
        Task {
          await log.add(number)
          steps.take("\(number)")
        }
      }
      for task in tasks { await task.value }
      let arrived = await log.entries
      #expect(steps.text == arrived.map { "\($0)" }.joined())
    }
    #expect(result.failure != nil)
  }

  @Test func `what two actors send to a third arrives in any order`() async {
    let result = await Explorer(executions: 500).run {
      let log = Log()
      let (first, second) = (Sender(), Sender())
      async let one: Void = first.send(1, to: log)
      async let other: Void = second.send(2, to: log)
      _ = await (one, other)
      #expect(await log.entries == [1, 2])
    }
    #expect(result.failure != nil)
  }
}

private actor Sender {
  func send(_ number: Int, to log: Log) async { await log.add(number) }
}

private final class MainForwarding: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) { MainActor.shared.enqueue(UnownedJob(job)) }
}

private func assertMainActor() { MainActor.assertIsolated() }

private actor MainScreen {
  private let executor = MainForwarding()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  // Runs as a job of the main actor, which the compiler does not know.
  func show() { assertMainActor() }
}
