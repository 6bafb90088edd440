// SPDX-License-Identifier: Apache-2.0

/// Something to be measured, and what it is measured against in the same run.
///
/// Times drift with the machine's mood by more than what there is to see; a ratio of two batches that ran one right after
/// the other does not.
package struct Pair: Sendable {
  package typealias Side = @Sendable () async -> Reading

  package let name: String

  /// What a single operation is called: "step", "node".
  package let unit: String

  /// The ratio that is not to be exceeded.
  package let goal: Double?

  /// The nanoseconds an operation that are not to be exceeded, on a machine that does nothing else.
  package let nanosecondsGoal: Double?

  /// How long all samples may take; a sample that takes longer than all is still taken five times.
  package let time: Duration

  private let subject: Side
  private let yardstick: Side

  package init(
    _ name: String, unit: String, goal: Double? = nil, nanoseconds: Double? = nil, time: Duration = .seconds(2),
    subject: @escaping Side, yardstick: @escaping Side
  ) {
    self.name = name
    self.unit = unit
    self.goal = goal
    nanosecondsGoal = nanoseconds
    self.time = time
    self.subject = subject
    self.yardstick = yardstick
  }

  /// Runs both sides once, in alternating order.
  package func sample(turn: Int) async -> Sample {
    if turn.isMultiple(of: 2) {
      let subject = await subject()
      return Sample(subject: subject, yardstick: await yardstick())
    }
    let yardstick = await yardstick()
    return Sample(subject: await subject(), yardstick: yardstick)
  }

  /// Takes samples for so long, after one that is thrown away.
  package func samples(for time: Duration) async -> Samples {
    let clock = ContinuousClock()
    _ = await sample(turn: 0)
    let end = clock.now + time
    var samples = Samples()
    while samples.count < 5 || clock.now < end { samples.add(await sample(turn: samples.count)) }
    return samples
  }

  /// Runs one side alone a number of times, for a profiler or an instruction counter.
  package func repeatSide(ofSubject: Bool, times: Int) async -> Int {
    var count = 0
    for _ in 0..<times { count += await (ofSubject ? subject() : yardstick()).count }
    return count
  }

  package struct Sample: Sendable {
    package let subject: Reading
    package let yardstick: Reading
    package var ratio: Double { subject.each / yardstick.each }
  }
}
