// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// How long something has taken in real time, also inside an execution, whose own time is simulated.
///
/// It is for reports, for a budget that a user has set and for that of shrinking: no other decision may depend on it.
struct Stopwatch {
  private let start = Self.now

  var elapsed: Duration { Self.now - start }

  /// The real time since some moment before the process began.
  static var now: Duration { .nanoseconds(napkin_real_time()) }
}

/// How long something has taken by the standard clock, which returns another time on the exploring thread.
struct StandardStopwatch {
  private let start = ContinuousClock.now

  var elapsed: Duration { start.duration(to: .now) }
}
