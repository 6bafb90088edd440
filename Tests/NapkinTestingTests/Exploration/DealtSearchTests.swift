// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

/// The order in which tasks came.
private final class Order: Sendable {
  private let state = Mutex("")
  var text: String { state.withLock(\.self) }
  func add(_ task: Int) { state.withLock { $0 += "\(task)" } }
}

@Suite struct DealtSearchTests {
  /// The result of each machine's part, with the orders of calls that it has run.
  private func parts(
    of count: Int, _ strategy: Explorer.Strategy, executions: Int = 20_000, tasks: Int = 3, yields: Int = 2
  ) async -> (results: [Exploration], orders: [[String: Int]]) {
    var (results, orders): ([Exploration], [[String: Int]]) = ([], [])
    for index in 0..<count {
      var settings = RunSettings()
      settings.shard = RunSettings.Shard(index: index, count: count)
      let seen = Mutex<[String: Int]>([:])
      let result = await Explorer(executions: executions, strategy: strategy).adjusted(by: settings).run {
        let order = Order()
        await withTaskGroup { group in
          for task in 0..<tasks {
            group.addTask {
              for _ in 0..<yields {
                order.add(task)
                await Task.yield()
              }
            }
          }
        }
        seen.withLock { $0[order.text, default: 0] += 1 }
      }
      results.append(result)
      orders.append(seen.withLock(\.self))
    }
    return (results, orders)
  }

  @Test(arguments: [.exhaustive(), .exhaustive(preemptions: 2)] as [Explorer.Strategy])
  func `the parts of an exhaustive search have run what one machine runs`(strategy: Explorer.Strategy) async throws {
    let (whole, alone) = await parts(of: 1, strategy)
    #expect(whole[0].isExhaustive)
    for count in [2, 3, 8] { try await compare(parts(of: count, strategy), with: whole[0], alone[0]) }
  }

  private func compare(
    _ parts: (results: [Exploration], orders: [[String: Int]]), with whole: Exploration, _ alone: [String: Int]
  ) throws {
    let (results, orders) = parts
    // The way to another machine's beginning goes on in FIFO order, which may be beyond the bound.
    let together = orders.reduce(into: Set()) { $0.formUnion($1.keys) }
    #expect(together.isSuperset(of: alone.keys))
    let dealing = try #require(results[0].part)
    #expect(results.allSatisfy { $0.part == dealing && !$0.isExhaustive })
    // All machines run the executions that find the beginnings, and the repetition of the first execution.
    let most = results.map(\.executions).max() ?? 0
    #expect(most < whole.executions * 2 / results.count + 16 * results.count)
  }

  @Test func `a part that has not come to its end says so`() async {
    let (results, _) = await parts(of: 2, .exhaustive(), executions: 30)
    #expect(results.allSatisfy { $0.part == nil && !$0.isExhaustive })
  }

  @Test func `a search that is too small to be dealt out is run whole by each machine`() async {
    let (results, _) = await parts(of: 3, .exhaustive(), tasks: 2, yields: 1)
    #expect(results.allSatisfy { $0.isExhaustive && $0.part == nil })
    #expect(Set(results.map(\.executions)).count == 1)
  }

  @Test func `a machine's part is no proof in its words`() async {
    let (results, _) = await parts(of: 2, .exhaustive())
    #expect(results[0].worth.contains(", which are all of this machine's part."))
  }

  @Test func `parts of independent steps left out have the same outcomes together`() async {
    actor Log {
      var text = ""
      func add(_ name: String) { text += name }
    }
    func outcomes(of count: Int) async -> (Set<String>, [Exploration]) {
      let seen = Mutex<Set<String>>([])
      var results: [Exploration] = []
      for index in 0..<count {
        var settings = RunSettings()
        settings.shard = RunSettings.Shard(index: index, count: count)
        let explorer = Explorer(executions: 20_000, strategy: .exhaustive(assuming: .tasksShareOnlyActors))
        results.append(
          await explorer.adjusted(by: settings).run {
            let logs = [Log(), Log(), Log()]
            await withTaskGroup { group in
              for name in ["a", "b"] {
                group.addTask { for log in logs { await log.add(name) } }
              }
            }
            let text = await "\(logs[0].text) \(logs[1].text) \(logs[2].text)"
            seen.withLock { _ = $0.insert(text) }
          })
      }
      return (seen.withLock(\.self), results)
    }
    let (alone, whole) = await outcomes(of: 1)
    let (together, results) = await outcomes(of: 4)
    #expect(whole[0].isExhaustive)
    #expect(together == alone)
    #expect(Set(results.map(\.part)).count == 1 && results[0].part != nil)
  }
}
