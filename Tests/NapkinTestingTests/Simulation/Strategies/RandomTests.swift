// SPDX-License-Identifier: Apache-2.0

@_spi(Benchmarks) import NapkinTesting
import Testing

@Suite struct RandomTests {
  /// The odds are 1 in 5! = 120.
  ///
  /// Over 100 seeds the mean has a standard error of 12; the bounds are four of them away.
  @Test(arguments: [Explorer.Strategy.random, .pct(depth: 1), .pos, .surw])
  func `five tasks of one step come in one exact order once in 120 executions`(_ strategy: Explorer.Strategy) async {
    let mean = await meanExecutions(strategy, seeds: 100, limit: 5_000) {
      let steps = Steps()
      let tasks = "ABCDE".map { name in Task { steps.take(String(name)) } }
      for task in tasks { await task.value }
      try demand(steps.text != "DBEAC", "DBEAC")
    }
    #expect(72...168 ~= mean)
  }

  /// Two tasks of 20 steps, 500 executions: about 10,000 choices, of which half change the task, with an error of 0.005.
  @Test func `a random walk changes the task at every other choice`() async {
    #expect(0.46...0.54 ~= (await shareOfSwitches(.random)))
  }

  private func shareOfSwitches(_ strategy: Explorer.Strategy) async -> Double {
    let tally = Tally()
    _ = await Explorer(executions: 500, strategy: strategy, seed: 1).run {
      let steps = Steps()
      let tasks = "AB".map { name in
        Task {
          for step in 0..<20 {
            if step > 0 { await Task.yield() }
            steps.take(String(name))
          }
        }
      }
      for task in tasks { await task.value }
      // From the first step to the last at which there still was a choice.
      var left: [Character: Int] = ["A": 20, "B": 20]
      var last: Character?
      for name in steps.text {
        if let last, left["A"] != 0, left["B"] != 0 { tally.count(last == name ? "stayed" : "switched") }
        left[name, default: 0] -= 1
        last = name
      }
    }
    guard tally.outcomes.count == 2 else { return 0 }
    let total = tally.counts.reduce(0, +)
    return Double(tally.count(of: "switched")) / Double(total)
  }
}
