// SPDX-License-Identifier: Apache-2.0

extension Story {
  /// A row of the story, or a gap in it.
  package enum Piece: Sendable, Equatable {
    case row(Int)
    case gap(Range<Int>)
  }

  /// Chooses the rows to show within `limit` lines, with one line for each gap.
  ///
  /// Issues are kept first, then deviations, then what touches the same actors as those, then details. Among equals the
  /// nearest to the first issue is kept, or the nearest to the end if there is none; rows before it are preferred to rows
  /// after it.
  package func pieces(within limit: Int) -> [Piece] {
    if rows.count <= limit { return rows.indices.map(Piece.row) }
    let focus = rows.firstIndex { $0.priority == .issue } ?? rows.count - 1
    let decisive = decisivePlaces(focus)
    func rank(_ row: Row) -> Int {
      row.priority < .deviation && !row.places.isDisjoint(with: decisive) ? 5 : row.priority.rawValue * 3
    }
    func distance(_ index: Int) -> Int { index <= focus ? focus - index : 8 * (index - focus) }
    let order = rows.indices.sorted { left, right in
      let (first, second) = (rank(rows[left]), rank(rows[right]))
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

  /// The steps of the rows that are left out within `limit` lines, those of one gap together.
  func folded(limit: Int) -> [ClosedRange<Int>] {
    let pieces = pieces(within: limit)
    var shown: Set<Int> = []
    for case .row(let index) in pieces { shown.formUnion(rows[index].steps) }
    return pieces.compactMap { piece in
      guard case .gap(let range) = piece else { return nil }
      let steps = range.flatMap { Array(rows[$0].steps) }.filter { !shown.contains($0) }
      return steps.min().map { $0...(steps.max() ?? $0) }
    }
  }

  /// The actors that the deviations touch, and the failing task last: what does not touch them had no part in it.
  func decisivePlaces(_ focus: Int) -> Set<Event.Place> {
    var places: Set<Event.Place> = []
    for row in rows where row.isDeviation { places.formUnion(row.places) }
    if let last = rows[...focus].last(where: { $0.task == rows[focus].task && !$0.places.isSubset(of: [.global]) }) {
      places.formUnion(last.places)
    }
    places.remove(.global)
    // The main actor has a part in nearly everything.
    if places.count > 1 { places.remove(.main) }
    return places
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
