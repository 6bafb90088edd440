// SPDX-License-Identifier: Apache-2.0
import Foundation

/// `swift package napkin merge FILE…`: the explorations of several machines, each counted over all of them.
///
/// A file is the log of one run of one machine (`NAPKIN_LOG`). The n-th exploration of a line in a test with the same
/// arguments is the same one in every file.
struct Merge {
  private let files: [String]
  private var explorations: [String: Merged] = [:]
  /// The reasons why something may be missing that a machine has found.
  private var gaps: [String] = []

  init(_ arguments: [String]) throws {
    files = arguments
    if let option = files.first(where: { $0.hasPrefix("-") }) { throw Mistake("\(option): merge has no options.") }
    if files.isEmpty { throw Mistake("merge: the files are missing, as in \"napkin merge shard-*.jsonl\".") }
    for file in files { try read(file) }
  }

  private mutating func read(_ path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else { throw Mistake("\(path) cannot be read.") }
    var occurrences: [String: Int] = [:]
    let lines = data.split(separator: UInt8(ascii: "\n"))
    for (index, line) in lines.enumerated() {
      guard let exploration = try? JSONDecoder().decode(LogLine.self, from: Data(line)) else {
        if index == lines.count - 1, data.last != UInt8(ascii: "\n") {
          gaps.append("\(path) ends in the middle of a line, so the machine was stopped.")
          return
        }
        throw Mistake("\(path):\(index + 1) is no line that NAPKIN_LOG=jsonl writes.")
      }
      occurrences[exploration.key, default: 0] += 1
      let occurrence = occurrences[exploration.key]!
      let name = exploration.key + (occurrence == 1 ? "" : ", exploration \(occurrence)")
      explorations[name, default: Merged()].add(exploration)
    }
    if lines.isEmpty { gaps.append("\(path) is empty.") }
  }

  /// Prints the findings of all machines together.
  ///
  /// - Throws: How many failures there are, how many conditions too few executions met, and how much is missing.
  func report() throws {
    let all = explorations.sorted { $0.key < $1.key }
    let executions = all.reduce(0) { $0 + $1.value.executions }
    print("\(files.count) files, \(all.count) explorations, \(executions) executions")
    var (failures, missed, gaps) = (0, 0, gaps)
    for (name, exploration) in all {
      let lines = exploration.failureLines + exploration.missedLines
      failures += exploration.failures.count
      missed += exploration.missedLines.count
      gaps += exploration.gaps.map { "\(name): \($0)" }
      print("\(lines.isEmpty ? "✔" : "✘") \(name): \(exploration.counted) executions\(exploration.worth)")
      for line in lines { print("  ✘ \(line)") }
      for (label, count) in exploration.labels.sorted(by: { $0.key < $1.key }) { print("    \(label): \(count)") }
    }
    for gap in gaps { print("✘ \(gap)") }
    if failures + missed + gaps.count > 0 {
      throw Mistake(
        """
        Failures: \(failures). Conditions of Execution.sometimes that too few executions met: \(missed). \
        Gaps in what the machines say: \(gaps.count).
        """)
    }
  }
}

/// An exploration over all machines.
private struct Merged {
  private(set) var executions = 0
  /// The executions that were not discarded, of which labels and conditions are a part.
  private(set) var counted = 0
  private(set) var labels: [String: Int] = [:]
  private(set) var failures: [String: (message: String, files: Int)] = [:]
  private var goals: [String: Double] = [:]
  private var judges = true
  private var schedules = Schedules()
  private var fleets: [String: Fleet] = [:]

  mutating func add(_ line: LogLine) {
    executions += line.executions
    counted += line.executions - line.discarded
    for label in line.labels { labels[label.name, default: 0] += label.executions }
    for goal in line.goals { goals[goal.name] = max(goals[goal.name] ?? 0, goal.share) }
    schedules.add(line)
    // A replay says nothing of how often a condition holds.
    if line.strategy.hasPrefix("replay(") { judges = false }
    let count = line.shard.split(separator: "/").last.flatMap { Int($0) } ?? 1
    fleets["\(line.seed)/\(count)", default: Fleet(count: count)].add(line)
    for failure in line.failures where !(failure.token.isEmpty && line.goals.contains { failure.isOf($0) }) {
      let message = failure.messages.first ?? ""
      failures[failure.token.isEmpty ? message : failure.token, default: (message, 0)].files += 1
    }
  }

