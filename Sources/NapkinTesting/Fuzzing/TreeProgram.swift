// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import Testing

/// A drawn sequence of actions, split over callers that run at the same time.
///
/// It is a list of rounds. In a round every caller runs its actions one after the other, beside the other callers; the
/// next round begins when the tree has come to rest.
struct TreeProgram<Root: Routing>: Sendable {
  /// The actions of each caller.
  typealias Round = [[FuzzStep<Root>]]

  var rounds: [Round] = []

  /// Draws programs; zeros make one action after the other, each in a round of its own.
  static func generator(_ actions: [FuzzAction<Root>], count: ClosedRange<Int>, callers: Int) -> Gen<TreeProgram> {
    let steps = actions.enumerated().map { number, action in
      let step = action.step.map { step in
        var step = step
        step.action = number
        return step
      }
      return (action.weight, step)
    }
    let step = Gen.frequency(steps).flatMap { step in
      Gen<Int>.int(in: 0...callers).map { (step: step, place: $0) }
    }
    return Gen<[(step: FuzzStep<Root>, place: Int)]>.array(of: step, count: count).map { steps in
      var program = TreeProgram()
      for (step, place) in steps { program.append(step, place: place, callers: callers) }
      return program
    }
  }

  /// Place zero waits for all callers and begins a round; place `n` is the `n`th caller of the current round.
  private mutating func append(_ step: FuzzStep<Root>, place: Int, callers: Int) {
    if place == 0 || rounds.isEmpty { rounds.append(Array(repeating: [], count: callers)) }
    rounds[rounds.count - 1][max(place, 1) - 1].append(step)
  }

  /// The program as a story: `"log in" → ("tap profile" → "tap back") ∥ "log out"`.
  var story: String {
    rounds.map { round in
      let lanes = round.filter { !$0.isEmpty }.map { lane in lane.map { "\"\($0.title)\"" }.joined(separator: " → ") }
      guard lanes.count > 1 else { return lanes.joined() }
      return lanes.map { $0.contains("→") ? "(\($0))" : $0 }.joined(separator: " ∥ ")
    }
    .joined(separator: " → ")
  }
}
