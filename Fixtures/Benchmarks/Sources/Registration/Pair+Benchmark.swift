// SPDX-License-Identifier: Apache-2.0
package import Benchmark
package import Sampling

extension Pair {
  /// Makes a benchmark of the pair, whose metrics are the two sides and, sample by sample, their ratio.
  package func register() {
    _ = Benchmark(
      name,
      configuration: .init(
        metrics: [.throughput, .subject, .yardstick, .ratio, .steps, .goal, .limit],
        warmupIterations: 1,
        maxDuration: time,
        maxIterations: 2_000
      )
    ) { benchmark in
      let sample = await self.sample(turn: benchmark.currentIteration)
      benchmark.measurement(.subject, Int(sample.subject.each * 10))
      benchmark.measurement(.yardstick, Int(sample.yardstick.each * 10))
      benchmark.measurement(.ratio, Int(sample.ratio * 1_000))
      benchmark.measurement(.steps, Int(Double(sample.subject.steps) / Double(sample.subject.count) * 10))
      benchmark.measurement(.goal, Int((goal ?? 0) * 1_000))
      benchmark.measurement(.limit, Int((nanosecondsGoal ?? 0) * 10))
    }
  }
}

extension BenchmarkMetric {
  /// Tenths of a nanosecond an operation.
  package static var subject: BenchmarkMetric { .custom("subject", useScalingFactor: false) }
  package static var yardstick: BenchmarkMetric { .custom("yardstick", useScalingFactor: false) }
  /// Thousandths.
  package static var ratio: BenchmarkMetric { .custom("ratio", useScalingFactor: false) }
  /// Tenths of a step an operation.
  package static var steps: BenchmarkMetric { .custom("steps", useScalingFactor: false) }
  /// The goals, zero for none: thousandths of the ratio, and tenths of a nanosecond.
  package static var goal: BenchmarkMetric { .custom("goal", useScalingFactor: false) }
  package static var limit: BenchmarkMetric { .custom("limit", useScalingFactor: false) }
  package static var bytes: BenchmarkMetric { .custom("bytes", useScalingFactor: false) }
  /// Bytes that are allocated early in a long run, and late.
  package static var early: BenchmarkMetric { .custom("early", useScalingFactor: false) }
  package static var late: BenchmarkMetric { .custom("late", useScalingFactor: false) }
}

extension Benchmark.Configuration {
  /// For what is looked at once, and not timed.
  package static func once(_ metrics: [BenchmarkMetric]) -> Self {
    .init(metrics: [.throughput] + metrics, warmupIterations: 0, maxDuration: .seconds(300), maxIterations: 1)
  }
}
