// SPDX-License-Identifier: Apache-2.0

/// The events of several doubles, in the order in which they were recorded.
///
///     #expect(Transcript(listener, router).lines == [
///       "HomeListenerMock: didRequestLogout",
///       "ProfileRouterMock: load",
///     ])
public struct Transcript: Sendable, CustomStringConvertible {
  /// One line an event: the name of its recorder, and the event as it describes itself.
  public let lines: [String]

  /// Merges the events that doubles or recorders have recorded so far.
  public init(_ recordings: any Recording...) {
    self.init(recordings)
  }

  /// Merges the events that doubles or recorders have recorded so far.
  public init(_ recordings: [any Recording]) {
    lines = recordings.flatMap { $0.numberedLines }.sorted { $0.sequenceNumber < $1.sequenceNumber }.map(\.line)
  }

  /// The lines, one below the other.
  public var description: String { lines.joined(separator: "\n") }
}

extension Recording {
  fileprivate var numberedLines: [(sequenceNumber: SequenceNumber, line: String)] {
    let name = recorder.name
    return recorder.entries.map { ($0.sequenceNumber, "\(name): \($0.event)") }
  }
}

extension Recorder: Recording {
  /// The recorder itself, so that it can be used in place of a double.
  public var recorder: Recorder<Event> { self }
}
