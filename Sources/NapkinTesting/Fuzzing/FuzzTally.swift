// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// Says which actions of a fuzzer never did anything, by how often its executions drew and skipped each of them.
struct FuzzTally {
  private let counts: ActionCounts
  private let executions: Int

  /// With fewer draws it says little that an action was never drawn, or that it was skipped each time.
  private static let leastDraws = 100
  private static let leastSkipped = 10

  /// Nil for an exploration that stopped at a failure: no later execution was to run.
  init?(_ exploration: Exploration) {
    guard exploration.failure == nil else { return nil }
    (counts, executions) = (exploration.tally.actions, exploration.executions)
  }

  func warnings<System>(of actions: [FuzzAction<System>]) -> [Diagnostic] {
    let draws = counts.drawn.reduce(0, +)
    return actions.enumerated().compactMap { number, action in
      let drawn = number < counts.drawn.count ? counts.drawn[number] : 0
      let skipped = number < counts.skipped.count ? counts.skipped[number] : 0
      var diagnostic: Diagnostic
      switch drawn {
      case 0 where draws >= Self.leastDraws || draws == 0 && executions >= Self.leastSkipped:
        diagnostic = neverDrawn(action, draws, executions)
      case Self.leastSkipped... where skipped == drawn: diagnostic = alwaysSkipped(action, drawn)
      default: return nil
      }
      diagnostic.sourceLocation = action.sourceLocation
      diagnostic.subject = .action(action.name)
      return diagnostic
    }
  }

  private func neverDrawn<System>(
    _ action: FuzzAction<System>, _ draws: Int, _ executions: Int
  ) -> Diagnostic {
    Diagnostic(
      .warning,
      """
      The action "\(action.name)" was never run: \(executions) executions drew \(draws) actions, and not this one.
      """,
      likelyCause: action.isAllowed == nil
        ? "its weight of \(action.weight) is small beside the weights of the others."
        : "its model, when(_:_:), allows it in no state that other actions lead to.",
      suggestion: action.isAllowed == nil
        ? "give it more weight, or run more executions, or longer ones with actions: 1...30."
        : "add the actions that lead there, give it more weight, or correct the condition.")
  }

  private func alwaysSkipped<System>(_ action: FuzzAction<System>, _ times: Int) -> Diagnostic {
    let (cause, remedy) =
      if action.precondition == nil, let name = action.pool {
        (
          "no action puts anything into the pool \"\(name)\", or those that do come to nothing or run too rarely.",
          "add one with into:, give it more weight, or look at why it makes nothing."
        )
      } else {
        (
          "its precondition, when(_:), asks for what no other action brings about, or is the wrong way round.",
          "add the actions that lead there, or correct the precondition."
        )
      }
    return Diagnostic(
      .warning,
      "The action \"\(action.name)\" was drawn \(times) times and skipped each time: nothing of what it does was tested.",
      likelyCause: cause, suggestion: remedy)
  }
}
