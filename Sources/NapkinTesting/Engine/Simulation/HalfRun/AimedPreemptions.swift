// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Chooses the accesses at which the tasks of an execution are preempted.
///
/// Most are accesses to an address that several tasks came to in an earlier execution, one of them to write; some are any at
/// all, since an access may be shared in an interleaving only that was not seen yet. An execution has few of them: most bugs need one
/// or two preemptions (Musuvathi and Qadeer, PLDI 2007). In an execution with more than 65,536 accesses and ends of memory,
/// shared addresses are known of the first ones alone, and of 4,096 accesses to them at most; the others are any.
final class AimedPreemptions {
  private var candidates: [napkin_candidate] = []
  // Where the accesses of each address begin in it.
  private var groups: [Range<Int>] = []
  // How many accesses each task had.
  private var lengths: [Int64] = []
  private var executions = 0

  // Every execution up to the first number is looked at, and every one of the second number after that.
  // To see the callers of a call costs more than to note an address.
  private static let closely = Instrumentation.splitsSteps ? 16 : 3
  private static let nowAndThen = 8

  /// Whether jobs are stopped at calls in an execution, where steps are not split: threads make it slower.
  ///
  /// Of five in a row one, so that each of the six places of the portfolio has its share.
  static func stops(in number: Int) -> Bool { number % 5 == 2 }

  /// The accesses of the execution that begins, and whether its own are to be looked at.
  func begin(seed: SplitMix64) -> (points: [napkin_point], learns: Bool) {
    var random = seed
    executions += 1
    let learns = executions <= Self.closely || executions % Self.nowAndThen == 0
    // The first execution finds the accesses.
    guard executions > 1 else { return ([], learns) }
    let count = Self.numbers(executions)[Int(random.next(below: 8))]
    if count == Self.most { return (half(&random), learns) }
    return ((0..<count).compactMap { _ in point(&random) }, learns)
  }

  /// How many preemptions an execution has, each of them as likely.
  ///
  /// An outcome that takes three stops comes late: once others have been tried for long, there are more of them.
  private static func numbers(_ executions: Int) -> [Int] {
    if Instrumentation.splitsSteps { return [0, 1, 1, 1, 2, 2, 2, 3] }
    return executions <= 64 ? [1, 1, 1, 2, 2, 3, 4, most] : [1, 2, 3, 3, 4, most, most, most]
  }

  /// About half of the calls that are known, or as many of them as can be had.
  private func half(_ random: inout SplitMix64) -> [napkin_point] {
    let share = UInt64(max(2, candidates.count / Self.most))
    return candidates.filter { _ in random.next(below: share) == 0 }.map(\.point)
  }

  // Tasks that go on side by side are stopped at many of their calls.
  private static let most = 32

  /// The execution that has begun is run again.
  func takeBack() { executions -= 1 }

  private func point(_ random: inout SplitMix64) -> napkin_point? {
    guard !groups.isEmpty, random.next(below: 8) != 0 else { return anyPoint(&random) }
    let group = groups[Int(random.next(below: UInt64(groups.count)))]
    return candidates[group.lowerBound + Int(random.next(below: UInt64(group.count)))].point
  }

  private func anyPoint(_ random: inout SplitMix64) -> napkin_point? {
    let all = lengths.reduce(0, +)
    guard all > 0 else { return nil }
    var number = Int64(random.next(below: UInt64(all)))
    for (task, length) in lengths.enumerated() {
      if number < length { return napkin_point(task: Int32(task), number: number + 1) }
      number -= length
    }
    return nil
  }

  /// Learns from the execution that has ended, if it was looked at.
  func end(_ counts: OpaquePointer, tasks: Int, hasLearned: Bool) {
    guard hasLearned else { return }
    lengths = (0..<tasks).map { napkin_accesses_of(counts, Int32($0)) }
    var count = 0
    guard let found = napkin_find_candidates(counts, &count) else { return }
    candidates = Array(UnsafeBufferPointer(start: found, count: count))
    groups = []
    var start = 0
    for index in 1...count where index == count || found[index].group != found[start].group {
      groups.append(start..<index)
      start = index
    }
  }
}

extension Preemption {
  var point: napkin_point { napkin_point(task: task, number: number) }
}
