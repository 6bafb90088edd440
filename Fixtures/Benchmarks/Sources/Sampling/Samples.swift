// SPDX-License-Identifier: Apache-2.0

/// All samples of a pair.
package struct Samples: Sendable {
  private var samples: [Pair.Sample] = []

  package init() {}

  package var count: Int { samples.count }

  package mutating func add(_ sample: Pair.Sample) { samples.append(sample) }

  /// The value below which the given part of the samples lies.
  package func percentile(_ percentile: Double, of value: (Pair.Sample) -> Double) -> Double {
    let sorted = samples.map(value).sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * percentile / 100))]
  }

  /// The ratio of most samples; half are better and half are worse.
  package var ratio: Double { percentile(50) { $0.ratio } }
}
