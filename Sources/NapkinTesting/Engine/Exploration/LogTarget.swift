// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

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
