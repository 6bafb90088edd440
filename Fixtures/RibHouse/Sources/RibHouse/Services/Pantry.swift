// SPDX-License-Identifier: Apache-2.0
import Observation

/// A dish, and how many plates of it are left.
struct Food: Equatable, Sendable {
  var name: String
  var left: Int
}

/// What the house can serve.
///
/// It is on the main actor and observable: the menu and the refill both follow it.
@MainActor
@Observable
final class Pantry {
  /// The plates of one dish that the house can keep.
  static let full = 3

  private(set) var foods = ["Brisket", "Spare ribs", "Chicken", "Cornbread"].map { Food(name: $0, left: full) }

  nonisolated init() {}

  var isFull: Bool { foods.allSatisfy { $0.left == Self.full } }

  /// Takes a plate; false if there is none.
  @discardableResult
  func take(_ name: String) -> Bool {
    guard let index = foods.firstIndex(where: { $0.name == name }), foods[index].left > 0 else { return false }
    foods[index].left -= 1
    return true
  }

  /// Brings a plate of the dish that there is least of.
  func refill() {
    guard let index = foods.indices.min(by: { foods[$0].left < foods[$1].left }) else { return }
    foods[index].left = min(Self.full, foods[index].left + 1)
  }
}
