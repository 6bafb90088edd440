// SPDX-License-Identifier: Apache-2.0

/// Decides when time passes although a task is ready, so that a timeout also ends in the middle of work.
///
/// It does so in a quarter of the executions, a few times in each, at random points at which a task sleeps. In the others
/// time does not pass while a task is ready, which is what a fast machine looks like.
struct EarlyTimers {
  private var random = SplitMix64(seed: 0)
  private var left = 0
  private var met = 0
  private var most: UInt64 = 4

  /// The most times in an execution: a task that polls with a sleep would otherwise starve all others.
  private static let limit = 3

  /// Gets ready for an execution, which may let time pass or not.
  mutating func begin(seed: UInt64, execution number: Int, isOn: Bool) {
    most = max(most, UInt64(met))
    met = 0
    left = 0
    guard isOn, number & 3 == 3 else { return }
    random = SplitMix64(seed: seed ^ 0x7469_6D65, index: UInt64(number))
    left = 1 + Int(random.next(below: UInt64(Self.limit)))
  }

  /// Stops time from now on, since the body is over.
  mutating func stop() { left = 0 }

  /// Whether time passes now; asked where a task is ready and another one sleeps.
  mutating func fires() -> Bool {
    met += 1
    guard left > 0, random.next(below: most) < UInt64(left) else { return false }
    left -= 1
    return true
  }
}
