// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NapkinTesting
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private actor Cell {
  private(set) var value = 0
  func set(_ newValue: Int) { value = newValue }
}

private func copyInTasks<each Value: Sendable>(_ values: repeat each Value) async {
  let first = Task { (repeat each values) }
  let second = Task { [copy = (repeat each values)] in copy }
  _ = await (first.value, second.value)
}

private actor List {
  private var names: [String] = []
  func append(_ name: String) { names.append(name) }
}

/// The number of a call, which is state that outlives every body.
private final class Calls: Sendable {
  private let count = Mutex(0)
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// Waits for another thread, which comes second on a busy machine, too: after a task that begins when this one waits, as steps are whole.
@Sendable private func resumedElsewhere() async {
  let waits = DispatchSemaphore(value: 0)
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      waits.wait()
      continuation.resume()
    }
    Task { waits.signal() }
  }
}

/// Two tasks that are created in an order which something else than a choice decides.
@Sendable private func swapped(if isSwapped: Bool, _ cell: Cell = Cell()) async {
  func set() -> Task<Void, Never> { Task { await cell.set(1) } }
  func unset() -> Task<Void, Never> { Task { await cell.set(0) } }
  let tasks = isSwapped ? [unset(), set()] : [set(), unset()]
  for task in tasks { await task.value }
}

/// Two tasks that one call creates, and whose code something else than a choice decides, as an optimised program may have it.
@Sendable private func swappedAtOnePlace(if isSwapped: Bool) async {
  let cell = Cell()
  let set: @Sendable () async -> Void = { await cell.set(1) }
  let unset: @Sendable () async -> Void = { await cell.set(0) }
  var tasks: [Task<Void, Never>] = []
  for body in isSwapped ? [unset, set] : [set, unset] { tasks.append(Task { await body() }) }
  for task in tasks { await task.value }
}

@Suite struct DeterminismCheckTests {
  private static let strategies: [Explorer.Strategy] = [.portfolio, .random, .exhaustive(), .fifo]

  @Test(arguments: strategies)
  func `a pass of a body that a coin decides warns that it is not deterministic`(_ strategy: Explorer.Strategy) async {
    let calls = Calls()
    let result = await Explorer(executions: 200, strategy: strategy).run { await swapped(if: calls.next() % 2 == 0) }
    #expect(result.failure == nil)
    #expect(!result.isExhaustive)
    #expect(result.warnings.first?.hasPrefix("The body is not deterministic: ") == true, "\(result.warnings)")
  }

  @Test(arguments: strategies)
  func `a coin that decides what tasks of one place run is noticed`(_ strategy: Explorer.Strategy) async {
    let calls = Calls()
    let result = await Explorer(executions: 200, strategy: strategy).run {
      await swappedAtOnePlace(if: calls.next() % 2 == 0)
    }
    #expect(!result.isExhaustive)
    #expect(result.warnings.first?.hasPrefix("The body is not deterministic: ") == true, "\(result.warnings)")
  }

  @Test(arguments: strategies)
  func `tasks of one place with the same code in each execution make no warning`(_ strategy: Explorer.Strategy) async {
    let result = await Explorer(executions: 200, strategy: strategy).run { await swappedAtOnePlace(if: true) }
    #expect(result.warnings.isEmpty, "\(result.warnings)")
  }

  /// Of 20 explorations of such a body 2 noticed the coin when the first execution was repeated once, and 19 with five times.
  @Test func `a coin that falls twice on the same side is noticed in a thousand executions`() async {
    var noticed = 0
    for seed in 0..<20 as Range<UInt64> {
      let coin = Mutex(SplitMix64(seed: seed))
      let result = await Explorer(executions: 1_000, strategy: .random).run {
        await swapped(if: coin.withLock { Bool.random(using: &$0) })
      }
      if result.warnings.first?.hasPrefix("The body is not deterministic: ") == true { noticed += 1 }
    }
    #expect(noticed >= 15)
  }

