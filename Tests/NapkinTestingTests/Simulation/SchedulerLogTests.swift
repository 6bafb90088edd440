// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NapkinTesting
import Testing

private actor Seats {
  private(set) var sold = 0

  func sell() async {
    let before = sold
    await Task.yield()
    sold = before + 1
  }
}

private func sellTwo(_ seats: Seats) async -> Int {
  async let first: Void = seats.sell()
  async let second: Void = seats.sell()
  _ = await (first, second)
  return await seats.sold
}

private func sleepInVain() async {
  async let _: Void? = try? Task.sleep(for: .seconds(100))
  await Task.yield()
}

/// Uses the memory of the frames that came before it for something else.
private func overwrite() async -> Int {
  let words = InlineArray<512, Int>(repeating: -16)
  await Task.yield()
  return words[0] + words[511]
}

private final class Object: Sendable {}

/// Runs jobs on a queue, as an executor of an app does.
private final class Courier: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Children of `async let` are in memory of the task that waits for them, which uses it again.
@Suite struct SchedulerLogTests {
  @Test func `a task has its name whatever it does`() async throws {
    let result = await Explorer(executions: 1, strategy: .fifo).run {
      let (numbers, end) = AsyncStream<Int>.makeStream()
      let rest = Task(name: "rester") { try? await Task.sleep(for: .seconds(1)) }
      let reader = Task(name: "reader") { for await _ in numbers {} }
      let waiter = Task(name: "waiter") { await rest.value }
      let starter = Task.immediate(name: "starter") { await waiter.value }
      await withTaskGroup { group in
        group.addTask(name: "member") { try? await Task.sleep(for: .seconds(1)) }
      }
      end.finish()
      _ = await (reader.value, starter.value)
      throw CancellationError()
    }
    let timeline = try #require(result.failure).timeline
    for name in ["rester", "reader", "waiter", "starter", "member"] {
      #expect(timeline.contains(name), "\(name) is not in:\n\(timeline)")
    }
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "queues are tasks of the schedule where steps are split"))
  func `a task that prefers an executor has its own name or a number`() async throws {
    let result = await Explorer(executions: 1, strategy: .fifo).run {
      let courier = Courier()
      await Task(executorPreference: courier) {}.value
      await Task(name: "parcel", executorPreference: courier) {}.value
      throw CancellationError()
    }
    let log = try #require(result.failure).log
    #expect(log.taskNames == [0: "body", 2: "parcel"])
  }

  @Test func `a failing body that calls a function with async let is reported`() async throws {
    let result = await Explorer(executions: 100, seed: 1).run {
      let sold = await sellTwo(Seats())
      #expect(await overwrite() == -32)
      #expect(sold == 2)
    }
    let failure = try #require(result.failure)
    #expect(failure.messages.first?.hasPrefix("Expectation failed") == true)
    #expect(failure.timeline.contains("Seats"))
  }

  @Test func `a child that an async let has cancelled in its sleep is forgotten with it`() async throws {
    let result = await Explorer(executions: 20, seed: 1).run {
      await sleepInVain()
      #expect(await overwrite() == -32)
    }
    #expect(result.failure == nil)
  }

  @Test func `a deadlock names the child of an async let that waits`() async throws {
    let result = await Explorer(executions: 1).run {
      for _ in 0..<5 { _ = await sellTwo(Seats()) }
      #expect(await overwrite() == -32)
      async let stuck: Void = withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      await stuck
    }
    let message = try #require(result.failure?.messages.first)
    #expect(message.hasPrefix("Deadlock"))
    #expect(message.contains("body waits since step"))
    #expect(message.contains("; task 11 waits since step"))
  }

  @Test func `what a task returned lives no longer than its task when it is logged`() async throws {
    let result = await Explorer(executions: 1, shrinks: false).run {
      weak var object: Object?
      do {
        let made = await Task { Object() }.value
        object = made
      }
      await Task.yield()
      #expect(object == nil, "it lives on")
      Issue.record("so that there is a log")
    }
    let failure = try #require(result.failure)
    #expect(failure.messages.count == 1)
  }
}
