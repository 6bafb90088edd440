// SPDX-License-Identifier: Apache-2.0

/// How long something has taken, for reports only: no decision of an exploration may depend on it.
struct Stopwatch {
  private let start = ContinuousClock.now

  var elapsed: Duration { start.duration(to: .now) }
}