  @Test func `what is made once in the first execution is no warning after many repetitions`() async {
    let made = Mutex(false)
    let result = await Explorer(executions: 2_000).run {
      let isMade = made.withLock { made in
        defer { made = true }
        return made
      }
      await swapped(if: isMade)
    }
    #expect(result.warnings.isEmpty, "\(result.warnings)")
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `an exhaustive search proves nothing where a random number swaps two tasks`(_ seed: UInt64) async {
    let result = await Explorer(executions: 10_000, strategy: .exhaustive(), seed: seed).run {
      await swapped(if: Bool.random())
    }
    #expect(!result.isExhaustive)
    #expect(result.warnings.contains { $0.hasPrefix("The body is not deterministic: ") }, "\(result.warnings)")
  }

  @Test func `the order of a set that decides which code runs is noticed`() async {
    let result = await Explorer(executions: 2_000, strategy: .exhaustive()).run {
      await swapped(if: Array(Set(1...9)).firstIndex(of: 1)! < 4)
    }
    #expect(!result.isExhaustive, "\(result)")
    #expect(result.warnings.first?.hasPrefix("The body is not deterministic: ") == true, "\(result)")
  }

  @Test func `a search proves nothing where chance decides what tasks of the same code get`() async {
    let result = await listing { ["a", "b", "c"].shuffled() }
    #expect(!result.isExhaustive, "\(result)")
    #expect(result.warnings.first?.hasPrefix("The body is not deterministic: ") == true, "\(result)")
  }

  @Test func `a search proves nothing where the order of a set decides that`() async {
    let result = await listing { Array(Set(["a", "b", "c"])) }
    #expect(!result.isExhaustive, "\(result)")
    #expect(result.warnings.first?.hasPrefix("The body is not deterministic: ") == true, "\(result)")
  }

  @Test func `a search is a proof where tasks of the same code get the same in each execution`() async {
    let result = await listing { ["a", "b", "c"] }
    #expect(result.isExhaustive, "\(result)")
    #expect(result.warnings.isEmpty)
  }

  @Test func `a search goes on where a task has captured a pack of generic values`() async {
    let result = await Explorer(executions: 10_000, strategy: .exhaustive()).run { await copyInTasks(1, "a", true) }
    #expect(result.isExhaustive, "\(result)")
  }

  /// The result of a search for all orders in which tasks of the same code may enter an actor.
  private func listing(_ names: @escaping @Sendable () -> [String]) async -> Exploration {
    await Explorer(executions: 10_000, strategy: .exhaustive()).run {
      let list = List()
      await withTaskGroup { group in
        for name in names() { group.addTask { await list.append(name) } }
      }
    }
  }

  @Test func `what is made once and kept is in the way of a proof, and is no warning elsewhere`() async {
    #expect(await warnings(.exhaustive()).first?.contains("cause: something is made once and kept") == true)
    #expect(await warnings(.portfolio) == [])
  }

  /// The warnings of an exploration whose first execution makes the cell that the others find.
  private func warnings(_ strategy: Explorer.Strategy) async -> [String] {
    let kept = Mutex<Cell?>(nil)
    let result = await Explorer(executions: 100, strategy: strategy).run {
      let cell = kept.withLock { $0 }
      if let cell { return await swapped(if: true, cell) }
      let new = Cell()
      await new.set(0)
      await Task { await new.set(2) }.value
      kept.withLock { $0 = new }
    }
    #expect(!result.isExhaustive)
    return result.warnings
  }

  @Test(arguments: strategies)
  func `a deterministic body has no warning, and a small one is proven`(_ strategy: Explorer.Strategy) async {
    let result = await Explorer(executions: 2_000, strategy: strategy).run { await swapped(if: true) }
    #expect(result.warnings.isEmpty, "\(result.warnings)")
    #expect(result.isExhaustive == (strategy == .exhaustive()))
  }

  @Test func `a failure by a counter that outlives the body is blamed on that`() async throws {
    let calls = Calls()
    let result = await Explorer(executions: 1_000).run {
      let call = calls.next()
      await swapped(if: true)
      #expect(call < 40)
    }
    let failure = try #require(result.failure)
    #expect(failure.report.hasPrefix("State outlives the body: execution 1 passed"), "\(failure.report)")
    #expect(!failure.report.contains("no special order"))
    #expect(failure.report.split(separator: "\n").count { $0.hasPrefix("Likely cause: ") } == 1)
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "queues are tasks of the schedule where steps are split"))
  func `state is not blamed where another thread takes part`() async throws {
    let calls = Calls()
    let result = await Explorer(executions: 1_000, strategy: .random).run {
      let call = calls.next()
      await resumedElsewhere()
      #expect(call < 40)
    }
    let failure = try #require(result.failure)
    #expect(!failure.report.contains("State outlives the body"), "\(failure.report)")
    #expect(failure.report.contains("Lost control: "))
  }

