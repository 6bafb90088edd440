// SPDX-License-Identifier: Apache-2.0

/// The text of a failure: what happened, the likely cause, what to do, the interleaving, and last how to replay it.
package struct FailureReport: Sendable {
  /// What went wrong, which tasks were cancelled, and what was drawn.
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
      [summary, lanes.isEmpty ? "" : "\n\(lanes)\n", provenance] + remarks + ["Replay: .replay(\"\(token)\")"]
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
    return "\(happened)\nLikely cause: \(likelyCause)\nWhat to do: \(remedy)"
  }

  private var cancelled: Int { sequence.cancellation.count { $0.value != 0 } }
  private var ranks: Int { sequence.deviations - cancelled }

  /// Whether tasks interleaved, and the failure needs it.
  ///
  /// FIFO order alternates between ready tasks, so a failure without a deviation can still be a race.
  private var isInterleaved: Bool {
    needsInterleaving && log.events.contains { if case .ran(_, _, let ready) = $0.kind { ready > 1 } else { false } }
  }

  private var likelyCause: String {
    let places = ranks == 1 ? "in one place (◆)" : "in \(ranks) places (◆)"
    switch (cancelled, ranks) {
    case (0, 0) where isInterleaved:
      return
        "the tasks interleave at their suspension points. The default (FIFO) order is enough to trigger the failure."
    case (0, 0) where sequence.data.isEmpty:
      return needsInterleaving
        ? "not the order of the tasks: it fails in FIFO order, too."
        : "not the order of the tasks: it fails even when each task runs as far as it can before the next one does."
    case (0, 0):
      return "the data drawn, not the order of the tasks: with it, FIFO order fails, too."
    case (0, _):
      return "the outcome depends on the order of the tasks, which deviates from FIFO order \(places)."
    case (_, 0):
      return "a task is cancelled at a moment that it is not prepared for."
    default:
      return """
        a task is cancelled at a moment that it is not prepared for, in an order of the tasks that deviates from \
        FIFO order \(places).
        """
    }
  }

  private var remedy: String {
    if cancelled > 0 {
      return "look at what the cancelled task leaves half done, and finish or undo that when it is cancelled."
    }
    if ranks > 0 {
      return "follow the lanes from the first ◆: \(Self.race)"
    }
    if isInterleaved { return Self.race }
    return "replay it in a debugger: no special order is needed."
  }

  private static let race =
    "find a task that reads state, suspends, and then acts on what it read. Another task ran in between."

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
