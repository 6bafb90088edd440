// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

private func assumeMainActor() { MainActor.assumeIsolated {} }

private actor Screen {
  private let steps: Steps
  init(_ steps: Steps) { self.steps = steps }

  func show() { steps.take("s") }

  func present() -> Task<Void, Never> {
    let task = Task { self.show() }
    steps.take("p")
    return task
  }

  func presentAndSuspend() async {
    let task = Task { self.show() }
    await MainActor.run { steps.take("m") }
    steps.take("g")
    await task.value
  }

  func record(_ step: String) { steps.take(step) }

  /// Starts a task of a higher priority after one of a lower, while the actor is busy with both of them.
  func startLowThenHigh() -> [Task<Void, Never>] {
    [
      Task(priority: .low) { self.record("l") },
      Task(priority: .high) { self.record("h") },
    ]
  }
}

/// The orders that an exhaustive search finds, as the steps that a body took in each of them.
private func orders(
  limit: Int = 2_000, _ body: @escaping @Sendable (Steps) async -> Void
) async -> (seen: Set<String>, exploration: Exploration) {
  let seen = Mutex<Set<String>>([])
  let exploration = await Explorer(executions: limit, strategy: .exhaustive()).run {
    let steps = Steps()
    await body(steps)
    seen.withLock { _ = $0.insert(steps.text) }
  }
  #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
  return (seen.withLock { $0 }, exploration)
}

/// A guarantee of the runtime holds in every execution, and each order that it allows happens in some.
@Suite struct RuntimeOrderTests {
  /// It comes back behind the task, which was in the actor's queue first.
  @Test func `a task that starts another one on its own actor may leave before that one runs`() async {
    let (seen, exploration) = await orders { steps in await Screen(steps).presentAndSuspend() }
    #expect(exploration.isExhaustive)
    #expect(seen == ["msg", "smg"])
  }

  @Test func `between two tasks of an actor another task may run`() async {
    let (seen, _) = await orders { steps in
      let screen = Screen(steps)
      let other = Task { steps.take("o") }
      let first = await screen.present()
      await first.value
      await other.value
    }
    #expect(seen.isSuperset(of: ["pos", "ops", "pso"]))
  }

  @Test func `tasks of the main actor start in the order in which they were created`() async {
    let (seen, _) = await orders { steps in
      let tasks = ["a", "b", "c"].map { step in Task { @MainActor in steps.take(step) } }
      for task in tasks { await task.value }
    }
    #expect(seen == ["abc"])
  }

  @Test func `a hop to the main actor does not overtake an earlier task of it`() async {
    let (seen, _) = await orders { steps in
      let earlier = Task { @MainActor in steps.take("t") }
      await MainActor.run { steps.take("h") }
      await earlier.value
    }
    #expect(seen == ["th"])
  }

  @Test func `tasks of a global actor start in the order in which they were created`() async {
    let (seen, _) = await orders { steps in
      let tasks = ["a", "b", "c"].map { step in Task { @OrderArchive in steps.take(step) } }
      for task in tasks { await task.value }
    }
    #expect(seen == ["abc"])
  }

  @Test func `of two tasks that wait for a busy actor the higher priority enters first`() async {
    let (seen, _) = await orders { steps in
      for task in await Screen(steps).startLowThenHigh() { await task.value }
    }
    #expect(seen == ["hl"])
  }

  @Test func `a job does not come before one of a higher priority that is due`() async {
    let (seen, _) = await orders { steps in
      let low = Task(priority: .low) { @OrderArchive in steps.take("l") }
      let high = await startOnArchive(steps)
      await high.value
      await low.value
    }
    #expect(seen == ["lsh", "shl"])
  }

  @Test func `a task of a higher priority may enter an actor before another one`() async {
    let (seen, _) = await orders { steps in
      let screen = Screen(steps)
      let tasks = [
        Task(priority: .low) { @MainActor in await screen.record("l") },
        Task(priority: .high) { @MainActor in await screen.record("h") },
      ]
      for task in tasks { await task.value }
    }
    #expect(seen == ["lh", "hl"])
  }

  @Test func `tasks of equal priority enter an actor in the order of their calls`() async {
    let (seen, _) = await orders { steps in
      let screen = Screen(steps)
      let tasks = await MainActor.run {
        ["a", "b"].map { step in Task.immediate { @MainActor in await screen.record(step) } }
      }
      for task in tasks { await task.value }
    }
    #expect(seen == ["ab"])
  }

  /// From the pool, where a hop leaves no executor that keeps an order.
  @Test func `a task that is started immediately enters an actor before its creator does`() async {
    let (seen, _) = await orders { steps in
      let screen = Screen(steps)
      let task = Task.immediate { await screen.record("t") }
      steps.take("c")
      await screen.record("h")
      await task.value
    }
    #expect(seen == ["cth"])
  }

