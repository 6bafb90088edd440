// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// How long something has taken in real time, also inside an execution, whose own time is simulated.
///
/// It is for reports and for a budget that somebody has set: no other decision of an exploration may depend on it.
struct Stopwatch {
  private let start = napkin_real_time()

  var elapsed: Duration { .nanoseconds(napkin_real_time() - start) }
}

/// How long something has taken by the standard clock, which the exploring thread is told another time by.
struct StandardStopwatch {
  private let start = ContinuousClock.now

  var elapsed: Duration { start.duration(to: .now) }
}
