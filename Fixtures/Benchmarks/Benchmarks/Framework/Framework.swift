// SPDX-License-Identifier: Apache-2.0
import Benchmark
import FrameworkPairs
import Registration
import Sampling

let benchmarks: @Sendable () -> Void = {
  for pair in Pair.framework() { pair.register() }

  Benchmark("memory", configuration: .once([.bytes])) { benchmark in
    for _ in 0..<3 { benchmark.measurement(.bytes, Int(await Pair.bytesPerNode(nodes: 100_000))) }
  }
}
