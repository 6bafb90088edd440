// SPDX-License-Identifier: Apache-2.0
import Benchmark
import EnginePairs
import Foundation
import Registration
import Sampling

let benchmarks: @Sendable () -> Void = {
  // Benchmarks/run builds the pump and says where it is.
  let pump = ProcessInfo.processInfo.environment["NAPKIN_BARE_PUMP"] ?? ".build/release/bare-pump"
  for pair in Pair.engine(pump: pump) { pair.register() }
}