  /// The failure of the 40th call, where another thread takes part in some calls.
  private static func failure(
    withThreadIn isElsewhere: @escaping @Sendable (Int) -> Bool
  ) async throws -> Exploration.Failure {
    let calls = Calls()
    let result = await Explorer(executions: 1_000, strategy: .random).run {
      let call = calls.next()
      if isElsewhere(call) { await resumedElsewhere() }
      #expect(call < 40)
    }
    return try #require(result.failure)
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "queues are tasks of the schedule where steps are split"))
  func `state is not blamed where another thread took part in between`() async throws {
    // The first execution runs twice; the replays come after the failure.
    let failure = try await Self.failure { (3..<40).contains($0) }
    #expect(!failure.report.contains("State outlives the body"), "\(failure.report)")
    #expect(failure.report.contains("Lost control: "))
  }

  @Test(
    .disabled(if: Instrumentation.splitsSteps, "queues are tasks of the schedule where steps are split"),
    arguments: [0, 1])
  func `state is not blamed where another thread takes part in some replays`(_ parity: Int) async throws {
    let failure = try await Self.failure { $0 > 40 && $0 % 2 == parity }
    #expect(!failure.report.contains("State outlives the body"), "\(failure.report)")
  }

  @Test(arguments: [30, 1_000])
  func `a result by itself warns of state that outlives the body`(_ executions: Int) async {
    let calls = Calls()
    let result = await Explorer(executions: executions).run {
      let call = calls.next()
      await swapped(if: true)
      #expect(call < 20)
    }
    #expect(result.failure != nil)
    #expect(result.warnings.first?.hasPrefix("State outlives the body: execution 1 passed") == true)
  }

  /// The second call is the repetition of the first execution.
  @Test(arguments: 1...4) func `a body that fails at one of its first calls alone fails`(_ call: Int) async throws {
    let calls = Calls()
    let result = await Explorer(executions: 100, seed: 1).run { #expect(calls.next() != call) }
    let failure = try #require(result.failure)
    #expect(failure.report.hasPrefix("The body is not deterministic"), "\(failure.report)")
  }

  @Test func `a failure by chance is said to be one in its first sentence`() async throws {
    let calls = Calls()
    let result = await Explorer(executions: 1_000).run {
      let call = calls.next()
      await swapped(if: true)
      #expect(call % 50 != 0)
    }
    let failure = try #require(result.failure)
    #expect(
      failure.report.hasPrefix("The body is not deterministic: the failure did not come again"), "\(failure.report)")
    #expect(failure.report.contains("\nLikely cause: the time of day, unseeded randomness, "))
    #expect(!failure.report.contains("no special order"))
  }

  /// The rest passes whatever the order, so that an order seems to decide where it is tried once.
  @Test(arguments: [2, 4, 8, 32] as [UInt64])
  func `no order is said to decide about a failure by chance`(oneIn: UInt64) async throws {
    for seed in 1...50 as ClosedRange<UInt64> {
      let chance = Mutex(SplitMix64(seed: seed))
      let failure = await Explorer(executions: 100, seed: seed).run {
        await swapped(if: true)
        let passes = chance.withLock { $0.next() % oneIn } == 0
        #expect(passes)
      }.failure
      let found = try #require(failure)
      #expect(found.decisivePair == nil, "seed \(seed): \(found.report)")
    }
  }

  @Test func `an order that has passed, and fails when it is run again, decides about nothing`() async throws {
    let passes = Calls()
    let hasFailed = Mutex(false)
    let failure = await Explorer(executions: 100, shrinks: false).run {
      let cell = Cell()
      await swapped(if: true, cell)
      let isLost = await cell.value == 0
      if isLost { hasFailed.withLock { $0 = true } }
      // Of five passing executions in a row, one fails.
      let fails = isLost || hasFailed.withLock { $0 } && passes.next() % 5 == 0
      #expect(!fails)
    }.failure
    let found = try #require(failure)
    #expect(found.decisivePair == nil)
    #expect(found.doubt?.summary.contains("in another order it passed, and failed when the same was run again") == true)
  }

  @Test func `a replay that passes in the build of its token says so`() async throws {
    let fails = Mutex(true)
    let body: @Sendable () async throws -> Void = {
      await swapped(if: true)
      #expect(!fails.withLock { $0 })
    }
    let failure = try #require(await Explorer(executions: 10).run(body).failure)
    let again = await Explorer(strategy: .replay(failure.schedule)).run(body)
    #expect(again.failure?.messages == failure.messages)
    #expect(again.warnings.isEmpty)
    fails.withLock { $0 = false }
    let other = await Explorer(strategy: .replay(failure.schedule)).run(body)
    #expect(other.warnings.first?.hasPrefix("The replay passes, though this very build") == true, "\(other.warnings)")
  }

  #if os(Linux)
  @Test func `a replay of a livelock has the time that it takes`() async throws {
    let body: @Sendable () async -> Void = { while true { await Task.yield() } }
    let token = try #require(await Explorer(executions: 1).run(body).failure?.schedule)
    var settings = RunSettings()
    settings.timeBudget = .milliseconds(1)
    let replay = await Explorer(strategy: .replay(token)).adjusted(by: settings).run(body)
    #expect(replay.failure?.diagnostics.first?.kind == .livelock)
    #expect(replay.warnings == [])
  }

  @Test func `the date is noticed where it decides`() async {
    let result = await Explorer(executions: 1_000, strategy: .random).run {
      await swapped(if: Int(Date().timeIntervalSince1970 * 1_000_000) % 2 == 0)
    }
    #expect(!result.isExhaustive)
    #expect(result.executions == 1_000)
  }
  #endif
}

