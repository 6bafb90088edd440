// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The worth of a run's passing explorations, printed once when the process ends.
///
/// A run of three explorations or fewer has a line for each. A longer one has their sum, and the tests that are least
/// explored.
package struct RunSummary: Sendable {
  /// A passing exploration.
  package struct Entry: Sendable {
    let name: String
    let line: String
    let executions: Int
    let discarded: Int
    let isExhaustive: Bool
    let hasWarnings: Bool
    /// The share of further executions that would be new; nil where that is not known.
    let unseen: Double?
    /// The actors that never answered out of order, where few schedules are left.
    let inOrder: [String]
    /// The calls of stand-ins that suspended in no execution; they are looked for when the run is over.
    let answeredAtOnce: @Sendable () -> [(standIn: StandIn, place: SourcePlace?)]

    package init(of exploration: Exploration, named name: String, inModule module: String = "") {
      self.name = name
      line = "◇ \(name) explored \(exploration.worth)\n"
      executions = exploration.executions
      discarded = exploration.discardedExecutions
      isExhaustive = exploration.isExhaustive
      hasWarnings = !exploration.diagnostics.isEmpty
      unseen = exploration.saturation.estimatedUnseenProbability
      inOrder = exploration.alwaysInOrder(inModule: module)
      answeredAtOnce = { exploration.answeredAtOnce(inModule: module) }
    }
  }

  private var entries: [Entry] = []
  // The actors that were said to answer in order, each once in a run.
  private var named: Set<String> = []

  // A way for a fake to suspend.
  private static let yield = "await Task.yield()"

  // The explorations that have a line each, the tests that are named, and the share from which on a test is.
  private static let mostLines = 3
  private static let mostNamed = 3
  private static let leastUnseen = Exploration.leastUnseen

  package init(_ entries: [Entry] = []) { self.entries = entries }

  /// The lines, each with its end; empty where nothing was explored.
  package var text: String {
    var copy = self
    let answers = entries.map { copy.answers(in: $0) }.joined()
    if entries.count <= Self.mostLines { return entries.map(\.line).joined() + answers }
    let tests = Set(entries.map(\.name)).count
    var text = "◇ \(tests.grouped) \(tests == 1 ? "test" : "tests") explored "
    text += "\(entries.reduce(0) { $0 + $1.executions }.grouped) executions"
    text += Exploration.discarded(entries.reduce(0) { $0 + $1.discarded })
    let exhausted = entries.count(where: \.isExhaustive)
    if exhausted > 0 { text += "; \(exhausted.grouped) of \(entries.count.grouped) explorations ran all schedules" }
    let warned = Set(entries.filter(\.hasWarnings).map(\.name)).count
    if warned > 0 { text += "; \(warned.grouped) \(warned == 1 ? "test has" : "tests have") warnings" }
    text += ".\n"
    for (name, unseen) in leastExplored {
      text += "  least explored: \(name), about \(Exploration.percent(unseen)) of further executions would be new\n"
    }
    return text + answers + "  NAPKIN_VERBOSE=1 prints a line for each exploration.\n"
  }

  /// A line for each actor that an exploration has never varied, unless it was named before.
  private mutating func answers(in entry: Entry) -> String {
    let text = entry.inOrder.filter { named.insert($0).inserted }.map { type in
      """
        always in order: \(type) answered calls in their order in each execution of \(entry.name), as no network does;
          Execution.answersInAnyOrder(of: \(type).self) lets answers be late, and overtake each other

      """
    }.joined()
    guard text.isEmpty, let (found, place) = entry.answeredAtOnce().first(where: { !named.contains($0.standIn.name) })
    else { return text }
    named.insert(found.name)
    return """
        never suspends: \(found.call)\(place.map { ", awaited at \($0.located())" } ?? ""), as no network does;
          a Stub, or `\(Self.yield)` in \(found.name), lets other tasks go first in \(entry.name)

      """
  }

  /// The tests in which most is left, each with its largest share.
  private var leastExplored: ArraySlice<(name: String, unseen: Double)> {
    var shares: [String: Double] = [:]
    for entry in entries {
      guard let unseen = entry.unseen, unseen >= Self.leastUnseen else { continue }
      shares[entry.name] = max(shares[entry.name] ?? 0, unseen)
    }
    return shares.map { (name: $0.key, unseen: $0.value) }.sorted { ($1.unseen, $0.name) < ($0.unseen, $1.name) }
      .prefix(Self.mostNamed)
  }
}

extension RunSummary {
  private static let ofProcess = Mutex(RunSummary())

  /// Adds an exploration to the summary of the process, which is printed when that ends.
  static func add(_ entry: Entry) {
    let isFirst = ofProcess.withLock { summary in
      summary.entries.append(entry)
      return summary.entries.count == 1
    }
    if isFirst { atexit { RunSummary.write(RunSummary.ofProcess.withLock(\.text)) } }
  }

  /// Writes the lines of an exploration at once.
  static func write(_ entry: Entry) {
    write(entry.line + ofProcess.withLock { $0.answers(in: entry) })
  }

  static func write(_ text: String) { napkin_write_output(text, text.utf8.count) }
}
