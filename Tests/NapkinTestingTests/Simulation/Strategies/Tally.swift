// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization

/// Counts the outcomes of executions, over all executions of an exploration.
final class Tally: Sendable {
  private let counted = Mutex<[String: Int]>([:])

  func count(_ outcome: String) { counted.withLock { $0[outcome, default: 0] += 1 } }

  func count(of outcome: String) -> Int { counted.withLock { $0[outcome] ?? 0 } }

  var counts: [Int] { counted.withLock { $0.values.sorted() } }
  var outcomes: Set<String> { counted.withLock { Set($0.keys) } }
}

/// Tasks of a given number of steps each, with a scheduling point between two, whose order is counted.
func stepping(_ lengths: [Int], into tally: Tally) -> @Sendable () async throws -> Void {
  {
    let steps = Steps()
    let tasks = zip("ABCDEFGH", lengths).map { name, length in
      Task {
        for step in 0..<length {
          if step > 0 { await Task.yield() }
          steps.take(String(name))
        }
      }
    }
    for task in tasks { await task.value }
    tally.count(steps.text)
  }
}

/// The mean number of executions to the first failure, over seeds that count from one.
func meanExecutions(
  _ strategy: Explorer.Strategy,
  seeds: Int,
  limit: Int,
  _ body: @escaping @Sendable () async throws -> Void
) async -> Double {
  var total = 0
  for seed in 1...seeds {
    let explorer = Explorer(executions: limit, strategy: strategy, seed: UInt64(seed), shrinks: false)
    total += await explorer.run(body).executions
  }
  return Double(total) / Double(seeds)
}