  #if os(macOS) || os(Linux)
  @Test func `assuming the main actor elsewhere ends the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = await Explorer(executions: 1).run { assumeMainActor() }
    }
  }
  #endif

  @Test func `assuming the main actor on it is right`() async {
    let result = await Explorer(executions: 1).run {
      await MainActor.run { assumeMainActor() }
    }
    #expect(result.failure == nil)
  }
}

/// The claims that an exhaustive search may make.
@Suite struct ExhaustiveClaimTests {
  private func explore(_ body: @escaping @Sendable () async -> Void) async -> Exploration {
    await Explorer(executions: 2_000, strategy: .exhaustive()).run(body)
  }

  private static let race: @Sendable () async -> Void = {
    let tasks = (0..<2).map { _ in Task {} }
    for task in tasks { await task.value }
  }

  @Test func `an order that is all there is is exhausted`() async {
    #expect(await explore(Self.race).isExhaustive)
  }

  @Test func `a drawn value is not enumerated`() async {
    let result = await explore {
      _ = Execution.draw(.int(in: 0...9))
      await Self.race()
    }
    #expect(!result.isExhaustive)
  }

  @Test func `a poll that could sleep for ever is not exhausted`() async {
    let result = await explore {
      let poll = Task {
        for _ in 0..<6 { try? await Task.sleep(for: .milliseconds(100)) }
      }
      await Self.race()
      await poll.value
    }
    #expect(!result.isExhaustive)
  }
}

/// A sleep may end while other tasks are ready.
@Suite struct EarlyTimerTests {
  private actor Account {
    var balance = 10
    func withdraw() { balance -= 5 }
    func deposit() { balance += 5 }
  }

  /// A transfer that a timeout can cut in two.
  private static let transfer: @Sendable () async throws -> Void = {
    let (one, other) = (Account(), Account())
    let work = Task {
      await one.withdraw()
      try Task.checkCancellation()
      await other.deposit()
    }
    let timeout = Task {
      try await Task.sleep(for: .milliseconds(500))
      work.cancel()
    }
    _ = await work.result
    timeout.cancel()
    #expect(await one.balance + other.balance == 20)
  }

  @Test(arguments: [Explorer.Strategy.portfolio, .random, .exhaustive()])
  func `a timeout in the middle of work is found, and the report says that time passed`(
    _ strategy: Explorer.Strategy
  ) async throws {
    let result = await Explorer(executions: 1_000, strategy: strategy).run(Self.transfer)
    let failure = try #require(result.failure)
    #expect(failure.remarks.contains { $0.contains("Time passed once") }, "\(failure.remarks)")
    let replay = await Explorer(strategy: .replay(failure.schedule)).run(Self.transfer)
    #expect(replay.failure?.messages == failure.messages)
  }

  @Test func `in FIFO order time does not pass while a task is ready`() async {
    let result = await Explorer(executions: 100, strategy: .fifo).run(Self.transfer)
    #expect(result.failure == nil)
  }

  @Test func `a task that polls with a sleep is no livelock`() async {
    for strategy in [Explorer.Strategy.portfolio, .exhaustive(), .pct(depth: 3)] {
      let result = await Explorer(executions: 200, strategy: strategy).run {
        let flag = Recorder<Int>()
        let work = Task {
          for _ in 0..<3 { await Task.yield() }
          flag.record(1)
        }
        while flag.count == 0 { try await Task.sleep(for: .milliseconds(10)) }
        await work.value
      }
      #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    }
  }
}

@Suite struct SettleTests {
  @Test(.disabled(if: Instrumentation.splitsSteps, "time can pass in the middle of a step"))
  func `everything that needs no time has happened, and no time has passed`() async {
    let result = await Explorer(executions: 300).run {
      let steps = Steps()
      let start = Execution.clock.now
      let worker = Task {
        for _ in 0..<5 {
          steps.take("w")
          await Task.yield()
        }
      }
      let sleeper = Task {
        try? await Task.sleep(for: .seconds(1))
        steps.take("s")
      }
      await Execution.settle()
      #expect(steps.text == "wwwww")
      #expect(Execution.clock.now == start)
      await worker.value
      await sleeper.value
      #expect(steps.text == "wwwwws")
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "time can pass in the middle of a step"))
  func `no time has passed where the task has to come back to an actor, either`() async {
    let result = await Explorer(executions: 2_000).run { @MainActor in
      let sleepers = (1...4).map { second in Task { try? await Task.sleep(for: .seconds(second)) } }
      for _ in 0..<4 {
        await Task.yield()
        let start = Execution.clock.now
        await Execution.settle()
        #expect(Execution.clock.now == start)
      }
      for sleeper in sleepers { await sleeper.value }
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }
}

@OrderArchive private func startOnArchive(_ steps: Steps) -> Task<Void, Never> {
  steps.take("s")
  return Task(priority: .high) { @OrderArchive in steps.take("h") }
}

@globalActor private actor OrderArchive {
  static let shared = OrderArchive()
}
