// SPDX-License-Identifier: Apache-2.0

/// What several doubles recorded, in the one order in which it was recorded.
///
///     #expect(Transcript(listener, router).lines == [
///       "HomeListenerMock: didRequestLogout",
///       "ProfileRouterMock: load",
///     ])
public struct Transcript: Sendable, CustomStringConvertible {
  /// One line an event: the name of its recorder, and the event as it describes itself.
  public let lines: [String]

  /// Takes down what has been recorded until now, by mocks or by recorders of their own.
  public init(_ recordings: any Recording...) {
    self.init(recordings)
  }

  /// Takes down what has been recorded until now, by mocks or by recorders of their own.
  public init(_ recordings: [any Recording]) {
    lines = recordings.flatMap { $0.momentsAndLines }.sorted { $0.moment < $1.moment }.map(\.line)
  }

  /// The lines, one below the other.
  public var description: String { lines.joined(separator: "\n") }
}

extension Recording {
  fileprivate var momentsAndLines: [(moment: Moment, line: String)] {
    let name = recorder.name
    return recorder.entries.map { ($0.moment, "\(name): \($0.event)") }
  }
}

extension Recorder: Recording {
  /// Itself, so that a recorder can stand wherever a double that has one can.
  public var recorder: Recorder<Event> { self }
}
