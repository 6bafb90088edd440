// SPDX-License-Identifier: Apache-2.0

/// The text of a failure: what happened, the likely cause, what to do, the interleaving, and last how to replay it.
package struct FailureReport: Sendable {
  /// The diagnostics, the cancelled tasks, and the drawn values.
  package var diagnostics: [Diagnostic]
  package var draws: [String]
  package var cancellations: [String]

  /// The choices of the shrunk execution, and what happened in it.
  package var sequence = ChoiceSequence()
  package var log = EventLog()

  /// The replay token; empty where nothing was run.
  package var token: String

  /// The number of the failing execution, the seed, and the number of different schedules up to it.
  package var execution = 1
  package var seed: UInt64 = 0
  package var distinctSchedules = 1

  /// How many executions shrinking took, and whether its budget ended it.
  package var shrinkingExecutions = 0
  package var isShrinkingCutShort = false

  /// Whether the failure disappears when each task runs as far as it can before the next one does.
  package var needsInterleaving = true

  /// The relation of the failure to each deviation; empty where it is not known.
  package var explanation: [TriedDeviation] = []

  /// How far the failure can be trusted.
  package var remarks: [String] = []

  package init(
    _ diagnostics: [Diagnostic], draws: [String] = [], cancellations: [String] = [], token: String
  ) {
    self.diagnostics = diagnostics
    self.draws = draws
    self.cancellations = cancellations
    self.token = token
  }

  package var text: String {
    // Without a token there is no execution to explain.
    if token.isEmpty { return messages.joined(separator: "\n") }
    let lanes = Story(of: log).lanes(limit: 40)
    let parts =
      [summary, lanes.isEmpty ? "" : "\n\(lanes)\n", provenance] + explanation.explanation + remarks + [
        "Replay: .replay(\"\(token)\")"
      ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var messages: [String] {
    diagnostics.map(\.description) + cancellations.map { "Cancelled: \($0)" } + draws.map { "Drawn: \($0)" }
  }

  /// What happened, the likely cause and the suggestion; a diagnostic that has a cause of its own keeps it.
  var summary: String {
    let shown = messages.count > 6 ? messages.prefix(5) + ["… and \(messages.count - 5) more"] : messages[...]
    let happened = shown.joined(separator: "\n")
    if diagnostics.contains(where: { $0.likelyCause != nil }) { return happened }
    let cause = LikelyCause(of: self)
    return "\(happened)\nLikely cause: \(cause.text)\nWhat to do: \(cause.remedy)"
  }

  /// The execution that failed, and the cost of shrinking it.
  var provenance: String {
    var text = "Found in execution \(execution) with seed \(seed)"
    if distinctSchedules > 1 { text += ", among \(distinctSchedules) different schedules" }
    if shrinkingExecutions > 0 {
      text += "; shrunk in \(shrinkingExecutions) \(shrinkingExecutions == 1 ? "execution" : "executions")"
      if isShrinkingCutShort { text += ", the whole budget" }
    }
    return text + "."
  }
}
