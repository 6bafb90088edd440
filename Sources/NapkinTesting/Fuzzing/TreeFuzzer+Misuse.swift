// SPDX-License-Identifier: Apache-2.0

internal import Napkin

extension TreeFuzzer {
  /// The diagnostic for a wrong argument of `run` or `check`, if there is one.
  func misuse(actions count: ClosedRange<Int>, concurrency: Int) -> Diagnostic? {
    if actions.isEmpty {
      return Diagnostic(
        .misuse, "TreeFuzzer<\(Root.self)> has no actions.",
        likelyCause: "no call of .action(…) comes before .run(…) or .check(…).",
        suggestion: """
          add what a user can do to the tree, such as .action("tap profile") { await $0.interactor.didTapProfile() }.
          """)
    }
    if let action = actions.first(where: { $0.weight <= 0 }) {
      return Diagnostic(
        .misuse, "TreeFuzzer<\(Root.self)>.action(\"\(action.name)\", weight: \(action.weight)) could never be drawn.",
        likelyCause: "a weight is how often an action is drawn beside the others.",
        suggestion: "pass a positive weight, or leave the action out.", at: action.sourceLocation)
    }
    if count.lowerBound < 0 {
      return Diagnostic(
        .misuse, "TreeFuzzer<\(Root.self)> was given actions: \(count), a negative number of them.",
        likelyCause: "the range was computed, or mistyped.",
        suggestion: "pass a range that begins at 0 or more, such as 1...16.")
    }
    if concurrency < 1 {
      return Diagnostic(
        .misuse, "TreeFuzzer<\(Root.self)> was given concurrency: \(concurrency), so no caller could run an action.",
        likelyCause: "the number was computed, or mistyped.", suggestion: "pass 1 for one caller at a time, or more.")
    }
    return nil
  }
}
