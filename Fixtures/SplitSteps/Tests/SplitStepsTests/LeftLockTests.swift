// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Subjects
import Testing

/// A lock that a task leaves locked is held in its execution, and in no other one.
@Suite(.serialized) struct LeftLockTests {
  enum Ending: String, CaseIterable, Codable, Sendable {
    case returned, threw, abandoned, discarded

    /// Ends 20 executions so, each with a lock that is locked, and given back but for that; returns the failure.
    func run() async -> Exploration.Failure? {
      await Explorer(executions: 20, seed: 3, shrinks: false).run {
        let lock = NSLock()
        leaveLocked(lock)
        switch self {
        case .returned: return
        case .threw: throw CancellationError()
        case .abandoned: await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        case .discarded: DispatchSemaphore(value: 0).wait()
        }
      }.failure
    }
  }

  /// What is reported of locks: of those that two tasks wait for, and of those that they have at a race.
  @Sendable private static func subject() async -> String {
    var lines: [String] = []
    for subject in Subject.others + Subject.races {
      for seed in 1...3 as ClosedRange<UInt64> {
        let failure = await Explorer(executions: 200, seed: seed, shrinks: false).run(subject.body).failure
        lines.append("\(subject): \(failure?.schedule ?? "") \(failure?.messages.joined() ?? "passes")")
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test func `reports of locks are those of a fresh process, after any locks were left`() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      FileHandle.standardError.write(Data(await LeftLockTests.subject().utf8))
    }
    let fresh = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(fresh.contains("Deadlock: ") && fresh.contains("Data race: "))
    for ending in Ending.allCases {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        [ending = ending as Ending] in
        _ = await ending.run()
        FileHandle.standardError.write(Data(await LeftLockTests.subject().utf8))
      }
      let report = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
      #expect(report == fresh, "after \(ending.rawValue)")
    }
  }

  @Test func `a deadlock after locks were left locked does not unlock them`() async throws {
    await #expect(processExitsWith: .success) {
      let locks = (0..<20).map { _ in NSLock() }
      let passed = await Explorer(executions: 1, strategy: .fifo).run { for lock in locks { leaveLocked(lock) } }
      let stuck = try #require(Subject.others.first { $0.name == "two NSLocks" })
      for seed in 1...10 as ClosedRange<UInt64> {
        let failure = await Explorer(executions: 200, seed: seed, shrinks: false).run(stuck.body).failure
        try #require(failure?.diagnostics.map(\.kind) == [.deadlock])
      }
      let areLocked = locks.allSatisfy { !$0.try() }
      precondition(passed.failure == nil && areLocked)
    }
  }

  @Test func `a race after a task has left a lock locked is with no lock of another task`() async throws {
    let failure = try #require(
      await Explorer(executions: 1, strategy: .fifo, shrinks: false).run {
        let lock = NSLock()
        let counts = Counts()
        await Task { leaveLocked(lock) }.value
        async let first: Void = { counts.first += 1 }()
        async let second: Void = { counts.first += 1 }()
        _ = await (first, second)
      }.failure)
    let summary = try #require(failure.diagnostics.first?.summary)
    #expect(!summary.contains("with the lock") && summary.contains("with no lock"), "\(summary)")
  }

  @Test func `a deadlock names the task that has left the lock locked`() async throws {
    let failure = try #require(
      await Explorer(executions: 1, strategy: .fifo, shrinks: false).run {
        let lock = NSLock()
        await Task { leaveLocked(lock) }.value
        await Task { take(lock) }.value
      }.failure)
    let summary = try #require(failure.diagnostics.first?.summary)
    let waits = #/task 2 waits for a lock .*take\(_:\), which task 1 has taken at .*leaveLocked\(_:\)/#
    #expect(summary.contains(waits), "\(summary)")
  }

  @Test(.timeLimit(.minutes(60)), arguments: [true, false])
  func `a lock that a thread has left locked at its end is waited for as a deadlock`(_ isLater: Bool) async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [isLater = isLater as Bool] in
      let lock = NSLock()
      let leave: @Sendable (NSLock) -> Void = { lock in
        let hasLocked = DispatchSemaphore(value: 0)
        Thread {
          leaveLocked(lock)
          hasLocked.signal()
        }.start()
        wait(for: hasLocked)
      }
      let explorer = Explorer(executions: 1, strategy: .fifo, shrinks: false)
      if isLater { _ = await explorer.run { leave(lock) } }
      let failure = await explorer.run {
        let lock = isLater ? lock : NSLock()
        if !isLater { leave(lock) }
        take(lock)
      }.failure
      FileHandle.standardError.write(Data((failure?.messages.joined() ?? "It passed.").utf8))
    }
    let report = String(decoding: result.standardErrorContent, as: UTF8.self)
    let holder = isLater ? "which no task has taken in this execution" : "which task 1 has taken at "
    #expect(report.hasPrefix("Deadlock: ") && report.contains(holder), "\(report)")
  }

  @Test func `a discarded task does not unlock a lock whose memory has another use by then`() async {
    let memory = Memory()
    let exploration = await Explorer(executions: 1, strategy: .fifo, shrinks: false).run {
      let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      pthread_mutex_init(lock, nil)
      pthread_mutex_lock(lock)
      lock.deallocate()
      let other = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      precondition(other == lock)
      memset(other, 0, MemoryLayout<pthread_mutex_t>.size)
      memory.bytes = UnsafeRawBufferPointer(start: other, count: MemoryLayout<pthread_mutex_t>.size)
      DispatchSemaphore(value: 0).wait()
    }
    #expect(exploration.failure?.diagnostics.map(\.kind) == [.deadlock])
    #expect(memory.bytes?.allSatisfy { $0 == 0 } == true)
  }
}

private final class Memory: @unchecked Sendable {
  var bytes: UnsafeRawBufferPointer?
}

private func leaveLocked(_ lock: NSLock) { lock.lock() }

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

private func take(_ lock: NSLock) {
  lock.lock()
  lock.unlock()
}