@Suite struct ExhaustiveDrawTests {
  @Test func `an exhaustive search draws anew when it has run all schedules of the values`() async throws {
    let drawn = Recorder<Int>()
    let result = await Explorer(executions: 500, strategy: .exhaustive()).run {
      drawn.record(Execution.draw(.int(in: 0...9)))
      await swapped(if: true)
    }
    #expect(result.executions == 500)
    #expect(Set(drawn.events).count == 10)
    #expect(!result.isExhaustive)
    #expect(result.warnings.isEmpty, "\(result.warnings)")
  }

  @Test func `a value that fails with one order alone is found by an exhaustive search`() async throws {
    let result = await Explorer(executions: 10_000, strategy: .exhaustive()).run {
      let cell = Cell()
      let value = Execution.draw(.int(in: 0...99), "value")
      let first = Task { await cell.set(1) }
      let second = Task { await cell.set(2) }
      _ = await (first.value, second.value)
      let last = await cell.value
      #expect(value != 42 || last == 2)
    }
    let failure = try #require(result.failure)
    #expect(failure.draws == ["value = 42"])
    #expect(failure.doubt == nil)
  }

  @Test func `a search that does not come to its end warns that it has drawn once`() async {
    let result = await Explorer(executions: 50, strategy: .exhaustive()).run {
      let times = Execution.draw(.int(in: 5...6))
      let cell = Cell()
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { for _ in 0..<times { await cell.set(1) } } }
      }
    }
    #expect(result.warnings.first?.hasPrefix("All 50 executions drew the same values") == true, "\(result.warnings)")
  }
}
