// SPDX-License-Identifier: Apache-2.0
internal import EngineBodies
@_spi(Benchmarks) internal import NapkinTesting
package import Sampling

extension Pair {
  /// Returns every body under every strategy, a step each, against the program `bare-pump` at a path; an empty body an
  /// execution each.
  package static func engine(pump path: String) -> [Pair] {
    let pump = BarePump(path: path)
    return EngineBody.all.enumerated().flatMap { number, body in
      strategies(for: body).map { strategy in
        let isEmpty = body.name == EngineBody.empty.name
        return Pair(
          "\(body.name), \(strategy)",
          unit: "execution",
          goal: isEmpty ? nil : goal(of: strategy),
          nanoseconds: isEmpty ? 4_000 : nil,
          subject: { await engineBatch(of: body, strategy) },
          yardstick: { pump.batch(ofBody: number) }
        )
      }
    }
  }

  private static func engineBatch(of body: EngineBody, _ strategy: Explorer.Strategy) async -> Reading {
    await Reading.ofProcessor(body.batch) {
      let explorer = Explorer(executions: body.batch, strategy: strategy, seed: 1, shrinks: false)
      let exploration = await explorer.run(body.run)
      precondition(exploration.executions == body.batch, "\(exploration.failure?.messages ?? [])")
      return exploration.steps
    }
  }

  private static func strategies(for body: EngineBody) -> [Explorer.Strategy] {
    let all: [Explorer.Strategy] = [
      .random, .pct(depth: 3), .pos, .surw, .guided, .fifo, .portfolio,
    ]
    return body.name == EngineBody.empty.name ? [.random, .portfolio] : all
  }

  /// The goals are for random, PCT and the portfolio; the others are shown beside them.
  private static func goal(of strategy: Explorer.Strategy) -> Double? {
    switch strategy {
    case .random: 1.3
    case .pct(depth: 3), .portfolio: 1.6
    default: nil
    }
  }
}
