// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Testing

/// One line of JSON for each execution of an exploration, for tools that show the test cases of a property.
///
/// ``LogTarget`` has where they go. The form is that in which Hypothesis lets other tools observe its test cases, with the
/// same members.
package struct CaseLog: Sendable {
  private let explorer: Explorer
  private let property: String
  private let start: Double

  private static let target = LogTarget.asked.flatMap { $0.isOfCases ? $0 : nil }

  /// Whether the choices of each execution are kept for its line.
  static var isAsked: Bool { target != nil }

  /// Nil where no lines are asked for, outside a test, and in a worker process, whose executions are written where they
  /// are counted.
  static func current(of explorer: Explorer) -> CaseLog? {
    isAsked && explorer.key != nil && Worker.current == nil ? CaseLog(of: explorer) : nil
  }

  package init(of explorer: Explorer) {
    self.explorer = explorer
    property = Test.current.map { "\($0.id)" } ?? explorer.key ?? "an exploration"
    start = napkin_unix_time()
  }

  /// Writes the line of an execution.
  func write(_ outcome: Simulation.Outcome, number: Int) {
    Self.target?.write(line(of: outcome, number: number))
  }

  /// The line, without its end.
  func line(of outcome: Simulation.Outcome, number: Int) -> String {
    let token = outcome.sequence.map { sequence in
      let order = outcome.holdsBack ? 0 : BuildFingerprint.countsArrivals
      return ReplayToken(sequence, fingerprint: BuildFingerprint.current(in: explorer.key) | order).text
    }
    let reasons = (outcome.rejection.map { [$0] } ?? outcome.diagnostics).map(\.summary)
    let status = outcome.rejection != nil ? "gave_up" : reasons.isEmpty ? "passed" : "failed"
    return JSONText.object([
      "type": JSONText.string("test_case"),
      "run_start": "\(start)",
      "property": JSONText.string(property),
      "status": JSONText.string(status),
      "status_reason": JSONText.string(reasons.first ?? ""),
      "representation": JSONText.string(
        (outcome.drawn.map(\.description) + [token.map { ".replay(\"\($0)\")" } ?? "execution \(number)"]).joined(
          separator: ", ")),
      "arguments": Self.arguments(outcome.drawn),
      "how_generated": JSONText.string("execution \(number) of .\(explorer.strategy) with seed \(explorer.seed)"),
      "features": features(of: outcome),
      "coverage": "null",
      "timing": JSONText.object(["execute:test": "\(outcome.duration / .seconds(1))"]),
      "metadata": JSONText.object([
        "execution": "\(number)", "seed": JSONText.string("\(explorer.seed)"),
        "token": token.map { JSONText.string($0) } ?? "null",
        "messages": JSONText.array(reasons.map { JSONText.string($0) }),
        "warnings": JSONText.array(outcome.warnings.map { JSONText.string($0.summary) }),
      ]),
    ])
  }

  /// Drawn values by their labels; one without a label by its place, from one on.
  private static func arguments(_ drawn: [DrawnValue]) -> String {
    var values: [String: String] = [:]
    for (index, value) in drawn.enumerated() {
      let label = value.label ?? "\(index + 1)"
      values[values[label] == nil ? label : "\(label) (\(index + 1))"] = value.text
    }
    return object(values.mapValues { JSONText.string($0) })
  }

  /// The labels that the execution has, the conditions that it met or missed, and its size where it was controlled.
  private func features(of outcome: Simulation.Outcome) -> String {
    var features: [String: String] = [:]
    if outcome.steps > 0 {
      features["steps"] = "\(outcome.steps)"
      features["choices"] = "\(outcome.met)"
      features["order"] = JSONText.string(String(outcome.scheduleHash, radix: 16))
    }
    if let sequence = outcome.sequence { features["deviations"] = "\(sequence.deviations)" }
    let (names, goals) = (outcome.labels.names, outcome.labels.goals)
    for goal in goals { features["sometimes \(goal.name)"] = "\(names.contains(goal.name))" }
    for name in names where !goals.contains(where: { $0.name == name }) { features["label \(name)"] = "true" }
    return Self.object(features)
  }

  private static func object(_ members: [String: String]) -> String {
    "{" + members.sorted { $0.key < $1.key }.map { "\(JSONText.string($0.key)):\($0.value)" }.joined(separator: ",")
      + "}"
  }
}

/// Where lines of JSON go, by the value of `NAPKIN_LOG`: `jsonl` and `cases` print them to standard output, and a name that
/// ends with `.jsonl` or `.cases.jsonl` appends them to that file.
package struct LogTarget: Sendable, Equatable {
  /// Whether there is a line for each execution, and not one for each exploration.
  package let isOfCases: Bool

  /// The file; nil for standard output.
  package let file: String?

  /// Nil for a value that names neither an output nor a file of lines.
  package init?(_ value: String) {
    isOfCases = value == "cases" || value.hasSuffix(".cases.jsonl")
    switch value {
    case "jsonl", "cases": file = nil
    case _ where value.hasSuffix(".jsonl"): file = value
    default: return nil
    }
  }

  /// The one that the environment of this process asks for.
  package static let asked = Environment["NAPKIN_LOG"].flatMap(Self.init)

  /// Writes a line.
  package func write(_ text: String) {
    let line = text + "\n"
    guard let file else { return napkin_write_output(line, line.utf8.count) }
    if napkin_append_file(file, line, line.utf8.count) { return }
    let message = "NapkinTesting: nothing was written to NAPKIN_LOG, since \(file) cannot be written.\n"
    napkin_write_error(message, message.utf8.count)
  }
}
