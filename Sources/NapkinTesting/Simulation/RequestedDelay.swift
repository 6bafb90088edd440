// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// The delay that was asked for, when this is what was left of it by the time the timer was set, where the clocks are real.
  ///
  /// A sleep reaches the executor as a point in real time, some microseconds after it was computed. People ask for round
  /// numbers, so the roundest one within a quarter of a millisecond above is what they meant; without that, two equal
  /// sleeps would differ from run to run, and so would the order of their ends.
  var asRequested: Duration {
    let left = components
    guard left.seconds >= 0, left.attoseconds >= 0 else { return .zero }
    let nanoseconds = left.attoseconds / 1_000_000_000
    for grain: Int64 in [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000] {
      let missing = (grain - nanoseconds % grain) % grain
      if missing <= 250_000 { return .seconds(left.seconds) + .nanoseconds(nanoseconds + missing) }
    }
    return self
  }
}
