// SPDX-License-Identifier: Apache-2.0

extension Search {
  /// Runs the first execution again, and compares the jobs that are ready at each step.
  func lookForDifference(in repetitions: Int = 1) async {
    // Addresses decide about the order of a Set, so all repetitions are to have others.
    var held: [HeldMemory] = []
    for _ in 0..<repetitions {
      held.append(HeldMemory())
      guard let first = determinism.first, determinism.difference == nil, let again = await repetition(of: first) else {
        return
      }
      // It passed before; its failure now is one like any other.
      if let failed = again.failed {
        count(failed, first.number)
        return
      }
      guard let step = first.difference(to: again.readiness) else { continue }
      held.append(HeldMemory())
      let third = await repetition(of: first)
      let settles = !determinism.hasSettled && third?.check?.difference(to: again.readiness) == nil
      // Something that is made once, and no execution differs from then on, is in the way of a proof alone. A coin looks like
      // that, too, if it falls on the same side twice; so a second difference is reported.
      if settles, plan.exhaustive == nil {
        (determinism.first, determinism.hasSettled) = (third?.check, true)
        return
      }
      determinism.difference = .notDeterministic(
        execution: first.number, step: step, settles: settles, comparesValues: plan.exhaustive != nil)
    }
  }

  private struct Repetition {
    let readiness: Readiness
    /// Nil if it says nothing of other repetitions.
    let check: DeterminismCheck?
    let failed: ExecutionOutcome?
  }

  /// Runs the choices of the first execution again; nil if it left something to other threads this time.
  private func repetition(of first: DeterminismCheck) async -> Repetition? {
    let readiness = Readiness(comparesValues: plan.exhaustive != nil)
    let request = ExecutionRequest(
      under: ReplayStrategy(first.sequence, first.holdsBack ? .holdsBack : []),
      drawingFrom: ChoiceTape(replaying: first.sequence), number: first.number)
    (request.readiness, request.keepsChoices) = (readiness, true)
    let outcome = await run(request)
    if outcome.isOutOfControl {
      tally.lostControl = true
      return nil
    }
    return Repetition(
      readiness: readiness, check: DeterminismCheck(outcome, number: first.number, readiness),
      failed: outcome.diagnostics.isEmpty ? nil : outcome)
  }
}
