// SPDX-License-Identifier: Apache-2.0

/// That a double recorded an event, or that it did not: made by `saw(_:)`, for `expectInOrder`.
public struct Sighting: Sendable {
  let name: String
  let event: String
  let moment: Moment?
  let recording: any Recording
}

extension Recording {
  /// Looks for an event among those recorded so far; the first one, unless a later `occurrence` is asked for.
  ///
  /// Where the main actor is the default isolation, declare the event as `nonisolated enum Event: Equatable`.
  public nonisolated func saw(_ event: Event, occurrence: Int = 1) -> Sighting where Event: Equatable {
    let moments = recorder.entries.filter { $0.event == event }.map(\.moment)
    let ordinal = occurrence == 1 ? "" : " \(occurrence) times"
    return sighting("\(event)\(ordinal)", occurrence < 1 ? nil : moments.dropFirst(occurrence - 1).first)
  }

  /// Looks for the first event recorded so far that satisfies a predicate; the description stands for it in a failure.
  public nonisolated func saw(_ description: String, where predicate: (Event) throws -> Bool) rethrows -> Sighting {
    sighting(description, try recorder.entries.first { try predicate($0.event) }?.moment)
  }

  private nonisolated func sighting(_ event: String, _ moment: Moment?) -> Sighting {
    Sighting(name: recorder.name, event: event, moment: moment, recording: self)
  }
}