  /// The different schedules, and whether they are all that there are.
  var worth: String {
    let proof = fleets.values.lazy.compactMap(\.proof).first.map { failures.isEmpty ? $0 : "" } ?? ""
    return (schedules.text.map { ", \($0) different schedules" } ?? "") + proof
  }

  /// Why something may be missing: a machine says nothing, or each has discarded all of its executions.
  var gaps: [String] {
    let isEmpty = judges && failures.isEmpty && executions > 0 && counted == 0
    return fleets.sorted { $0.key < $1.key }.flatMap(\.value.gaps)
      + (isEmpty ? ["all \(executions) executions were discarded, so nothing was tested."] : [])
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

/// Counts the different schedules that machines have met together: a union, in which none counts twice.
///
/// Each machine writes up to 1,024 hashes, the smallest that it has met. The smallest of all are those of the union, and the
/// largest of these says how many there are (Bar-Yossef et al., "Counting distinct elements in a data stream", 2002).
private struct Schedules {
  private static let most = 1_024
  private var hashes: Set<UInt64> = []
  /// No machine has written the hashes that are larger.
  private var limit = UInt64.max
  private var counts: [Int] = []

  mutating func add(_ line: LogLine) {
    let sample = line.sample.compactMap { UInt64($0, radix: 36) }
    hashes.formUnion(sample)
    if sample.count >= Self.most, let last = sample.last { limit = min(limit, last) }
    // One machine's own number has no need of a sample.
    counts.append(line.schedules)
  }

  var text: String? {
    if hashes.isEmpty { return counts.count == 1 && counts[0] > 0 ? "\(counts[0])" : nil }
    let known = hashes.count { $0 <= limit }
    return limit == .max ? "\(known)" : "about \(Int(Double(known) / (Double(limit) / Double(UInt64.max))))"
  }
}

/// The machines that shared the executions of one seed.
private struct Fleet {
  let count: Int
  private var lines: [String: [LogLine]] = [:]

  init(count: Int) { self.count = count }

  mutating func add(_ line: LogLine) { lines[line.shard, default: []].append(line) }

  private var shards: [String] { (0..<count).map { "\($0)/\(count)" } }

  var gaps: [String] {
    shards.compactMap { shard in
      switch lines[shard]?.count ?? 0 {
      case 0: "shard \(shard) says nothing."
      case 1: nil
      case let times: "shard \(shard) says it \(times) times, so its executions count more than once."
      }
    }
  }

  /// The claim of an exhaustive search; nil where it was none, or where it proves nothing.
  ///
  /// It is a proof if each machine has come to the end of its part, and all have dealt the same parts out.
  var proof: String? {
    let each = shards.map { lines[$0]?.first }
    if each.contains(where: { $0?.exhaustive == true }) { return ", which are all there are" }
    guard each.contains(where: { $0?.part != nil }) else { return nil }
    let unfinished = zip(shards, each).filter { $1?.part == nil }.map(\.0)
    guard unfinished.isEmpty else {
      return "; not all there are, since the part of shard \(unfinished.joined(separator: ", ")) has no end"
    }
    guard Set(each.map { $0?.part }).count == 1 else {
      return "; not all there are, since the machines have not dealt out the same parts"
    }
    return ", which are all there are, in \(count) parts"
  }
}

/// A line of a log: an exploration with its counts.
private struct LogLine: Decodable {
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
  let seed: String
  let shard: String
  let strategy: String
  let executions: Int
  let discarded: Int
  let schedules: Int
  let sample: [String]
  let exhaustive: Bool
  let part: String?
  let labels: [Count]
  let goals: [Goal]
  let failures: [Failure]
}
