// SPDX-License-Identifier: Apache-2.0

/// Draws a history that is not linearizable: a line for each call, as a bar from its call to its return.
struct HistoryPicture<Model: SequentialModel> {
  typealias Checker = LinearizabilityChecker<Model>

  let history: Checker.Calls
  let violation: Checker.Violation

  /// The limits of the picture, which says how many calls it leaves out.
  private static var mostCalls: Int { 24 }
  private static var mostColumns: Int { 64 }
  private static var mostLetters: Int { 40 }

  /// The lines, and below them how far an order gets.
  var text: String {
    let shown = violation.operations.suffix(Self.mostCalls)
    let calls = shown.map { words(history.operations[$0]) }
    let width = max("call → returned".count, calls.map(\.count).max() ?? 0)
    let bars = Bars(shown.map { history.operations[$0] }, mostColumns: Self.mostColumns)
    var lines = ["order  caller  " + Self.pad("call → returned", to: width) + "  from call to return"]
    for (line, (number, call)) in zip(shown, calls).enumerated() {
      let place = violation.furthest.firstIndex(of: number).map { "\($0 + 1)" } ?? "–"
      lines.append(
        String(repeating: " ", count: max(0, 5 - place.count)) + place + "  "
          + Self.pad("\(history.operations[number].caller)", to: 6) + "  " + Self.pad(call, to: width) + "  "
          + bars.line(line))
    }
    let omitted = violation.operations.count - shown.count
    if omitted > 0 { lines.append("\(omitted) earlier \(omitted == 1 ? "call is" : "calls are") left out.") }
    let others = history.operations.count - violation.operations.count
    if others > 0 {
      lines.append(
        "\(others) \(others == 1 ? "call" : "calls") of other partitions \(others == 1 ? "is" : "are") left out.")
    }
    return lines.joined(separator: "\n")
  }

  /// The longest order that the model agrees with, and the calls that it refuses next.
  var furthest: String {
    let count = violation.furthest.count
    let after =
      count == 0
      ? "No call can come first"
      : "The longest order that the model agrees with has \(count == 1 ? "one call" : "\(count) calls")"
    let refused = violation.refused.map { number, expected in
      let operation = history.operations[number]
      let returned = operation.returned.map { "\($0.response)" } ?? ""
      return "\(operation.command) would return \(expected), and returned \(returned)"
    }
    return "\(after); \(violation.model) is the model then, and \(refused.joined(separator: "; "))."
  }

  private func words(_ operation: Checker.Calls.Operation) -> String {
    let text = "\(operation.command) → \(operation.returned.map { "\($0.response)" } ?? "did not return")"
    return text.count <= Self.mostLetters ? text : text.prefix(Self.mostLetters - 1) + "…"
  }

  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The columns of the bars: only moments of calls that are shown take up columns.
  private struct Bars {
    private let spans: [(from: Int, to: Int?)]
    private let step: Int
    private let end: Int
    private let mostColumns: Int

    init(_ operations: [Checker.Calls.Operation], mostColumns: Int) {
      let moments = operations.flatMap { [$0.called] + ($0.returned.map { [$0.moment] } ?? []) }.sorted()
      func place(_ moment: Int) -> Int { moments.firstIndex(of: moment) ?? 0 }
      spans = operations.map { (place($0.called), $0.returned.map { place($0.moment) }) }
      step = moments.count * 3 <= mostColumns ? 3 : moments.count * 2 <= mostColumns ? 2 : 1
      end = moments.count
      self.mostColumns = mostColumns
    }

    func line(_ index: Int) -> String {
      let (from, to) = spans[index]
      let start = String(repeating: " ", count: from * step)
      let length = ((to ?? end) - from) * step - 1
      let bar = start + "├" + String(repeating: "─", count: max(0, length)) + (to == nil ? "…" : "┤")
      return bar.count <= mostColumns ? bar : bar.prefix(mostColumns - 1) + "…"
    }
  }
}
