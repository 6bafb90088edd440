// SPDX-License-Identifier: Apache-2.0

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
