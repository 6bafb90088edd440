// SPDX-License-Identifier: Apache-2.0

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

  package init(sequence: ChoiceSequence, executions: Int, didExhaustBudget: Bool) {
    self.sequence = sequence
    self.executions = executions
    self.didExhaustBudget = didExhaustBudget
  }
}
