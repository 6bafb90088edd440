// SPDX-License-Identifier: Apache-2.0
import Foundation
import Napkin
import NapkinTesting

// An asynchronous main would hold the main thread's executor in a way of its own; the tests run from a run loop, too.
Task { @MainActor in
  let isClean = await run(
    CommandLine.arguments.dropFirst().first ?? "", CommandLine.arguments.dropFirst(2).compactMap(Int.init))
  exit(isClean ? 0 : 1)
}
RunLoop.main.run()

/// Runs what was asked for on the real thread pool, and says whether all of it held.
@MainActor
func run(_ subject: String, _ numbers: [Int]) async -> Bool {
  switch subject {
  case "trees":
    for seed in 1...UInt64(numbers.first ?? 3) {
      let exploration = await TreeFuzzer.synthetic()
        .run(executions: numbers.dropFirst().first ?? 100, strategy: .parallel, seed: seed)
      guard isSound("synthetic trees, seed \(seed)", exploration) else { return false }
    }
    return true
  case "tasks":
    return await isSound("bound tasks", Explorer(executions: 100, strategy: .parallel, seed: 1).run(bindAndCancel))
  case "components":
    return await isSound("components", Explorer(executions: 100, strategy: .parallel, seed: 1).run(shareAComponent))
  case "planted": return await isSound("planted", Explorer(executions: 10, strategy: .parallel, seed: 1).run(race))
  default:
    print("usage: races trees [seeds [executions]] | tasks | components | planted")
    exit(2)
  }
}

func isSound(_ name: String, _ exploration: Exploration) -> Bool {
  print("\(name): \(exploration.executions) executions on the thread pool")
  fflush(nil)
  for message in exploration.failure?.messages ?? [] { print(message) }
  return exploration.failure == nil
}
