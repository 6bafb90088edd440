// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing

/// The failure of a test's last run, in its next one.
@Suite struct ExplorerCheckTests {
  private let database: FailureDatabase
  private let key = "a test"

  init() {
    database = FailureDatabase(folder: NSTemporaryDirectory() + "napkin-failures-\(UUID().uuidString)")
  }

  @Test func `a failure is kept, replayed first by the next run, and forgotten once it passes`() async throws {
    let isBroken = Mutex(true)
    let body: @Sendable () async throws -> Void = {
      let cell = Cell()
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await cell.set(await cell.value + 1) } }
      }
      if await cell.value != 2, isBroken.withLock({ $0 }) { throw LostUpdate() }
    }
    let explorer = Explorer(executions: 1_000, seed: 4)
    let first = await explorer.runAsATest(key, keptIn: database, body)
    let token = try #require(first.failure).schedule
    #expect(database.token(for: key) == token)

    let second = await explorer.runAsATest(key, keptIn: database, body)
    #expect(second.executions == 1)
    #expect(second.failure?.schedule == token)
    #expect(second.failure?.seed == 4)
    #expect(
      second.failure?.remarks == ["It failed in an earlier run, too, and was replayed before anything else."])

    isBroken.withLock { $0 = false }
    let third = await explorer.runAsATest(key, keptIn: database, body)
    #expect(third.failure == nil)
    #expect(third.executions == 1_000)
    #expect(database.token(for: key) == nil)
  }

  @Test func `a pinned replay leaves the database alone`() async throws {
    let body: @Sendable () async throws -> Void = { throw LostUpdate() }
    let token = try #require(await Explorer(executions: 1).run(body).failure).schedule
    _ = await Explorer(strategy: .replay(token)).runAsATest(key, keptIn: database, body)
    #expect(database.token(for: key) == nil)
  }

  @Test func `a token of other arguments blames no body that it passes in`() async throws {
    let explorer = Explorer(executions: 10)
    let failing: @Sendable () async throws -> Void = {
      await Task.yield()
      throw LostUpdate()
    }
    let token = try #require(await explorer.runAsATest(key + " [1]", keptIn: database, failing).failure).schedule
    let replay = Explorer(strategy: .replay(token))
    let other = await replay.runAsATest(key + " [2]") { await Task.yield() }
    #expect(other.failure == nil)
    #expect(other.warnings.map { $0.prefix { $0 != "," } } == ["The replay passes here"], "\(other.warnings)")
    let same = await replay.runAsATest(key + " [1]") { await Task.yield() }
    #expect(same.warnings.first?.hasPrefix("The replay passes, though this very build") == true, "\(same.warnings)")
    let longer = await replay.runAsATest(key + " [2]") {
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await Task.yield() } }
      }
    }
    #expect(longer.warnings.first?.contains("the token is of another test, or of this one with") == true)
  }
}

/// A body that depends on something besides its choices.
@Suite struct DivergenceTests {
  @Test func `a replay that meets another number of choices says so, and why`() async throws {
    let yields = Mutex(1)
    let body: @Sendable () async throws -> Void = {
      let count = yields.withLock { $0 }
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { for _ in 0..<count { await Task.yield() } } }
      }
      throw LostUpdate()
    }
    let token = try #require(await Explorer(executions: 1).run(body).failure).schedule
    yields.withLock { $0 = 3 }
    let failure = try #require(await Explorer(strategy: .replay(token)).run(body).failure)
    let remark = try #require(failure.remarks.first)
    #expect(remark.hasPrefix("Divergence: the replay met "))
    #expect(remark.contains("or the body depends on something besides its choices: the build is the one that recorded"))
  }

  @Test func `a replay that meets other choices and passes is a warning`() async throws {
    let yields = Mutex(1)
    let fails = Mutex(true)
    let body: @Sendable () async throws -> Void = {
      let count = yields.withLock { $0 }
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { for _ in 0..<count { await Task.yield() } } }
      }
      if fails.withLock({ $0 }) { throw LostUpdate() }
    }
    let token = try #require(await Explorer(executions: 1).run(body).failure).schedule
    fails.withLock { $0 = false }
    let same = await Explorer(strategy: .replay(token)).run(body)
    #expect(same.failure == nil)
    #expect(same.warnings.count == 1)
    #expect(same.warnings.first?.hasPrefix("The replay passes, though this very build") == true)
    yields.withLock { $0 = 3 }
    let other = await Explorer(strategy: .replay(token)).run(body)
    #expect(other.failure == nil)
    #expect(other.warnings.count == 1)
    #expect(other.warnings.first?.hasPrefix("Divergence: the replay met ") == true)
  }

  @Test func `a rank that is out of reach is a divergence, too`() async throws {
    let tasks = Mutex(3)
    let fails = Mutex(true)
    let body: @Sendable () async throws -> Void = {
      let order = Recorder<Int>()
      let count = tasks.withLock { $0 }
      await withTaskGroup { group in
        for number in 0..<count { group.addTask { order.record(number) } }
        // As many choices with fewer tasks, since each yield of the body is one more.
        for _ in count..<3 { await Task.yield() }
      }
      if fails.withLock({ $0 }), order.events.first == count - 1 { throw LostUpdate() }
    }
    let token = try #require(await Explorer(executions: 1_000, seed: 1).run(body).failure).schedule
    fails.withLock { $0 = false }
    tasks.withLock { $0 = 2 }
    let other = await Explorer(strategy: .replay(token)).run(body)
    #expect(other.warnings.first?.hasPrefix("Divergence: ") == true)
  }

  @Test func `a failure that does not come again says so, with the usual causes`() async throws {
    let runs = Mutex(0)
    let failure = try #require(
      await Explorer(executions: 10, shrinks: false).run {
        if runs.withLock({
          $0 += 1
          return $0
        }) == 3 {
          throw LostUpdate()
        }
      }.failure
    )
    #expect(failure.execution == 3)
    let first = "The body is not deterministic: the failure did not come again when the same choices were replayed"
    #expect(failure.report.hasPrefix(first), "\(failure.report)")
    #expect(failure.report.contains("SWIFT_DETERMINISTIC_HASHING"))
  }
}

private struct LostUpdate: Error {}

private actor Cell {
  private(set) var value = 0
  func set(_ newValue: Int) { value = newValue }
}
