// SPDX-License-Identifier: Apache-2.0
import Foundation

/// `swift package napkin merge FILE…`: the explorations of several machines, each counted over all of them.
///
/// A file is what one machine has written to `NAPKIN_LOG` in one run. The n-th exploration of a line in a test with the same
/// arguments is the same one in every file.
struct Merge {
  private let files: [String]
  private var explorations: [String: Merged] = [:]

  init(_ arguments: [String]) throws {
    files = arguments
    if let option = files.first(where: { $0.hasPrefix("-") }) { throw Mistake("\(option): merge has no options.") }
    if files.isEmpty { throw Mistake("merge: the files are missing, as in \"napkin merge shard-*.jsonl\".") }
    for file in files { try read(file) }
  }

  private mutating func read(_ path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else { throw Mistake("\(path) cannot be read.") }
    var occurrences: [String: Int] = [:]
    for (index, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let exploration = try? JSONDecoder().decode(Line.self, from: Data(line)) else {
        throw Mistake("\(path):\(index + 1) is no line that NAPKIN_LOG=jsonl writes.")
      }
      occurrences[exploration.key, default: 0] += 1
      let occurrence = occurrences[exploration.key]!
      let name = exploration.key + (occurrence == 1 ? "" : ", exploration \(occurrence)")
      explorations[name, default: Merged()].add(exploration)
    }
  }

  /// Prints what the machines have found together.
  ///
  /// - Throws: How many failures there are, and how many conditions too few executions met.
  func report() throws {
    var failures = 0
    var missed = 0
    let all = explorations.sorted { $0.key < $1.key }
    let executions = all.reduce(0) { $0 + $1.value.executions }
    print("\(files.count) files, \(all.count) explorations, \(executions) executions")
    for (name, exploration) in all {
      let lines = exploration.failureLines + exploration.missedLines
      failures += exploration.failures.count
      missed += exploration.missedLines.count
      if lines.isEmpty, exploration.labels.isEmpty { continue }
      print("\n\(lines.isEmpty ? "✔" : "✘") \(name): \(exploration.counted) executions")
      for line in lines { print("  ✘ \(line)") }
      for (label, count) in exploration.labels.sorted(by: { $0.key < $1.key }) { print("    \(label): \(count)") }
    }
    if failures + missed > 0 {
      throw Mistake("Failures: \(failures). Conditions of Execution.sometimes that too few executions met: \(missed).")
    }
  }
}

/// An exploration over all machines.
private struct Merged {
  private(set) var executions = 0
  /// Those that were not discarded, of which labels and conditions are a part.
  private(set) var counted = 0
  private(set) var labels: [String: Int] = [:]
  private(set) var failures: [String: (message: String, files: Int)] = [:]
  private var goals: [String: Double] = [:]
  private var judges = true

  mutating func add(_ line: Line) {
    executions += line.executions
    counted += line.executions - line.discarded
    for label in line.labels { labels[label.name, default: 0] += label.executions }
    for goal in line.goals { goals[goal.name] = max(goals[goal.name] ?? 0, goal.share) }
    // A replay says nothing of how often a condition holds.
    if line.strategy.hasPrefix("replay(") { judges = false }
    for failure in line.failures where !(failure.token.isEmpty && line.goals.contains { failure.isOf($0) }) {
      let message = failure.messages.first ?? ""
      failures[failure.token.isEmpty ? message : failure.token, default: (message, 0)].files += 1
    }
  }

  var failureLines: [String] {
    failures.sorted { $0.key < $1.key }.map { token, failure in
      "\(failure.message.split(separator: "\n").first ?? "") (\(token), in \(failure.files == 1 ? "1 file" : "\(failure.files) files"))"
    }
  }

  /// The conditions that held in too few of the executions; none where one failed and the search ended before all had run.
  var missedLines: [String] {
    guard judges, failures.isEmpty, counted > 0 else { return [] }
    return goals.sorted { $0.key < $1.key }.compactMap { name, share in
      let count = labels[name] ?? 0
      guard count == 0 || Double(count) < share * Double(counted) else { return nil }
      let asked = share > 0 ? ", of which \((share * 1_000).rounded() / 10) % were asked for" : ""
      return "Execution.sometimes(\"\(name)\") held in \(count) of \(counted) executions\(asked)"
    }
  }
}

/// A line of a log, with what is counted.
private struct Line: Decodable {
  struct Count: Decodable {
    let name: String
    let executions: Int
  }
  struct Goal: Decodable {
    let name: String
    let share: Double
  }
  struct Failure: Decodable {
    let token: String
    let messages: [String]

    /// Whether a machine that runs all executions by itself has said that it misses the goal: it is counted again here.
    func isOf(_ goal: Goal) -> Bool { messages.first?.contains("Execution.sometimes(\"\(goal.name)\")") ?? false }
  }
  let key: String
  let strategy: String
  let executions: Int
  let discarded: Int
  let labels: [Count]
  let goals: [Goal]
  let failures: [Failure]
}
