// SPDX-License-Identifier: Apache-2.0

extension Exploration: CustomStringConvertible {
  /// The result as a table: the executions, the schedules, the saturation and the warnings.
  public var description: String {
    var rows = [
      ("result", result),
      (
        "executions",
        executions.grouped + (discardedExecutions > 0 ? ", of which \(discardedExecutions.grouped) were discarded" : "")
      ),
      ("steps", steps.grouped + (preemptions.map { ", split at \($0.grouped) accesses" } ?? "")),
      (
        "schedules",
        "\(distinctSchedules.grouped) different \(countedBy)" + claimOfAll
      ),
    ]
    if saturation.curve.count > 1 {
      rows.append(("new ones", saturation.sparkline + "  share of new schedules in executions " + steppedRanges))
    }
    if let unseen = saturation.estimatedUnseenProbability, !isExhaustive {
      rows.append(("saturation", "about \(Self.percent(unseen)) of further executions would be new (Good–Turing)"))
    }
    rows.append(("time", duration.rounded))
    rows += warnings.map { ("warning", $0) }
    let width = rows.map(\.0.count).max() ?? 0
    let indentation = "\n" + String(repeating: " ", count: width + 2)
    return rows.map { name, value in
      name + String(repeating: " ", count: width - name.count + 2)
        + value.split(separator: "\n").joined(separator: indentation)
    }.joined(separator: "\n")
  }

  /// The criterion by which schedules were counted.
  package var countedBy: String { entersActors ? "by each actor's order" : "by the order of steps" }

  /// The claim that these are all schedules; empty if they are not.
  package var claimOfAll: String {
    guard isExhaustive else { return "" }
    switch assumption {
    case nil: return ", which are all there are"
    case .tasksShareOnlyActors: return ", which are all there are if tasks share only actors"
    }
  }

  private var result: String {
    guard let failure else { return "no failure" }
    return failure.execution == 0 ? "could not begin" : "execution \(failure.execution.grouped) failed"
  }

  /// The ranges of executions that the blocks of the curve stand for.
  private var steppedRanges: String {
    let ends = saturation.curve.map(\.executions)
    let shown =
      ends.count > 4 ? ends.prefix(3).map(\.grouped) + ["…", ends[ends.count - 1].grouped] : ends.map(\.grouped)
    return "up to " + shown.joined(separator: ", ")
  }

  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1_000).rounded())
    if tenths == 0 { return share == 0 ? "0 %" : "less than 0.1 %" }
    return tenths % 10 == 0 || tenths >= 100 ? "\((tenths + 5) / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}

extension Duration {
  /// Milliseconds, tenths of a second, or minutes, as a reader takes it in.
  var rounded: String {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    let seconds = milliseconds / 1_000
    let tenths = milliseconds % 1_000 / 100
    if seconds < 60 { return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s" }
    return "\(Int(seconds / 60).grouped) min \(seconds % 60) s"
  }
}
