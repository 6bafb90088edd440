// SPDX-License-Identifier: Apache-2.0

/// Finds a small part of a list that is enough for something to happen.
///
/// This is ddmin of Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (IEEE TSE 2002): the
/// result is 1-minimal, no single item of it can be left out. It takes about `k · log n` tests where `k` of `n` items
/// matter, and `n²` at worst.
enum DeltaDebugging {
  /// Reduces `items` by calling `keep`, which tries to do with the items that it is given.
  ///
  /// `keep` returns nil when they are not enough, or the items that turned out to be left, at most as many. It ends early once
  /// `isOver` says so.
  static nonisolated(nonsending) func minimise<Item>(
    _ items: [Item],
    until isOver: () -> Bool,
    keep: nonisolated(nonsending) ([Item]) async -> [Item]?
  ) async {
    var items = items
    var parts = 2
    while items.count >= 2, !isOver() {
      let count = items.count
      if let left = await reduce(items, parts: parts, until: isOver, keep: keep) {
        // Each success must leave fewer, or the loop would not be bounded.
        guard left.count < count else { return }
        items = left
        parts = max(2, min(parts - 1, items.count))
      } else if parts < items.count {
        parts = min(items.count, parts * 2)
      } else {
        return
      }
    }
  }

  /// Tries each part alone, then all but each part.
  private static nonisolated(nonsending) func reduce<Item>(
    _ items: [Item],
    parts: Int,
    until isOver: () -> Bool,
    keep: nonisolated(nonsending) ([Item]) async -> [Item]?
  ) async -> [Item]? {
    let bounds = (0...parts).map { $0 * items.count / parts }
    for part in 0..<parts where !isOver() {
      if let left = await keep(Array(items[bounds[part]..<bounds[part + 1]])) { return left }
    }
    if parts == 2 { return nil }
    for part in 0..<parts where !isOver() {
      if let left = await keep(Array(items[..<bounds[part]] + items[bounds[part + 1]...])) { return left }
    }
    return nil
  }
}
