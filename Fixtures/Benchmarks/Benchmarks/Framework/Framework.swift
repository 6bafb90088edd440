// SPDX-License-Identifier: Apache-2.0
import Benchmark
import FrameworkPairs
import Registration
import Sampling

let benchmarks: @Sendable () -> Void = {
  for pair in Pair.framework() { pair.register() }

  Benchmark("memory", configuration: .once([.bytes])) { benchmark in
    // Once: a second tree takes the tables over that the first one has left, a third of a node.
    benchmark.measurement(.bytes, Int(await Pair.bytesPerNode(nodes: 100_000)))
  }
}
