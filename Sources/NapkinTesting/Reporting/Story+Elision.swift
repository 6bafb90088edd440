// SPDX-License-Identifier: Apache-2.0

extension Story {
  /// A row of the story, or a gap in it.
  package enum Piece: Sendable, Equatable {
    case row(Int)
    case gap(Range<Int>)
  }

  /// Chooses what to show of the story within so many lines, each gap a line.
  ///
  /// What tells most is kept first: issues, then the places where the schedule turned, then what was drawn and noted.
  /// Among equals those nearest to the first issue, or to the end if there is none, and what led to it before what
  /// came of it.
  package func pieces(within limit: Int) -> [Piece] {
    if rows.count <= limit { return rows.indices.map(Piece.row) }
    let heart = rows.firstIndex { $0.weight == .issue } ?? rows.count - 1
    func distance(_ index: Int) -> Int { index <= heart ? heart - index : 8 * (index - heart) }
    let order = rows.indices.sorted { left, right in
      let (first, second) = (rows[left].weight, rows[right].weight)
      if first != second { return first > second }
      let (near, far) = (distance(left), distance(right))
      return near != far ? near < far : left < right
    }
    var isKept = [Bool](repeating: false, count: rows.count)
    var lines = 1
    for index in order {
      // A row replaces the gap that it falls into by itself and by what is left of the gap on either side.
      let isGapBefore = index > 0 && !isKept[index - 1]
      let isGapAfter = index + 1 < rows.count && !isKept[index + 1]
      let added = (isGapBefore ? 1 : 0) + (isGapAfter ? 1 : 0)
      guard lines + added <= limit else { continue }
      lines += added
      isKept[index] = true
    }
    return pieces(isKept)
  }

  private func pieces(_ isKept: [Bool]) -> [Piece] {
    var pieces: [Piece] = []
    var gap = 0
    for index in rows.indices {
      guard isKept[index] else { continue }
      if gap < index { pieces.append(.gap(gap..<index)) }
      pieces.append(.row(index))
      gap = index + 1
    }
    if gap < rows.count { pieces.append(.gap(gap..<rows.count)) }
    return pieces
  }
}
