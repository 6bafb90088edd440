// SPDX-License-Identifier: Apache-2.0

/// A choice of a failing execution that differs from FIFO order, or a cancellation, and the result without it.
package struct TriedDeviation: Sendable, Equatable {
  /// The choice that deviates.
  package enum Kind: Sendable {
    /// Another task than the one that has been ready longest.
    case order
    /// That time passes although a task is ready.
    case time
    /// That a task is cancelled.
    case cancellation
    /// That a task is preempted in the middle of its step.
    case preemption
  }

  /// The result of the same execution without it.
  package enum Effect: Sendable { case passes, fails, failsOtherwise, unknown }

  package var kind: Kind
  package var step: Int
  /// Its index among the choices of its kind.
  package var position: Int
  package var without = Effect.unknown
  /// How many other decisions there are in its place, all of which fail; 0 if there are none, or one does not.
  package var alternatives = 0

  package init(kind: Kind, step: Int, position: Int = 0, without: Effect = .unknown, alternatives: Int = 0) {
    self.kind = kind
    self.step = step
    self.position = position
    self.without = without
    self.alternatives = alternatives
  }

  /// The deviation in words; by its step where there are several.
  fileprivate func name(among count: Int) -> String {
    let step = count == 1 ? "" : " at step \(step)"
    return switch kind {
    case .order: "the deviation\(step) (◆)"
    case .time: "the time that passes early\(step) (◆)"
    case .cancellation: "the cancellation\(step)"
    case .preemption: "the preemption\(step) (◆)"
    }
  }
}

extension [TriedDeviation] {
  /// Whether without every one of a kind, of which there are some, the execution passes.
  package func isDecisive(_ kind: TriedDeviation.Kind) -> Bool {
    let ofKind = filter { $0.kind == kind }
    return !ofKind.isEmpty && ofKind.allSatisfy { $0.without == .passes }
  }

  /// Sentences on the result of the execution without each of them, and with another one in its place.
  package var explanation: [String] {
    let endings: [(TriedDeviation.Effect, String)] = [
      (.passes, "it passes"), (.fails, "it fails, too"), (.failsOtherwise, "it fails in another way"),
    ]
    let sentences = endings.compactMap { effect, ending -> String? in
      let group = filter { $0.without == effect }
      guard !group.isEmpty else { return nil }
      return "Without \(names(group)) \(ending)."
    }
    return sentences
      + filter { $0.alternatives > 0 }.map { deviation in
        let others =
          deviation.alternatives == 1 ? "the other deviation" : "each of the \(deviation.alternatives) others"
        return
          "Any other deviation\(count == 1 ? "" : " at step \(deviation.step)") would do: \(others) there fails, too."
      }
  }

  private func names(_ group: [TriedDeviation]) -> String {
    if group.count < count || count == 1 { return group.map { $0.name(among: count) }.joined(separator: " or ") }
    let cancellations = group.count { $0.kind == .cancellation }
    switch cancellations {
    case 0: return "any one of the \(count) deviations (◆)"
    case count: return "any one of the \(count) cancellations"
    default: return "any one of the deviations (◆) and cancellations"
    }
  }
}
