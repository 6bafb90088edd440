// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private struct Broken: Error {}

@Suite struct ExplorationDescriptionTests {
  /// Two tasks that yield: a few orders, and no more.
  @Sendable private static func few() async {
    async let first: Void = Task.yield()
    async let second: Void = Task.yield()
    _ = await (first, second)
  }

  /// The description of an exploration, without the time that it took.
  private func lines(_ exploration: Exploration) -> [String] {
    exploration.description.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("time") }
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "it compares a text that says more where steps are split"))
  func `a table says what was run, and how far it has saturated`() async {
    let exploration = await Explorer(executions: 1_000, strategy: .random, seed: 1).run(Self.few)
    #expect(
      lines(exploration) == [
        "result      no failure",
        "executions  1,000",
        "steps       \(exploration.steps / 1_000),\(String(exploration.steps % 1_000 + 1_000).dropFirst())",
        "schedules   10 different by the order of steps",
        "new ones    ███▄▃▁▁▁▁▁▁  share of new schedules in executions up to 1, 2, 4, …, 1,000",
        "saturation  about 0 % of further executions would be new (Good–Turing)",
      ])
    #expect(exploration.description.split(separator: "\n").last?.hasPrefix("time        ") == true)
  }

  @Test func `the curve is taken at powers of two and at the end, and never falls`() async {
    let exploration = await Explorer(executions: 100, strategy: .random, seed: 1).run(Self.few)
    let curve = exploration.saturation.curve
    #expect(curve.map(\.executions) == [1, 2, 4, 8, 16, 32, 64, 100])
    #expect(curve.first?.schedules == 1)
    #expect(curve.last?.schedules == exploration.distinctSchedules)
    #expect(zip(curve, curve.dropFirst()).allSatisfy { $0.schedules <= $1.schedules })
  }

  @Test func `a body with more schedules than executions is far from saturated`() async throws {
    let exploration = await Explorer(executions: 256, strategy: .random, seed: 1).run {
      await withTaskGroup { group in
        for _ in 0..<6 { group.addTask { for _ in 0..<6 { await Task.yield() } } }
      }
    }
    #expect(exploration.distinctSchedules == 256)
    #expect(exploration.saturation.estimatedUnseenProbability == 1)
    #expect(exploration.description.contains("\nnew ones    █████████  "))
    #expect(
      exploration.description.contains("\nsaturation  about 100 % of further executions would be new (Good–Turing)"))
  }

  @Test func `an exhaustive exploration leaves nothing unseen, and says so`() async {
    let exploration = await Explorer(executions: 10_000, strategy: .exhaustive()).run(Self.few)
    #expect(exploration.saturation.estimatedUnseenProbability == 0)
    #expect(
      exploration.description.contains(
        "\nschedules   \(exploration.distinctSchedules) different by the order of steps, which are all there are of whole steps\n"
      ))
    #expect(!exploration.description.contains("Good–Turing"))
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "it compares a text that says more where steps are split"))
  func `a pass says in a sentence what it was worth`() async {
    let random = await Explorer(executions: 1_000, strategy: .random, seed: 1).run(Self.few)
    #expect(
      random.worth
        == "1,000 executions, 10 different schedules by the order of steps; about 0 % of further executions would be new."
    )
    let exhaustive = await Explorer(executions: 1_000, strategy: .exhaustive()).run(Self.few)
    #expect(
      exhaustive.worth
        == "\(exhaustive.executions) executions, \(exhaustive.distinctSchedules) different schedules by the order of steps, which are all there are of whole steps."
    )
    let idle = await Explorer(executions: 20).run {}
    #expect(
      idle.worth
        == "20 executions, 1 different schedule by the order of steps; about 0 % of further executions would be new; 1 warning."
    )
    #expect(
      await Explorer(executions: 1, strategy: .fifo).run(Self.few).worth
        == "1 execution, 1 different schedule by the order of steps.")
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "it compares a text that says more where steps are split"))
  func `a failure is reported with its execution`() async {
    let exploration = await Explorer(executions: 10, strategy: .fifo).run { throw Broken() }
    #expect(
      lines(exploration) == [
        "result      execution 1 failed", "executions  1", "steps       1",
        "schedules   1 different by the order of steps",
      ])
  }
}
