// SPDX-License-Identifier: Apache-2.0

/// A scheduling decision that differs from FIFO order, an injected cancellation, or a preemption.
private struct Deviation {
  var kind = Choice.Kind.schedule
  let index: Int
  let value: UInt64
}

extension ShrinkSession {
  /// Tries FIFO order without cancellations.
  nonisolated(nonsending) func dropSchedule() async {
    _ = await attempt(best.keeping([]))
  }

  /// Makes the deviations fewer, then smaller.
  nonisolated(nonsending) func reduceSchedule() async {
    await dropSchedule()
    await DeltaDebugging.minimise(
      deviations, until: { self.isSpent },
      keep: { kept in await self.attempt(self.best.keeping(kept)) ? self.deviations : nil })
    await tryOneDeviation()
    await tryOnePreemption()
    await repairDeviations()
    await moveDeviations()
    await lowerRanks()
  }

  private var deviations: [Deviation] {
    [Choice.Kind.cancellation, .preemption, .schedule].flatMap { kind in
      best[kind].enumerated().filter { $0.element.value != 0 }.map { Deviation(kind: kind, index: $0, value: $1.value) }
    }
  }

  /// The most candidates that one search over places and ranks may look at.
  private static var searchLimit: Int { 128 }
  private static var repairLimit: Int { 512 }
  private static var taskLimit: Int32 { 16 }
  private static var sampleLimit: Int { 384 }

  /// Looks for a single deviation that replaces those left by delta debugging.
  ///
  /// Such sets are minimal only among their own subsets: to hold a task back for three steps takes three ranks, where one
  /// at the right moment may do.
  private nonisolated(nonsending) func tryOneDeviation() async {
    guard shrinkOrder.deviations > 1 else { return }
    var tries = 0
    for (index, choice) in best.schedule.enumerated() {
      for rank in ranks(below: choice.bound) {
        tries += 1
        guard tries <= Self.searchLimit else { return }
        let single = Deviation(index: index, value: rank)
        if await attempt(best.keeping([single])) { return }
      }
    }
  }

  /// Looks for a preemption alone: of tasks that do the same, the one that comes first in FIFO order has it at the same place.
  private nonisolated(nonsending) func tryOnePreemption() async {
    guard shrinkOrder.deviations > 1 else { return }
    for deviation in deviations where deviation.kind == .preemption {
      let number = Preemption(deviation.value).number
      for task in 0..<Self.taskLimit {
        let moved = Preemption(task: task, number: number).choice
        let single = Deviation(kind: .preemption, index: deviation.index, value: moved)
        if await attempt(best.keeping([single])) { return }
      }
    }
  }

  /// Removes one deviation and repairs another, or replaces both by one.
  ///
  /// A rank means another task once the queue before it has changed: with one deviation fewer, the next one often has
  /// to name a different rank, or come a choice sooner or later.
  private nonisolated(nonsending) func repairDeviations() async {
    var tries = 0
    var place = 0
    while place < deviations.count, !isSpent {
      let all = deviations
      var isRepaired = false
      for partner in all.indices where partner != place && all[partner].kind == .schedule && !isRepaired {
        let others = all.indices.filter { $0 != place && $0 != partner }.map { all[$0] }
        let near = all[partner].index
        for index in [near, near - 1, near + 1, near - 2, near + 2] where best.schedule.indices.contains(index) {
          let bound = best.schedule[index].bound
          for rank in ranks(below: bound) where !isRepaired {
            tries += 1
            guard tries <= Self.repairLimit else { return }
            let repaired = Deviation(index: index, value: rank)
            isRepaired = await attempt(best.keeping(others + [repaired]))
          }
          if isRepaired { break }
        }
      }
      place = isRepaired ? 0 : place + 1
    }
  }

  /// Moves deviations to where they are simpler: those at the end sooner, and all others later.
  ///
  /// That makes no fewer of them; it leads out of a corner in which none can be left out.
  private nonisolated(nonsending) func moveDeviations() async {
    var place = 0
    while place < deviations.count, !isSpent {
      let all = deviations
      let moving = all[place]
      let others = all.indices.filter { $0 != place }.map { all[$0] }
      for index in [moving.index - 1, moving.index + 1, moving.index - 2, moving.index + 2]
      where moving.kind == .schedule && best.schedule.indices.contains(index) {
        let bound = best.schedule[index].bound
        var isMoved = false
        for rank in ranks(below: bound).prefix(3) where !isMoved {
          let moved = Deviation(index: index, value: rank)
          isMoved = await attempt(best.keeping(others + [moved]))
        }
        if isMoved { break }
      }
      place += 1
    }
  }

  /// Draws schedules with one deviation fewer, most of them near those of the best one.
  ///
  /// A goal that no single step leads to is often found by some hundred tries: counterexamples are short, and so are
  /// their schedules.
  nonisolated(nonsending) func sampleFewerDeviations() async {
    for _ in 0..<Self.sampleLimit {
      let all = deviations.filter { $0.kind == .schedule }
      guard all.count > 1, !isSpent else { return }
      var sampled = deviations.filter { $0.kind != .schedule }
      for _ in 1..<all.count {
        let near = all[Int(random.next(below: UInt64(all.count)))].index
        let index =
          random.chance(3, in: 4)
          ? near + Int(random.next(below: 5)) - 2 : Int(random.next(below: UInt64(best.schedule.count)))
        guard best.schedule.indices.contains(index) else { continue }
        let bound = best.schedule[index].bound
        let rank = 1 + random.next(below: ranks(below: bound).upperBound)
        sampled.append(Deviation(index: index, value: rank))
      }
      _ = await attempt(best.keeping(sampled))
    }
  }

  private func ranks(below bound: UInt64) -> ClosedRange<UInt64> {
    1...(bound == Choice.unlimited ? 3 : max(1, min(bound - 1, 8)))
  }

  /// Brings each rank down as far as it goes.
  private nonisolated(nonsending) func lowerRanks() async {
    for kind in [Choice.Kind.cancellation, .schedule] {
      var index = 0
      while index < best[kind].count, !isSpent {
        let value = best[kind][index].value
        if value > 1 {
          for rank in 1..<min(value, 9) where await attempt(best.with(rank, at: index, of: kind)) { break }
        }
        index += 1
      }
    }
  }
}

extension ChoiceSequence {
  /// Returns the same data with these deviations and no others.
  fileprivate func keeping(_ deviations: [Deviation]) -> ChoiceSequence {
    var kept = self
    for kind in [Choice.Kind.schedule, .cancellation, .preemption] {
      for index in kept[kind].indices { kept[kind][index].value = 0 }
    }
    for deviation in deviations where deviation.index < kept[deviation.kind].count {
      kept[deviation.kind][deviation.index].value = deviation.value
    }
    return kept
  }

  /// Returns the same choices except one.
  func with(_ value: UInt64, at index: Int, of kind: Choice.Kind = .data) -> ChoiceSequence {
    var changed = self
    changed[kind][index].value = value
    return changed
  }
}
