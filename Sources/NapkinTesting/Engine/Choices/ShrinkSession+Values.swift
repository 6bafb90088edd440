// SPDX-License-Identifier: Apache-2.0

extension ShrinkSession {
  /// Makes the numbers of the data smaller, whole spans first, then one by one, then several together.
  nonisolated(nonsending) func lowerData() async {
    await zeroSpans()
    await lowerEach()
    await lowerEqual()
    await lowerPairs()
  }

  /// Zeroes all choices of a span at once.
  private nonisolated(nonsending) func zeroSpans() async {
    var index = 0
    while index < best.spans.count, !isSpent {
      let range = best.spans[index].range
      if best.data[range].contains(where: { $0.value != 0 }) {
        var candidate = best
        for position in range { candidate.data[position].value = 0 }
        _ = await attemptData(candidate)
      }
      index += 1
    }
  }

  private nonisolated(nonsending) func lowerEach() async {
    var index = 0
    while index < best.data.count, !isSpent {
      await lower([index])
      index += 1
    }
  }

  /// Lowers numbers that are equal by the same amount, so that they stay equal.
  private nonisolated(nonsending) func lowerEqual() async {
    var index = 0
    while index < best.data.count, !isSpent {
      let value = best.data[index].value
      if value > 0 {
        let equal = best.data.indices.filter { best.data[$0].value == value && best.data[$0].bound != 2 }
        if equal.count > 1, equal.first == index { await lower(equal) }
      }
      index += 1
    }
  }

  private static let strides: [UInt64] = [2, 1] + Array(3...16)

  /// Searches for the least value of the choices at `indices`, which are equal.
  ///
  /// By halving, and then in steps of two, of one, and of up to sixteen: neighbouring numbers may stand for values of
  /// different sign, and a failure of every second or every seventh one misleads a search that looks at all of them.
  private nonisolated(nonsending) func lower(_ indices: [Int]) async {
    guard let first = indices.first, best.data[first].value > 0 else { return }
    if await attemptData(setting(indices, to: 0)) { return }
    var low: UInt64 = 0
    while let last = indices.last, last < best.data.count, low + 1 < best.data[first].value {
      let middle = low + (best.data[first].value - low) / 2
      if await !attemptData(setting(indices, to: middle)) { low = middle }
    }
    for step in Self.strides {
      guard let last = indices.last, last < best.data.count else { return }
      let start = best
      let value = start.data[first].value
      await climb { count in
        let (drop, overflow) = count.multipliedReportingOverflow(by: step)
        guard !overflow, drop <= value else { return false }
        var candidate = start
        for index in indices { candidate.data[index].value = value - drop }
        return await self.attempt(candidate)
      }
    }
  }

  private func setting(_ indices: [Int], to value: UInt64) -> ChoiceSequence {
    var candidate = best
    for index in indices { candidate.data[index].value = value }
    return candidate
  }

  /// Lowers two numbers together, so that their difference stays, or one at the cost of the other, so that the sum does.
  private nonisolated(nonsending) func lowerPairs() async {
    var left = 0
    while left < best.data.count, !isSpent {
      if best.data[left].value > 0, best.data[left].bound != 2 {
        let partners = best.data.indices.filter { $0 > left && best.data[$0].bound != 2 }.prefix(4)
        for right in partners {
          await lowerPair(left, right, step: 1)
          await lowerPair(left, right, step: 2)
          await shift(left, right)
        }
      }
      left += 1
    }
  }

  private nonisolated(nonsending) func lowerPair(_ left: Int, _ right: Int, step: UInt64) async {
    guard right < best.data.count else { return }
    let start = best
    await climb { count in
      let (drop, overflow) = count.multipliedReportingOverflow(by: step)
      guard !overflow, drop <= start.data[left].value, drop <= start.data[right].value else { return false }
      var candidate = start
      candidate.data[left].value -= drop
      candidate.data[right].value -= drop
      return await self.attempt(candidate)
    }
  }

  /// Moves as much as it can from the left number to the right one, in steps of one, then of two; see `lower(_:)`.
  private nonisolated(nonsending) func shift(_ left: Int, _ right: Int) async {
    for step in [1, 2] as [UInt64] {
      guard right < best.data.count else { return }
      let start = best
      if await moved(start.data[left].value / step * step, from: left, to: right, in: start) { continue }
      await climb { count in
        let (amount, overflow) = count.multipliedReportingOverflow(by: step)
        return overflow ? false : await self.moved(amount, from: left, to: right, in: start)
      }
    }
    // The last number of a range around zero is an end of it, and one step from its neighbour rather than two.
    guard right < best.data.count, best.data[right].bound != Choice.unlimited else { return }
    for drop in [1, 2] as [UInt64] where best.data[left].value >= drop {
      var candidate = best
      candidate.data[left].value -= drop
      candidate.data[right].value = candidate.data[right].bound - 1
      _ = await attempt(candidate)
    }
  }

  private nonisolated(nonsending) func moved(
    _ amount: UInt64,
    from left: Int,
    to right: Int,
    in start: ChoiceSequence
  ) async -> Bool {
    guard amount <= start.data[left].value else { return false }
    let (sum, overflow) = start.data[right].value.addingReportingOverflow(amount)
    let bound = start.data[right].bound
    guard !overflow, bound == Choice.unlimited || sum < bound else { return false }
    var candidate = start
    candidate.data[left].value -= amount
    candidate.data[right].value = sum
    return await attempt(candidate)
  }
}

extension ShrinkSession {
  /// Puts the simpler of two neighbours first, where the order does not matter.
  nonisolated(nonsending) func reorderData() async {
    for generation in generations { await sort(generation) }
    await sortValues()
  }

  /// Swaps neighbouring spans, as an insertion sort does.
  private nonisolated(nonsending) func sort(_ generation: Generation) async {
    var right = 1
    while right < siblings(generation).count, !isSpent {
      let row = siblings(generation)
      let (first, second) = (row[right - 1].range, row[right].range)
      var candidate = best
      let between = best.data[first.upperBound..<second.lowerBound]
      candidate.data.replaceSubrange(
        first.lowerBound..<second.upperBound,
        with: best.data[second] + between + best.data[first]
      )
      right = await attempt(candidate) ? max(1, right - 1) : right + 1
    }
  }

  /// Swaps neighbouring numbers that are drawn from the same range.
  private nonisolated(nonsending) func sortValues() async {
    var left = 0
    while left < best.data.count, !isSpent {
      let choice = best.data[left]
      if choice.value > 0, choice.bound != 2 {
        let right = best.data.indices.first { $0 > left && best.data[$0].bound == choice.bound }
        if let right {
          var candidate = best
          candidate.data.swapAt(left, right)
          _ = await attempt(candidate)
        }
      }
      left += 1
    }
  }
}
