// SPDX-License-Identifier: Apache-2.0

/// How long a batch took, and of how much.
package struct Reading: Sendable {
  package var nanoseconds: Double
  package var count: Int

  /// The steps that all of it took, where it has such.
  package var steps: Int

  package init(nanoseconds: Double, count: Int, steps: Int? = nil) {
    self.nanoseconds = nanoseconds
    self.count = count
    self.steps = steps ?? count
  }

  package var each: Double { nanoseconds / Double(count) }

  /// Measures, in processor time, a batch that says how many steps it took.
  package static func ofProcessor(_ count: Int, _ batch: () async -> Int) async -> Reading {
    let start = ProcessorTime.nanoseconds
    let steps = await batch()
    return Reading(nanoseconds: ProcessorTime.nanoseconds - start, count: count, steps: steps)
  }

  /// Measures a batch on the main actor, where measuring must not add a hop.
  @MainActor
  package static func onMain(_ count: Int, _ batch: @MainActor () async -> Void) async -> Reading {
    let clock = ContinuousClock()
    let start = clock.now
    await batch()
    return Reading(nanoseconds: (clock.now - start).inNanoseconds, count: count)
  }
}

extension Duration {
  package var inNanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}
