// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct ShrinkerTests {
  static let seeds = 1...20 as ClosedRange<UInt64>

  /// A schedule of `count` choices among four, random in every one.
  static func wild(_ count: Int, seed: UInt64) -> ChoiceSequence {
    var random = SplitMix64(seed: seed)
    return ChoiceSequence(schedule: (0..<count).map { _ in Choice(value: random.next(below: 4), bound: 4) })
  }

  /// Shrinks with a predicate of the candidate alone.
  static func shrink(
    _ failing: ChoiceSequence,
    budget: Int = 2_000,
    seed: UInt64 = 1,
    where fails: @escaping (ChoiceSequence) -> Bool
  ) async -> Shrunk {
    await Shrinker(seed: seed, budget: budget).shrink(failing) { candidate in
      ShrinkOutcome(stillFails: fails(candidate), consumed: candidate)
    }
  }

  @Test(arguments: seeds) func `deviations that are all needed are all that is left`(seed: UInt64) async {
    var random = SplitMix64(seed: seed, index: 1)
    let needed = Set((0..<4).map { _ in Int(random.next(below: 60)) })
    var failing = Self.wild(60, seed: seed)
    for index in needed { failing.schedule[index].value = 2 }
    let shrunk = await Self.shrink(failing) { sequence in needed.allSatisfy { sequence.schedule[$0].value >= 1 } }
    #expect(Set(shrunk.sequence.schedule.indices.filter { shrunk.sequence.schedule[$0].value != 0 }) == needed)
    #expect(shrunk.sequence.schedule.allSatisfy { $0.value <= 1 })
    #expect(!shrunk.didExhaustBudget)
    #expect(shrunk.executions < 1_100)
  }

  @Test(arguments: seeds) func `of two alternatives the one with fewer deviations is left`(seed: UInt64) async {
    var failing = Self.wild(40, seed: seed)
    for index in [3, 9, 21, 22] { failing.schedule[index].value = 1 }
    let shrunk = await Self.shrink(failing) { sequence in
      let taken = sequence.schedule.map { $0.value != 0 }
      return taken[3] && taken[9] && taken[21] || taken[22]
    }
    #expect(shrunk.sequence.deviations == 1)
  }

  @Test(arguments: seeds) func `a cancellation that matters stays and the others go`(seed: UInt64) async {
    var failing = Self.wild(30, seed: seed)
    failing.cancellation = (0..<30).map { Choice(value: $0 % 3 == 1 ? 1 : 0, bound: 2) }
    let shrunk = await Self.shrink(failing) { $0.cancellation[7].value == 1 }
    #expect(shrunk.sequence.cancellation.map(\.value) == (0..<30).map { $0 == 7 ? 1 : 0 })
    #expect(shrunk.sequence.deviations == 1)
  }

  @Test(arguments: seeds) func `a failure in FIFO order costs one execution and leaves no schedule`(seed: UInt64)
    async
  {
    let shrunk = await Self.shrink(Self.wild(1_000, seed: seed)) { _ in true }
    #expect(shrunk.sequence.deviations == 0)
    #expect(shrunk.executions == 1)
  }

  @Test(arguments: [0, 1, 7, 100]) func `it never runs more than its budget and says when that was too little`(
    budget: Int
  ) async {
    var runs = 0
    let shrunk = await Self.shrink(Self.wild(150, seed: 3), budget: budget) { sequence in
      runs += 1
      return sequence.schedule.count { $0.value != 0 } > 34
    }
    #expect(runs == budget)
    #expect(shrunk.executions == budget)
    #expect(shrunk.didExhaustBudget)
  }

  @Test func `no two candidates replay alike`() async {
    var seen: Set<[[UInt64]]> = []
    let failing = Self.wild(50, seed: 8)
    var isRepeated = false
    _ = await Self.shrink(failing) { sequence in
      if !seen.insert(sequence.canonical).inserted { isRepeated = true }
      return sequence.schedule.count { $0.value != 0 } > 5
    }
    #expect(seen.count > 20)
    #expect(!isRepeated)
  }

  @Test(arguments: seeds) func `the same seed shrinks the same way`(seed: UInt64) async {
    func trace() async -> [[[UInt64]]] {
      let generator = Gen<[Int]>.array(of: .int(in: 0...1_000), count: 0...20)
      var trace: [[[UInt64]]] = []
      let failing = Self.wild(40, seed: seed)
      let tape = ChoiceTape(then: .random(SplitMix64(seed: seed)))
      _ = generator.draw(from: tape)
      let whole = ChoiceSequence(data: tape.recorded.data, schedule: failing.schedule, spans: tape.recorded.spans)
      _ = await Shrinker(seed: seed).shrink(whole) { candidate in
        trace.append(candidate.canonical)
        let tape = ChoiceTape(replaying: candidate)
        let numbers = generator.draw(from: tape)
        var consumed = tape.recorded
        consumed.schedule = candidate.schedule
        return ShrinkOutcome(stillFails: numbers.count + candidate.deviations > 6, consumed: consumed)
      }
      return trace
    }
    let first = await trace()
    #expect(!first.isEmpty)
    #expect(await trace() == first)
  }

  @Test(arguments: seeds) func `a run that answers at random does no harm`(seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    let generator = Gen<[[Int]]>.array(of: .array(of: .int(in: -5...5), count: 0...4), count: 0...4)
    let tape = ChoiceTape(then: .random(SplitMix64(seed: seed)))
    _ = generator.draw(from: tape)
    let shrunk = await Shrinker(seed: seed, budget: 500).shrink(tape.recorded) { _ in
      let tape = ChoiceTape(then: .random(random.split()))
      _ = generator.draw(from: tape)
      for _ in 0..<random.next(below: 30) { _ = tape.next(.schedule, below: 3) }
      return ShrinkOutcome(stillFails: random.chance(1, in: 2), consumed: tape.recorded)
    }
    #expect(shrunk.executions <= 500)
    #expect(shrunk.sequence.shrinkOrder <= tape.recorded.shrinkOrder)
  }
}
