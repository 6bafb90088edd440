// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

@Suite struct ExhaustiveTests {
  /// The multinomial coefficients: (3 + 3)! / (3! · 3!), (2 + 2 + 2)! / (2! · 2! · 2!), 4!, (1 + 5)! / 5!.
  @Test(arguments: [([3, 3], 20), ([2, 2, 2], 90), ([1, 1, 1, 1], 24), ([1, 5], 6)])
  func `every interleaving is run`(lengths: [Int], orders: Int) async {
    let tally = Tally()
    let result = await Explorer(executions: 20_000, strategy: .exhaustive()).run(stepping(lengths, into: tally))
    #expect(tally.outcomes.count == orders)
    #expect(result.isExhaustive)
    #expect(result.distinctSchedules == result.executions)
  }

  /// Two tasks of three steps: one after the other in 2 orders; with one preemption either is cut in one of two places.
  @Test(arguments: [(0, 2), (1, 6), (5, 20)])
  func `a bound on preemptions leaves out what needs more`(preemptions: Int, orders: Int) async {
    let tally = Tally()
    let strategy = Explorer.Strategy.exhaustive(preemptions: preemptions)
    let result = await Explorer(executions: 20_000, strategy: strategy).run(stepping([3, 3], into: tally))
    #expect(tally.outcomes.count == orders)
    #expect(result.isExhaustive)
  }

  @Test func `an exploration that was cut short is not exhaustive`() async {
    let result = await Explorer(executions: 10, strategy: .exhaustive()).run(stepping([3, 3], into: Tally()))
    #expect(!result.isExhaustive)
  }

  /// Callers that enter different actors have nothing to order but their ends; those of one actor have every order.
  @Test(arguments: [([0, 1], 1), ([0, 0], 20), ([0, 0, 1], 20)])
  func `with the assumption, one of several equal schedules is run`(actors: [Int], orders: Int) async {
    func explored(
      _ strategy: Explorer.Strategy, atMost executions: Int
    ) async -> (result: Exploration, outcomes: Set<String>) {
      let tally = Tally()
      let result = await Explorer(executions: executions, strategy: strategy).run {
        let logs = [CallLog(), CallLog()]
        await withDiscardingTaskGroup { group in
          for (caller, actor) in actors.enumerated() {
            group.addTask { for _ in 0..<3 { await logs[actor].enter(caller) } }
          }
        }
        tally.count("\(await logs[0].callers)\(await logs[1].callers)")
      }
      return (result, tally.outcomes)
    }
    let fewer = await explored(.exhaustive(assuming: .tasksShareOnlyActors), atMost: 40_000)
    // Three callers have millions of schedules, of which as many are run as there have to be more.
    let most = actors.count < 3 ? 40_000 : 4 * fewer.result.executions + 1
    let all = await explored(.exhaustive(), atMost: most)
    #expect(fewer.result.isExhaustive)
    #expect(fewer.result.executions * 4 < all.result.executions)
    #expect(fewer.outcomes.count == orders)
    if all.result.isExhaustive { #expect(fewer.outcomes == all.outcomes) }
  }

  @Test func `a body without a choice is said to have one execution`() async {
    let exploration = await Explorer(strategy: .exhaustive()).run { await Task.yield() }
    #expect(exploration.isExhaustive)
    #expect(exploration.warnings.contains { $0.contains("there is one execution of it") })
  }

  @Test func `a pass names the assumption`() async {
    let strategy = Explorer.Strategy.exhaustive(assuming: .tasksShareOnlyActors)
    let result = await Explorer(executions: 20_000, strategy: strategy).run(stepping([1, 1], into: Tally()))
    #expect("\(result)".contains(", which are all there are of whole steps if tasks share only actors\n"))
  }

  /// With one preemption two tasks of twelve steps come in 24 orders, and that without one comes before those.
  @Test func `what needs fewer preemptions is run first`() async {
    let result = await Explorer(executions: 20_000, strategy: .exhaustive(), shrinks: false).run {
      let cell = Cell()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            let seen = cell.value.withLock { $0 }
            for _ in 0..<10 { await Task.yield() }
            cell.value.withLock { $0 = seen + 1 }
          }
        }
      }
      #expect(cell.value.withLock { $0 } == 2)
    }
    #expect(result.failure != nil)
    #expect(result.executions < 30)
  }
}

private final class Cell: Sendable {
  let value = Mutex(0)
}

private actor CallLog {
  private(set) var callers: [Int] = []
  func enter(_ caller: Int) { callers.append(caller) }
}
