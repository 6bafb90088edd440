// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// Counts how often each action was drawn and how often it was skipped, and says which never did anything.
@MainActor
final class FuzzTally {
  private struct Count {
    var drawn = 0
    var skipped = 0
  }

  private var counts: [Count]
  private var draws = 0

  /// With fewer draws it says little that an action was never drawn, or that it was skipped each time.
  private static let leastDraws = 100
  private static let leastSkipped = 10

  nonisolated init(actions: Int) { counts = Array(repeating: Count(), count: actions) }

  func count(_ action: Int, isSkipped: Bool) {
    draws += 1
    counts[action].drawn += 1
    if isSkipped { counts[action].skipped += 1 }
  }

  /// Nothing for an exploration that stopped at a failure: what comes after it was not to be.
  func warnings<Root>(_ exploration: Exploration, of actions: [FuzzAction<Root>]) -> [ExplorationWarning] {
    guard exploration.failure == nil else { return [] }
    return zip(actions, counts).compactMap { action, count in
      var diagnostic: Diagnostic
      switch count.drawn {
      case 0 where draws >= Self.leastDraws: diagnostic = neverDrawn(action, exploration.executions)
      case Self.leastSkipped... where count.skipped == count.drawn: diagnostic = alwaysSkipped(action, count.drawn)
      default: return nil
      }
      diagnostic.sourceLocation = action.sourceLocation
      return ExplorationWarning("action \(action.name)", diagnostic)
    }
  }

  private func neverDrawn<Root>(_ action: FuzzAction<Root>, _ executions: Int) -> Diagnostic {
    Diagnostic(
      .warning,
      """
      The action "\(action.name)" was never run: \(executions) executions drew \(draws) actions, and not this one.
      """,
      likelyCause: "its weight of \(action.weight) is small beside the weights of the others.",
      suggestion: "give it more weight, or run more executions, or longer ones with actions: 1...30.")
  }

  private func alwaysSkipped<Root>(_ action: FuzzAction<Root>, _ times: Int) -> Diagnostic {
    let (cause, remedy) =
      switch action.condition {
      case .precondition, nil:
        (
          "its precondition, when:, asks for what no other action brings about, or is the wrong way round.",
          "add the actions that lead there, or correct the precondition."
        )
      case .pool(let name):
        (
          "no action puts anything into the pool \"\(name)\", or those that do come to nothing or run too rarely.",
          "add one with into:, give it more weight, or look at why it makes nothing."
        )
      }
    return Diagnostic(
      .warning,
      "The action \"\(action.name)\" was drawn \(times) times and skipped each time: nothing of what it does was tested.",
      likelyCause: cause, suggestion: remedy)
  }
}
