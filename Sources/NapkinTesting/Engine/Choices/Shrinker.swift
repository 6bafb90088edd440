// SPDX-License-Identifier: Apache-2.0

/// Makes a failing choice sequence as small as it can within a budget of executions and of time.
///
/// It knows nothing of values or tasks: it deletes choices, zeroes them and lowers them, runs each candidate, and keeps
/// one that still fails and is smaller in the order of ``ChoiceSequence/ShrinkOrder``. Data and schedule shrink together,
/// since less data often needs another schedule to fail. From the same sequence and seed it does the same, unless the time
/// runs out.
///
/// The passes over data are those of Hypothesis (MacIver and Donaldson, ECOOP 2020); the one over the schedule is
/// delta debugging (see ``DeltaDebugging``).
package struct Shrinker: Sendable {
  /// The source of new schedules.
  package var seed: UInt64

  /// The most executions to spend.
  package var budget: Int

  /// The most time that its executions may take together, each counted by itself; nil for as long as it takes.
  package var timeBudget: Duration?

  package init(seed: UInt64, budget: Int = 2_000, timeBudget: Duration? = nil) {
    self.seed = seed
    self.budget = budget
    self.timeBudget = timeBudget
  }

  /// Shrinks `failing`, which an execution has recorded with its bounds and spans.
  ///
  /// `run` executes a candidate: ranks out of reach are brought down, a lane that ends early goes on with zeros. It is
  /// called at most `budget` times and never twice with candidates that replay alike.
  package nonisolated(nonsending) func shrink(
    _ failing: ChoiceSequence,
    run: nonisolated(nonsending) @escaping (ChoiceSequence) async -> ShrinkOutcome
  ) async -> Shrunk {
    let session = ShrinkSession(failing, settings: self, run: run)
    // If FIFO order fails as well, everything after it is cheaper: there is no schedule to keep.
    await session.dropSchedule()
    var before: ChoiceSequence.ShrinkOrder
    repeat {
      before = session.shrinkOrder
      await session.deleteData()
      await session.reduceSchedule()
      await session.lowerData()
      await session.lowerAndDelete()
      await session.reorderData()
      await session.reduceSchedule()
      if session.shrinkOrder == before { await session.sampleFewerDeviations() }
      session.restoreRetryBudget()
    } while session.shrinkOrder != before && !session.isSpent
    return Shrunk(sequence: session.best, executions: session.executions, didExhaustBudget: session.isSpent)
  }
}

/// The result of running one candidate.
package struct ShrinkOutcome: Sendable {
  /// Whether it failed, and in the same way as the execution that is being shrunk.
  package var stillFails: Bool

  /// How long the execution took, which the shrinker's time budget pays for.
  package var duration: Duration

  /// The choices that the execution met, with their bounds and spans: often fewer than the candidate had.
  package var consumed: ChoiceSequence

  package init(stillFails: Bool, consumed: ChoiceSequence, duration: Duration = .zero) {
    self.stillFails = stillFails
    self.duration = duration
    self.consumed = consumed
  }
}

/// The result of shrinking, and its cost.
package struct Shrunk: Sendable {
  /// The smallest sequence found that still fails, as its execution met it.
  package var sequence: ChoiceSequence

  /// How many executions that took.
  package var executions: Int

  /// Whether it stopped because the budget ran out, so that a smaller one may be near.
  package var didExhaustBudget: Bool
}
