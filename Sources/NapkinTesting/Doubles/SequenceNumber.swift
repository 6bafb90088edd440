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

extension Recorder: Recording {
  /// The recorder itself, so that it can be used in place of a double.
  public var recorder: Recorder<Event> { self }
}
