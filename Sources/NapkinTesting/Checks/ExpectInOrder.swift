// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Expects that all of these events have been recorded, each after the one before it, by one double or several.
///
///     await interactor.profileDidFinish()
///     expectInOrder(router.occurrence(of: .detachChild(profile)), listener.occurrence(of: .homeDidClose))
///
/// - Parameters:
///   - occurrences: The events in the expected order.
///   - sourceLocation: Where the issue is reported, this call by default.
/// - Returns: True if everything was recorded, in this order.
@discardableResult
public func expectInOrder(_ occurrences: Occurrence..., sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
  var earlier: Occurrence?
  for occurrence in occurrences {
    guard let number = occurrence.sequenceNumber else {
      return recordUnmet(
        "\(occurrence.name) has not recorded \(occurrence.event). \(transcript(of: occurrences))",
        likelyCause: "the call was not made yet, or was made on another instance of the double.",
        suggestion: "await what leads to the call before the order is checked.", at: sourceLocation)
    }
    if let earlier, let before = earlier.sequenceNumber, before >= number {
      return recordUnmet(
        """
        \(occurrence.name) recorded \(occurrence.event) before \(earlier.name) recorded \(earlier.event), and was expected \
        to do so after it. \(transcript(of: occurrences))
        """,
        likelyCause: "the calls are made in another order, or by tasks that do not wait for each other.",
        suggestion: "await the earlier call before the later one is made.", at: sourceLocation)
    }
    earlier = occurrence
  }
  return true
}

private func transcript(of occurrences: [Occurrence]) -> String {
  var recordings: [any Recording] = []
  for occurrence in occurrences where !recordings.contains(where: { $0 === occurrence.recording }) {
    recordings.append(occurrence.recording)
  }
  let lines = recordings.flatMap { $0.numberedLines }.sorted { $0.sequenceNumber < $1.sequenceNumber }.map(\.line)
  return "Recorded events: \(lines.listed())."
}

extension Recording {
  fileprivate var numberedLines: [(sequenceNumber: Int, line: String)] {
    let name = recorder.name
    return recorder.entries.map { ($0.sequenceNumber, "\(name): \($0.event)") }
  }
}

/// An event that a double has recorded or not, for `expectInOrder`.
public struct Occurrence: Sendable {
  let name: String
  let event: String
  let sequenceNumber: Int?
  let recording: any Recording
}

extension Recording {
  /// Finds an event among those recorded so far; the first one, unless a later `number` is given.
  ///
  /// Where the main actor is the default isolation, declare the event as `nonisolated enum Event: Equatable`.
  public nonisolated func occurrence(of event: Event, number: Int = 1) -> Occurrence where Event: Equatable {
    let numbers = recorder.entries.filter { $0.event == event }.map(\.sequenceNumber)
    let suffix = number == 1 ? "" : " \(number) times"
    return occurrence("\(event)\(suffix)", number < 1 ? nil : numbers.dropFirst(number - 1).first)
  }

  /// Finds the first event recorded so far that satisfies a predicate; a failure shows the description.
  public nonisolated func occurrence(
    _ description: String, where predicate: (Event) throws -> Bool
  ) rethrows -> Occurrence {
    occurrence(description, try recorder.entries.first { try predicate($0.event) }?.sequenceNumber)
  }

  private nonisolated func occurrence(_ event: String, _ number: Int?) -> Occurrence {
    Occurrence(name: recorder.name, event: event, sequenceNumber: number, recording: self)
  }
}
