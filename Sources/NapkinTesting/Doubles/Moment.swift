// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// When something was recorded, as a number that orders it among everything that any double records.
///
/// Under an exploration the numbers count 1, 2, 3, … anew in each execution, so the same schedule gives the same ones.
public struct Moment: Sendable, Hashable, Comparable {
  package let number: Int

  // Ordinary tests share one count: they need the order and not the numbers.
  private static let latest = Atomic<Int>(0)

  /// The next moment of the execution that runs here, or of the process outside an exploration.
  package static func next() -> Moment {
    if let scope = CurrentExecution.scope { return Moment(number: scope.nextNumber()) }
    return Moment(number: latest.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  /// Whether the left one was recorded first.
  public static func < (one: Moment, other: Moment) -> Bool { one.number < other.number }
}

/// An event with the moment at which it was recorded.
public struct Recorded<Event: Sendable>: Sendable {
  /// What was recorded.
  public let event: Event

  /// Its place in the order of everything that was recorded, by this and every other recorder.
  public let moment: Moment
}

extension Recorded: Equatable where Event: Equatable {}
