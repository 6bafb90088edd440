// SPDX-License-Identifier: Apache-2.0

extension ShrinkSession {
  /// Makes the data shorter.
  nonisolated(nonsending) func deleteData() async {
    await deleteDiscarded()
    await deleteSpans()
    await promoteChildren()
    await deleteBlocks()
  }

  /// Deletes all discarded spans at once.
  private nonisolated(nonsending) func deleteDiscarded() async {
    let discarded = best.spans.filter(\.isDiscarded)
    guard !discarded.isEmpty else { return }
    var candidate = best
    var end = Int.max
    for span in discarded.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) where span.range.upperBound <= end {
      candidate.data.removeSubrange(span.range)
      end = span.range.lowerBound
    }
    _ = await attemptData(candidate)
  }

  /// Deletes rows of siblings, as of array elements, long rows first.
  private nonisolated(nonsending) func deleteSpans() async {
    for generation in generations {
      var length = siblings(generation).count
      while length > 0, !isSpent {
        var first = 0
        while !isSpent {
          let row = siblings(generation)
          guard first + length <= row.count else { break }
          let range = row[first].range.lowerBound..<row[first + length - 1].range.upperBound
          if await !attemptData(best.deletingData(range)) { first += 1 }
        }
        length /= 2
      }
    }
  }

  /// Replaces a recursive value by a part of itself.
  private nonisolated(nonsending) func promoteChildren() async {
    var outer = 0
    while outer < best.spans.count, !isSpent {
      let whole = best.spans[outer]
      let parts = best.spans.filter {
        $0.label == whole.label && $0.range != whole.range && whole.range.contains($0.range.lowerBound)
          && $0.range.upperBound <= whole.range.upperBound
      }
      var isPromoted = false
      for part in parts where !isPromoted {
        var candidate = best
        candidate.data.replaceSubrange(whole.range, with: best.data[part.range])
        isPromoted = await attemptData(candidate)
      }
      if !isPromoted { outer += 1 }
    }
  }

  /// Deletes a few choices in a row, wherever they stand, which joins two lists or leaves out half a structure.
  private nonisolated(nonsending) func deleteBlocks() async {
    for length in [8, 4, 3, 2, 1] {
      var end = best.data.count
      while end >= length, !isSpent {
        if await attemptData(best.deletingData(end - length..<end)) {
          end = min(end, best.data.count)
        } else {
          end -= 1
        }
      }
    }
  }

  /// Lowers numbers along with a deletion, where they say how much there is or which one is meant.
  nonisolated(nonsending) func lowerAndDelete() async {
    await lowerLengths()
    await lowerIndices()
  }

  /// Lowers a choice and deletes something behind it, for a length that was drawn before its elements.
  private nonisolated(nonsending) func lowerLengths() async {
    var index = 0
    while index < best.data.count, !isSpent {
      let value = best.data[index].value
      var isShorter = false
      if value > 0, best.data[index].bound != 2 {
        let targets = best.spans.filter { $0.range.lowerBound > index }.prefix(24).map(\.range)
        for range in targets where !isShorter {
          var candidate = best.deletingData(range)
          candidate.data[index].value = value - 1
          // Deleted choices may come back as zeros; only a shorter sequence is worth another step of one.
          let count = best.data.count
          isShorter = await attempt(candidate) && best.data.count < count
        }
      }
      if !isShorter { index += 1 }
    }
  }

  /// Deletes a span and lowers all numbers of one kind by one, for those that count elements before them.
  private nonisolated(nonsending) func lowerIndices() async {
    var position = 0
    while position < best.spans.count, !isSpent {
      let range = best.spans[position].range
      let shorter = best.deletingData(range)
      var isShorter = false
      for bound in shorter.data.map(\.bound).filter({ $0 != 2 }).uniqued().prefix(4) where !isShorter {
        var candidate = shorter
        for index in candidate.data.indices where candidate.data[index].bound == bound {
          candidate.data[index].value -= min(candidate.data[index].value, 1)
        }
        let count = best.data.count
        isShorter = await attempt(candidate) && best.data.count < count
      }
      if !isShorter { position += 1 }
    }
  }
}

extension [UInt64] {
  fileprivate func uniqued() -> [UInt64] {
    var seen: Set<UInt64> = []
    return filter { seen.insert($0).inserted }
  }
}

extension ChoiceSequence {
  func deletingData(_ range: Range<Int>) -> ChoiceSequence {
    var shorter = self
    shorter.data.removeSubrange(range)
    return shorter
  }
}
