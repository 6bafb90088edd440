// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The positions of recorded events among the events of all doubles.
///
/// Under an exploration they count 1, 2, 3, … anew in each execution, so the same schedule gives the same ones.
enum SequenceNumber {
  // Tests outside an exploration share one count: they need the order, not the numbers.
  private static let latest = Atomic<Int>(0)

  /// The next number of the current execution, or of the process outside an exploration.
  static func next() -> Int {
    CurrentExecution.scope?.nextNumber() ?? latest.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

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
  fileprivate var numberedLines: [(sequenceNumber: Int, line: String)] {
    let name = recorder.name
    return recorder.entries.map { ($0.sequenceNumber, "\(name): \($0.event)") }
  }
}

extension Recorder: Recording {
  /// The recorder itself, so that it can be used in place of a double.
  public var recorder: Recorder<Event> { self }
}
