// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

#if os(macOS) || os(Linux)

private actor Account {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async throws {
    guard balance >= amount else { return }
    try await Task.sleep(for: .milliseconds(amount))
    balance -= amount
  }
}

/// Nothing of an execution is there in the next, however it ended: the same exploration is the same in a fresh process.
@Suite struct FreshExecutionTests {
  enum Ending: String, CaseIterable {
    case deadlock, livelock, error, sleeper, waitingTask, timeBudget, manyTasks, lateAnswers, preemptedPriorities

    func run() async {
      let explorer = Explorer(executions: 20, seed: 3, steps: self == .livelock ? 300 : 20_000)
      switch self {
      case .deadlock:
        _ = await explorer.run { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      case .livelock:
        _ = await explorer.run { while true { await Task.yield() } }
      case .error:
        _ = await explorer.run { throw CancellationError() }
      case .sleeper:
        _ = await explorer.run { Task { try await Task.sleep(for: .seconds(1_000)) } }
      case .waitingTask:
        _ = await explorer.run { Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } } }
      case .timeBudget:
        _ = await Explorer(executions: 1_000_000, seed: 3, time: .milliseconds(20)).run { await Task.yield() }
      case .manyTasks:
        _ = await explorer.run {
          await withTaskGroup { group in for _ in 0..<200 { group.addTask { await Task.yield() } } }
        }
      case .lateAnswers:
        _ = await explorer.run {
          let account = Account()
          Execution.answersInAnyOrder(of: account)
          async let first = account.balance
          async let second = account.balance
          _ = await (first, second)
        }
      case .preemptedPriorities:
        _ = await explorer.run {
          let account = Account()
          let tasks = [TaskPriority.low, .high].map { priority in
            Task(priority: priority) { try await account.withdraw(60) }
          }
          for task in tasks { _ = await task.result }
        }
      }
    }
  }

  @Sendable private static func subject() async -> String {
    // On a busy machine one report would lack a part of the other.
    var explorer = SearchContext(Explorer(executions: 200, seed: 1))
    explorer.shrinkingTime = .seconds(600)
    let exploration = await explorer.run {
      let account = Account()
      let tasks = ["Ada", "Bob"].map { name in
        Task(name: name) { try await account.withdraw(Execution.draw(.int(in: 50...60), "amount")) }
      }
      for task in tasks { try await task.value }
      #expect(await account.balance >= 0)
    }
    guard let failure = exploration.failure else { return "It passed." }
    return "\(exploration.executions) executions\n\(failure.report)\n\(failure.timeline)"
  }

  @Test func `an exploration is what it is in a fresh process, after any other`() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let report = await FreshExecutionTests.subject()
      FileHandle.standardError.write(Data(report.utf8))
    }
    let fresh = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(fresh.contains("Expectation failed"))
    for ending in Ending.allCases {
      await ending.run()
      let report = await Self.subject()
      #expect(fresh.contains(report), "after \(ending.rawValue): \(report)")
    }
  }
}

#endif
