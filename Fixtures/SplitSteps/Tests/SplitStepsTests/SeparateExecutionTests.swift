// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Subjects
import Synchronization
import Testing

/// Nothing of an execution is there in the next one, whatever was half-run when it ended; nor in one of another exploration.
@Suite(.serialized) struct SeparateExecutionTests {
  enum Ending: String, CaseIterable {
    case locks, leftLocks, immediateTask, mainQueue, crash

    func run() async {
      let explorer = Explorer(executions: 20, seed: 3, shrinks: false)
      switch self {
      case .locks:
        for subject in Subject.stuck { _ = await explorer.run(subject.body) }
      case .leftLocks:
        for ending in LeftLockTests.Ending.allCases { _ = await ending.run() }
      case .immediateTask:
        _ = await explorer.run { await Task.immediate { waitForever() }.value }
      case .mainQueue:
        _ = await explorer.run { DispatchQueue.main.sync { waitForever() } }
      case .crash:
        await withKnownIssue {
          await Explorer(executions: 20, seed: 3, shrinks: false, isolated: true).check { fatalError("as planned") }
        }
      }
    }
  }

  @Sendable private static func subject() async -> String {
    let exploration = await Explorer(executions: 200, seed: 1, shrinks: false).run {
      let account = Account()
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await account.deposit() } }
        for _ in 0..<2 { group.addTask { await account.withdrawAll() } }
      }
    }
    guard let failure = exploration.failure else { return "It passed." }
    return "\(exploration.executions) executions, \(failure.schedule)\n\(failure.messages)\n\(failure.timeline)"
  }

  @Test func `an exploration is what it is in a fresh process, after any other`() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let report = await SeparateExecutionTests.subject()
      FileHandle.standardError.write(Data(report.utf8))
    }
    let fresh = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(fresh.contains("Expectation failed"))
    for ending in Ending.allCases {
      await ending.run()
      let report = await Self.subject()
      #expect(fresh.contains(report), "after \(ending.rawValue): \(report)\nfresh: \(fresh)")
    }
  }

  @Test func `a task off the main actor is noticed after a main queue's block was discarded`() async {
    await #expect(processExitsWith: .failure) {
      await Ending.mainQueue.run()
      _ = await Explorer(executions: 1, strategy: .fifo).run {
        await Task.detached { MainActor.preconditionIsolated() }.value
      }
    }
  }

  @Test func `an exploration that waits for a thread keeps its race from one that begins`() async {
    let hasBegun = Flag()
    let helper = Helper(waitingFor: hasBegun)
    async let racy = Explorer(executions: 1, strategy: .fifo, shrinks: false).run {
      let counts = Counts()
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { counts.first += 1 } }
      }
      await helper.answer()
    }
    await helper.wasAsked()
    let sound = await Explorer(executions: 10, strategy: .fifo, shrinks: false).run {
      hasBegun.isReady.store(true, ordering: .releasing)
      await Task.yield()
    }
    #expect(sound.failure == nil, "\(sound.failure?.messages ?? [])")
    // The wait for a thread that the engine does not know looks like a deadlock besides.
    let failure = await racy.failure
    #expect(failure?.diagnostics.contains { $0.kind == .dataRace } == true, "\(failure?.messages ?? [])")
  }
}

private func waitForever() { DispatchSemaphore(value: 0).wait() }

private actor Account {
  private var balance = 0
  private var isEmpty = true

  func deposit() async {
    let before = balance
    await Task.yield()
    balance = before + 1
    isEmpty = false
  }

  func withdrawAll() async {
    await Task.immediate { await Task.yield() }.value
    #expect(isEmpty == (balance == 0))
    balance = 0
    await Task.yield()
    isEmpty = true
  }
}

/// A thread that is none of an execution's, and answers once a flag is set, or after some 50 ms.
private final class Helper: Sendable {
  private let asked: AsyncStream<Void>
  private let asking: AsyncStream<Void>.Continuation
  private let question = Mutex<CheckedContinuation<Void, Never>?>(nil)

  init(waitingFor flag: Flag) {
    (asked, asking) = AsyncStream.makeStream()
    Thread { [self] in
      while question.withLock({ $0 == nil }) { usleep(1_000) }
      asking.yield()
      for _ in 0..<50 where !flag.isReady.load(ordering: .acquiring) { usleep(1_000) }
      question.withLock { $0 }?.resume()
    }.start()
  }

  func answer() async { await withCheckedContinuation { continuation in question.withLock { $0 = continuation } } }

  func wasAsked() async { for await _ in asked { return } }
}
