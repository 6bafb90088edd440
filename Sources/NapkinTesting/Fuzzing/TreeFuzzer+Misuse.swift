// SPDX-License-Identifier: Apache-2.0

internal import Napkin

extension TreeFuzzer {
  /// What is wrong with a call of `run` or `check`, as the failure of an exploration that did not begin.
  func misuse(actions count: ClosedRange<Int>, concurrency: Int) -> Exploration? {
    if actions.isEmpty {
      return misuse(
        "TreeFuzzer<\(Root.self)> has no actions.", cause: "no call of .action(…) comes before .run(…) or .check(…).",
        remedy:
          "add what a user can do to the tree, such as .action(\"tap profile\") { await $0.interactor.didTapProfile() }."
      )
    }
    if let action = actions.first(where: { $0.weight <= 0 }) {
      var exploration = misuse(
        "TreeFuzzer<\(Root.self)>.action(\"\(action.name)\", weight: \(action.weight)) could never be drawn.",
        cause: "a weight is how often an action is drawn beside the others.",
        remedy: "pass a positive weight, or leave the action out.")
      exploration.failure?.sourceLocation = action.sourceLocation
      return exploration
    }
    if count.lowerBound < 0 {
      return misuse(
        "TreeFuzzer<\(Root.self)> was asked for actions: \(count), a negative number of them.",
        cause: "the range was computed, or mistyped.", remedy: "pass a range that begins at 0 or more, such as 1...16.")
    }
    if concurrency < 1 {
      return misuse(
        "TreeFuzzer<\(Root.self)> was asked for concurrency: \(concurrency), which leaves nobody to run an action.",
        cause: "the number was computed, or mistyped.", remedy: "pass 1 for one caller at a time, or more.")
    }
    return nil
  }

  private func misuse(_ happened: String, cause: String, remedy: String) -> Exploration {
    .failed(
      Problem(
        kind: .misuse,
        message: """
          \(happened)
          Likely cause: \(cause)
          What to do: \(remedy)
          """), seed: 0)
  }
}
