// SPDX-License-Identifier: Apache-2.0

@_spi(Benchmarks) import NapkinTesting
import Testing

@Suite struct UniformTests {
  /// A task of two steps and one of six interleave in 8! / (2! · 6!) = 28 ways.
  ///
  /// Of 5,600 executions 200 fall on each, with a standard deviation of 14; the bounds are more than five of them away.
  @Test(.disabled(if: Instrumentation.splitsSteps, "it counts schedules of whole steps"))
  func `all interleavings of a short and a long task are equally likely`() async {
    let tally = Tally()
    _ = await Explorer(executions: 5_600, strategy: .uniform, seed: 1).run(stepping([2, 6], into: tally))
    #expect(tally.counts.count == 28)
    #expect(tally.counts.allSatisfy { 125...285 ~= $0 }, "\(tally.counts)")
  }

  /// A task of three steps, and a task of one step that starts one of three: 7! / (3! · 4!) = 35 orders.
  ///
  /// Of 7,000 executions 200 fall on each, with a standard deviation of 14; the bounds are five of them away.
  @Test(.disabled(if: Instrumentation.splitsSteps, "it counts schedules of whole steps"))
  func `a task that starts another one has the odds of both`() async {
    let tally = Tally()
    _ = await Explorer(executions: 7_000, strategy: .uniform, seed: 1).run {
      let steps = Steps()
      let other = Task { await take("A", times: 3, into: steps) }
      let starter = Task {
        steps.take("B")
        return Task { await take("C", times: 3, into: steps) }
      }
      await other.value
      await starter.value.value
      tally.count(steps.text)
    }
    #expect(tally.counts.count == 35)
    #expect(tally.counts.allSatisfy { 130...270 ~= $0 }, "\(tally.counts)")
  }

  /// Two tasks of one step start one of one step and one of four: 7! / (2! · 5!) = 21 orders, in which either is started first.
  ///
  /// Of 4,200 executions 200 fall on each, with a standard deviation of 14; the bounds are five of them away.
  @Test(.disabled(if: Instrumentation.splitsSteps, "it counts schedules of whole steps"))
  func `a task keeps its odds although its number changes from one execution to the next`() async {
    let tally = Tally()
    _ = await Explorer(executions: 4_200, strategy: .uniform, seed: 1).run {
      let steps = Steps()
      let starters = [("A", 1), ("B", 4)].map { name, times in
        Task {
          steps.take(name.lowercased())
          return Task { await take(name, times: times, into: steps) }
        }
      }
      for starter in starters { await starter.value.value }
      tally.count(steps.text)
    }
    #expect(tally.counts.count == 21)
    #expect(tally.counts.allSatisfy { 130...270 ~= $0 }, "\(tally.counts)")
  }
}

private func take(_ step: String, times: Int, into steps: Steps) async {
  for number in 0..<times {
    if number > 0 { await Task.yield() }
    steps.take(step)
  }
}
