// SPDX-License-Identifier: Apache-2.0
import Benchmark
import Memory
import NapkinTesting
import Registration
import RibHouse
import Sampling

let benchmarks: @Sendable () -> Void = {
  Pair.fuzzing("synthetic trees of 8, watched against unwatched", nanoseconds: 300_000) {
    await fuzzSynthetic(executions: $0, isWatched: $1)
  }.register()
  Pair.fuzzing("RibHouse, watched against unwatched") {
    await HouseFuzzer.run(executions: $0, isWatched: $1)
  }.register()

  Benchmark("memory", configuration: .once([.early, .late])) { benchmark in
    _ = await fuzzSynthetic(executions: 10_000, isWatched: true)
    benchmark.measurement(.early, napkin_allocated_bytes())
    _ = await fuzzSynthetic(executions: 100_000, isWatched: true)
    benchmark.measurement(.late, napkin_allocated_bytes())
  }
}

extension Pair {
  /// Executions of 12 actions by 3 callers, with every monitor on, against the same with none.
  static func fuzzing(
    _ name: String, nanoseconds: Double? = nil, _ run: @escaping @Sendable (Int, Bool) async -> Exploration
  ) -> Pair {
    let executions = 20
    @Sendable func reading(isWatched: Bool) async -> Reading {
      await Reading.ofProcessor(executions) {
        let exploration = await run(executions, isWatched)
        precondition(exploration.executions == executions, "\(exploration.failure?.messages ?? [])")
        return exploration.steps
      }
    }
    return Pair(
      name, unit: "execution", goal: 8, nanoseconds: nanoseconds, time: .seconds(4),
      subject: { await reading(isWatched: true) },
      yardstick: { await reading(isWatched: false) }
    )
  }
}

private func fuzzSynthetic(executions: Int, isWatched: Bool) async -> Exploration {
  var fuzzer = TreeFuzzer.synthetic(nodes: 8...8)
  if !isWatched { fuzzer = fuzzer.withoutMonitors() }
  return await fuzzer.run(executions: executions, actions: 12...12, concurrency: 3, seed: 1)
}
