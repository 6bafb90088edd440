// SPDX-License-Identifier: Apache-2.0
package import Testing

/// What a double or an assertion has to say when something is wrong, in three beats.
package struct Complaint: Sendable, CustomStringConvertible {
  private let beats: [String]

  /// Says what happened, what the likely cause is, and what to do about it.
  package init(_ whatHappened: String, likely cause: String, remedy: String) {
    beats = [whatHappened, "Likely cause: \(cause)", "What to do: \(remedy)"]
  }

  /// The three beats, one a line.
  package var description: String { beats.joined(separator: "\n") }

  /// Makes it one issue of the running test, at the user's line.
  package func record(at sourceLocation: SourceLocation) {
    Issue.recordEverywhere(description, at: sourceLocation)
  }
}

extension Sequence {
  /// At most a dozen of the elements, as they describe themselves.
  package func listed(limit: Int = 12) -> String {
    let descriptions = map { String(describing: $0) }
    guard !descriptions.isEmpty else { return "nothing" }
    guard descriptions.count > limit else { return descriptions.joined(separator: ", ") }
    return descriptions.prefix(limit).joined(separator: ", ") + " and \(descriptions.count - limit) more"
  }
}

extension Duration {
  /// Seconds, as a reader expects them in a sentence.
  package var spelledOut: String {
    let (seconds, attoseconds) = components
    guard attoseconds != 0 else { return seconds == 1 ? "1 second" : "\(seconds) seconds" }
    return "\(Double(seconds) + Double(attoseconds) / 1e18) seconds"
  }
}
