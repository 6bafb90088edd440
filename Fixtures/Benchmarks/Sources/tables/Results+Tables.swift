// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Results {
  /// A row a pair: the ratio's quartiles, its goal, and the medians of both sides.
  func ratios(_ file: String, unit: String, per nanoseconds: Double) -> String? {
    guard let entries = entries(file) else { return nil }
    var rows = [
      "| | ratio | quartiles | goal | \(unit) | yardstick, \(unit) | samples |", "|---|---|---|---|---|---|---|",
    ]
    for entry in entries.filter(\.isPair).sorted(by: { $0.name < $1.name }) {
      let subject = entry.percentile(50, of: "subject") / 10 / nanoseconds
      let yardstick = entry.percentile(50, of: "yardstick") / 10 / nanoseconds
      rows.append(
        "| \(entry.name) | \(entry.ratio) | \(entry.quartiles) | \(entry.goal(nanoseconds: nanoseconds, unit)) "
          + "| \(number(subject)) | \(number(yardstick)) | \(entry.samples("ratio").count) |"
      )
    }
    return rows.joined(separator: "\n")
  }

  /// A row a body and strategy, with nanoseconds a step and microseconds an execution; goals are those of a release build.
  func engine(_ file: String, goals: Bool = true) -> String? {
    guard let entries = entries(file) else { return nil }
    var rows = [
      "| body | strategy | ratio | quartiles | goal | ns a step | µs an execution | pump, µs | samples |",
      "|---|---|---|---|---|---|---|---|---|",
    ]
    for entry in entries.filter(\.isPair).sorted(by: { $0.name < $1.name }) {
      let execution = entry.percentile(50, of: "subject") / 10
      let step = execution / (entry.percentile(50, of: "steps") / 10)
      let pump = entry.percentile(50, of: "yardstick") / 10_000
      let parts = entry.name.components(separatedBy: ", ")
      rows.append(
        "| \(parts[0]) | \(parts.dropFirst().joined(separator: ", ")) | \(entry.ratio) | \(entry.quartiles) "
          + "| \(goals ? entry.goal(nanoseconds: 1_000, "µs") : "") | \(number(step)) | \(number(execution / 1_000)) "
          + "| \(number(pump)) | \(entry.samples("ratio").count) |"
      )
    }
    return rows.joined(separator: "\n")
  }

  func bytes(_ file: String) -> String? {
    guard let memory = entries(file)?.first(where: { $0.name == "memory" }) else { return nil }
    let bytes = Int(memory.percentile(50, of: "bytes"))
    return "A node of a tree of 100,000 takes \(bytes) bytes, its interactor included (goal: at most 400)."
  }

  func memory(_ file: String, executions: Int, before: Int) -> String? {
    guard let memory = entries(file)?.first(where: { $0.name == "memory" }) else { return nil }
    let (early, late) = (Int(memory.percentile(50, of: "early")), Int(memory.percentile(50, of: "late")))
    return allocated(early: early, after: before, late: late, after: executions)
  }

  /// A line of a number of executions, the bytes after a tenth of them, and those after as many more.
  var engineMemory: String? {
    guard let words = lines("engine-memory.tsv")?.split(separator: "\t").compactMap({ Int($0) }), words.count == 3
    else { return nil }
    return allocated(early: words[1], after: words[0] / 10, late: words[2], after: words[0])
  }

  private func allocated(early: Int, after first: Int, late: Int, after rest: Int) -> String {
    """
    After \(first) executions \(early / 1_024) KiB are allocated, and \(late / 1_024) KiB after \(rest) more: \
    \(number(Double(late - early) / Double(rest))) bytes an execution.
    """
  }

  /// A row a program, as the tool prints it.
  var bugs: String? {
    guard let lines = lines("bugs.tsv") else { return nil }
    var rows = lines.split(separator: "\n").map { line in
      "| " + line.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: " | ") + " |"
    }
    rows.insert(String(repeating: "|---", count: rows[0].count { $0 == "|" } - 1) + "|", at: 1)
    return rows.joined(separator: "\n")
  }

  /// Lines of a name, the instructions of both sides and their ratio, parted by tabs.
  var instructions: String? {
    guard let lines = lines("instructions.tsv") else { return nil }
    var rows = ["| | instructions | yardstick | ratio |", "|---|---|---|---|"]
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: "\t")
      guard words.count == 4, let subject = Double(words[1]), let yardstick = Double(words[2]) else { continue }
      rows.append("| \(words[0]) | \(Int(subject)) | \(Int(yardstick)) | \(number(subject / yardstick)) |")
    }
    return rows.joined(separator: "\n")
  }
}

extension Results.Entry {
  fileprivate var isPair: Bool { name != "memory" }

  fileprivate var ratio: String { "**\(number(percentile(50, of: "ratio") / 1_000))**" }

  fileprivate var quartiles: String {
    "\(number(percentile(25, of: "ratio") / 1_000)) – \(number(percentile(75, of: "ratio") / 1_000))"
  }

  /// The goals as written, a tick before each that is met by the median.
  fileprivate func goal(nanoseconds: Double, _ unit: String) -> String {
    let ratio = percentile(50, of: "goal") / 1_000
    let limit = percentile(50, of: "limit") / 10
    var goals: [String] = []
    if ratio != 0 { goals.append(verdict(percentile(50, of: "ratio") / 1_000 <= ratio) + "≤ \(number(ratio))") }
    if limit != 0 {
      goals.append(verdict(percentile(50, of: "subject") / 10 <= limit) + "≤ \(number(limit / nanoseconds)) \(unit)")
    }
    return goals.joined(separator: ", ")
  }

  private func verdict(_ isMet: Bool) -> String { isMet ? "✓ " : "✗ " }
}

/// Three digits, or all before the point.
func number(_ value: Double) -> String {
  let places = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
  return String(format: "%.\(places)f", value)
}
