// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import Testing

/// Counts how often each action was drawn and how often it was skipped, and says which never did anything.
final class FuzzTally: Sendable {
  private struct Count {
    var drawn = 0
    var skipped = 0
  }

  private let counts: Mutex<[Count]>

  /// With fewer draws it says little that an action was never drawn, or that it was skipped each time.
  private static let leastDraws = 100
  private static let leastSkipped = 10

  init(actions: Int) { counts = Mutex(Array(repeating: Count(), count: actions)) }

  func count(_ action: Int, isSkipped: Bool) {
    counts.withLock { counts in
      counts[action].drawn += 1
      if isSkipped { counts[action].skipped += 1 }
    }
  }

  /// Nothing for an exploration that stopped at a failure: what comes after it was not to be.
  func warnings<System>(_ exploration: Exploration, of actions: [FuzzAction<System>]) -> [Diagnostic] {
    guard exploration.failure == nil else { return [] }
    let counts = counts.withLock { $0 }
    let draws = counts.reduce(0) { $0 + $1.drawn }
    return zip(actions, counts).compactMap { action, count in
      var diagnostic: Diagnostic
      switch count.drawn {
      case 0 where draws >= Self.leastDraws: diagnostic = neverDrawn(action, draws, exploration.executions)
      case Self.leastSkipped... where count.skipped == count.drawn: diagnostic = alwaysSkipped(action, count.drawn)
      default: return nil
      }
      diagnostic.sourceLocation = action.sourceLocation
      diagnostic.subject = "action \(action.name)"
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
      likelyCause: "its weight of \(action.weight) is small beside the weights of the others.",
      suggestion: "give it more weight, or run more executions, or longer ones with actions: 1...30.")
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
