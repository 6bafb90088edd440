// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// A drawn sequence of actions, split over callers that run at the same time.
///
/// It is a list of rounds. In a round every caller runs its actions one after the other, beside the other callers; the
/// next round begins when the tree has come to rest.
struct TreeProgram: Sendable, Equatable {
  /// The actions of each caller, as indices.
  typealias Round = [[Int]]

  var rounds: [Round] = []

  /// Draws programs; zeros make one action after the other, each in a round of its own.
  static func generator(actions weights: [Int], count: ClosedRange<Int>, callers: Int) -> Gen<TreeProgram> {
    let action = Gen.frequency(weights.enumerated().map { ($0.element, Gen.just($0.offset)) })
    let step = action.flatMap { action in Gen<Int>.int(in: 0...callers).map { (action: action, place: $0) } }
    return Gen<[(action: Int, place: Int)]>.array(of: step, count: count).map { steps in
      var program = TreeProgram()
      for step in steps { program.append(step.action, place: step.place, callers: callers) }
      return program
    }
  }

  /// Place zero waits for everybody and begins a round; place `n` is the `n`th caller of the round at hand.
  private mutating func append(_ action: Int, place: Int, callers: Int) {
    if place == 0 || rounds.isEmpty {
      rounds.append(Array(repeating: [], count: callers))
      rounds[rounds.count - 1][max(place, 1) - 1] = [action]
    } else {
      rounds[rounds.count - 1][place - 1].append(action)
    }
  }

  /// The program as a story: `"log in" → ("tap profile" → "tap back") ∥ "log out"`.
  func story(of names: [String]) -> String {
    rounds.map { round in
      let lanes = round.filter { !$0.isEmpty }.map { lane in lane.map { "\"\(names[$0])\"" }.joined(separator: " → ") }
      guard lanes.count > 1 else { return lanes.joined() }
      return lanes.map { $0.contains("→") ? "(\($0))" : $0 }.joined(separator: " ∥ ")
    }.joined(separator: " → ")
  }
}
