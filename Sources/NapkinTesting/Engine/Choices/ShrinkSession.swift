// SPDX-License-Identifier: Apache-2.0

/// The state of one run of the ``Shrinker``: the best sequence so far, and the sequences that were tried.
final class ShrinkSession {
  private(set) var best: ChoiceSequence
  private(set) var shrinkOrder: ChoiceSequence.ShrinkOrder
  private(set) var executions = 0
  private var duration = Duration.zero

  private let settings: Shrinker
  private let run: nonisolated(nonsending) (ChoiceSequence) async -> ShrinkOutcome
  var random: SplitMix64
  private var tried: Set<[[UInt64]]>
  private var isBudgetMissed = false

  /// How many fresh schedules may still be tried before one succeeds; without it a failure that hangs on one exact
  /// schedule would spend most of its budget on hopeless ones.
  private var retryBudget = ShrinkSession.fullRetryBudget
  private static let fullRetryBudget = 48

  /// How many fresh schedules to try when a smaller candidate no longer fails under the old one.
  private static let freshSchedules = 3

  init(
    _ failing: ChoiceSequence,
    settings: Shrinker,
    run: nonisolated(nonsending) @escaping (ChoiceSequence) async -> ShrinkOutcome
  ) {
    best = failing
    shrinkOrder = failing.shrinkOrder
    tried = [failing.canonical]
    random = SplitMix64(seed: settings.seed)
    self.settings = settings
    self.run = run
  }

  /// Whether a candidate went untried because the budget was used up.
  var isSpent: Bool { isBudgetMissed }

  func restoreRetryBudget() {
    retryBudget = Self.fullRetryBudget
  }

  /// Runs a candidate if it is smaller and new, and keeps it if it fails; returns whether it was kept.
  nonisolated(nonsending) func attempt(_ makeCandidate: @autoclosure () -> ChoiceSequence) async -> Bool {
    // A candidate can be long, so none is made once nothing more is tried.
    guard !isSpent else { return false }
    let candidate = makeCandidate()
    let candidateOrder = candidate.shrinkOrder
    guard candidateOrder < shrinkOrder, !tried.contains(candidateOrder.canonical) else { return false }
    guard executions < settings.budget, settings.timeBudget.map({ duration < $0 }) ?? true else {
      isBudgetMissed = true
      return false
    }
    tried.insert(candidateOrder.canonical)
    executions += 1
    let outcome = await run(candidate)
    duration += outcome.duration
    guard outcome.stillFails else { return false }
    // The recorded choices count: a generator may record other numbers than it was given, and more.
    let consumed = outcome.consumed.shrinkOrder
    guard consumed < shrinkOrder else { return false }
    best = outcome.consumed
    shrinkOrder = consumed
    tried.insert(consumed.canonical)
    return true
  }

  /// Runs a candidate with other data: under the old schedule, then in FIFO order, then under a few new schedules.
  nonisolated(nonsending) func attemptData(_ candidate: ChoiceSequence) async -> Bool {
    if await attempt(candidate) { return true }
    guard shrinkOrder.deviations > 0 else { return false }
    var other = candidate
    other.schedule = []
    other.cancellation = []
    other.preemption = []
    if await attempt(other) { return true }
    // Where the data is as long as before, only fewer deviations shrink it, which no fresh schedule promises.
    guard candidate.data.count < best.data.count else { return false }
    for sooner in 1...2 {
      other.schedule = schedule(sooner: sooner)
      if await attempt(other) { return true }
    }
    for _ in 0..<Self.freshSchedules where retryBudget > 0 {
      retryBudget -= 1
      other.schedule = freshSchedule()
      if await attempt(other) {
        restoreRetryBudget()
        return true
      }
    }
    return false
  }

  /// The best schedule with its last deviation some choices sooner, as less data makes fewer steps.
  private func schedule(sooner: Int) -> [Choice] {
    guard let last = best.schedule.lastIndex(where: { $0.value != 0 }), last >= sooner else { return best.schedule }
    var schedule = best.schedule
    schedule.removeSubrange(last - sooner..<last)
    return schedule
  }

  /// A schedule as long as the best one's, which deviates in one choice of three.
  private func freshSchedule() -> [Choice] {
    best.schedule.map { choice in
      let bound = choice.bound == Choice.unlimited ? 4 : choice.bound
      let isDeviation = random.chance(1, in: 3) && bound > 1
      return Choice(value: isDeviation ? 1 + random.next(below: bound - 1) : 0, bound: choice.bound)
    }
  }

  /// Finds the largest `k` for which `isGood(k)`, assuming that it is good up to there and not beyond.
  ///
  /// As in Hypothesis: one by one up to four, then doubling, then halving, so the cost is logarithmic in the answer.
  nonisolated(nonsending) func climb(_ isGood: nonisolated(nonsending) (UInt64) async -> Bool) async {
    for step in 1...4 as ClosedRange<UInt64> {
      guard await isGood(step) else { return }
    }
    var low: UInt64 = 4
    var high: UInt64 = 8
    while await isGood(high) {
      low = high
      guard high <= UInt64.max / 2 else { return }
      high *= 2
    }
    while low + 1 < high {
      let middle = low + (high - low) / 2
      if await isGood(middle) { low = middle } else { high = middle }
    }
  }

  /// Spans of one label at one depth.
  struct Generation: Hashable {
    let depth: Int
    let label: Span.Label
  }

  /// The generations of the best sequence, those that contain others first.
  var generations: [Generation] {
    Set(best.spans.map { Generation(depth: $0.depth, label: $0.label) })
      .sorted { ($0.depth, $0.label.rawValue) < ($1.depth, $1.label.rawValue) }
  }

  /// The spans of a generation in the order of the data; no two overlap.
  func siblings(_ generation: Generation) -> [Span] {
    best.spans.filter { $0.label == generation.label && $0.depth == generation.depth }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}
