// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// Shrinking on a scheduler of a few lines: tasks of numbered steps, one FIFO queue, ranks from a tape.
@Suite struct ShrinkerScheduleTests {
  static let seeds = 1...20 as ClosedRange<UInt64>

  /// Runs tasks of a given number of steps each and returns whose step came when.
  static func interleave(_ steps: [Int], on tape: ChoiceTape) -> [Int] {
    var left = steps
    var ready = Array(steps.indices)
    var order: [Int] = []
    while !ready.isEmpty {
      let rank = tape.next(.schedule, below: UInt64(ready.count))
      let task = ready.remove(at: Int(rank))
      order.append(task)
      left[task] -= 1
      if left[task] > 0 { ready.append(task) }
    }
    return order
  }

  /// The first random schedule that fails, shrunk.
  static func shrunk(
    _ steps: [Int],
    seed: UInt64,
    where fails: @escaping ([Int]) -> Bool
  ) async throws -> (order: [Int], result: Shrunk) {
    for index in 0..<50_000 as Range<UInt64> {
      let tape = ChoiceTape(then: .random(SplitMix64(seed: seed, index: index)))
      guard fails(interleave(steps, on: tape)) else { continue }
      let result = await Shrinker(seed: seed).shrink(tape.recorded) { candidate in
        let tape = ChoiceTape(replaying: candidate)
        return ShrinkOutcome(stillFails: fails(interleave(steps, on: tape)), consumed: tape.recorded)
      }
      return (interleave(steps, on: ChoiceTape(replaying: result.sequence)), result)
    }
    throw NothingFailed()
  }

  struct NothingFailed: Error {}

  /// How many deviations are left from each of the twenty seeds, sorted.
  static func deviations(_ steps: [Int], where fails: @escaping ([Int]) -> Bool) async throws -> [Int] {
    var deviations: [Int] = []
    for seed in seeds {
      let (_, result) = try await shrunk(steps, seed: seed, where: fails)
      #expect(!result.didExhaustBudget)
      deviations.append(result.sequence.deviations)
    }
    return deviations.sorted()
  }

  @Test(arguments: seeds) func `five tasks in one exact order take at most four deviations`(seed: UInt64) async throws {
    let (order, result) = try await Self.shrunk([1, 1, 1, 1, 1], seed: seed) { $0 == [4, 3, 2, 1, 0] }
    #expect(order == [4, 3, 2, 1, 0])
    #expect(result.sequence.deviations == 4)
  }

  @Test func `holding one task back takes one deviation a step`() async throws {
    // The second task has to come to its end before the first begins. An exhaustive search finds nothing below three.
    let deviations = try await Self.deviations([3, 3, 3]) { order in
      order.lastIndex(of: 1)! < order.firstIndex(of: 0)!
    }
    #expect(deviations[10] == 3, "the median of \(deviations)")
    #expect(deviations[19] <= 4, "the largest of \(deviations)")
  }

  @Test(arguments: seeds) func `one swap in a long program is one deviation`(seed: UInt64) async throws {
    // Some step of the last task comes before the same step of the first: depth two.
    let (_, result) = try await Self.shrunk([8, 8, 8, 8], seed: seed) { order in
      var done = [0, 0, 0, 0]
      for task in order {
        done[task] += 1
        if done[3] > done[0] { return true }
      }
      return false
    }
    #expect(result.sequence.deviations == 1)
    #expect(result.executions < 200)
  }

  @Test func `a bug that needs six deviations is left with little more`() async throws {
    // The first task is overtaken, then overtakes, then is overtaken again, by different tasks. An exhaustive search
    // finds nothing below six.
    let deviations = try await Self.deviations([6, 6, 6]) { order in
      var done = [0, 0, 0]
      var stage = 0
      for task in order {
        done[task] += 1
        switch stage {
        case 0 where done[1] >= done[0] + 2: stage = 1
        case 1 where done[0] >= done[1] + 1: stage = 2
        case 2 where done[2] >= done[0] + 1: return true
        default: break
        }
      }
      return false
    }
    #expect(deviations[10] == 6, "the median of \(deviations)")
    #expect(deviations[19] <= 8, "the largest of \(deviations)")
  }

  @Test(arguments: seeds) func `data shrinks although its schedule must change with it`(seed: UInt64) async throws {
    // As many steps as numbers, and the deviation has to be in the last one: no two lengths fail under one schedule.
    let numbers = Gen<[Int]>.array(of: .int(in: 0...1_000), count: 1...12)
    func fails(_ tape: ChoiceTape) -> (failure: Bool, values: [Int]) {
      let values = numbers.draw(from: tape)
      let ranks = values.map { _ in tape.next(.schedule, below: 3) }
      return (values.contains { $0 >= 500 } && ranks.last == 1, values)
    }
    var index: UInt64 = 0
    while true {
      let tape = ChoiceTape(then: .random(SplitMix64(seed: seed, index: index)))
      index += 1
      guard fails(tape).failure else { continue }
      let result = await Shrinker(seed: seed).shrink(tape.recorded) { candidate in
        let tape = ChoiceTape(replaying: candidate)
        return ShrinkOutcome(stillFails: fails(tape).failure, consumed: tape.recorded)
      }
      #expect(fails(ChoiceTape(replaying: result.sequence)).values == [500])
      #expect(result.sequence.deviations == 1)
      return
    }
  }
}
