// SPDX-License-Identifier: Apache-2.0
internal import Napkin
package import Sampling

extension Pair {
  /// Building and tearing down large trees against small ones, a node each: the ratio is 1 if the cost is flat.
  package static func trees() -> [Pair] {
    var pairs: [Pair] = []
    for count in [10_000, 100_000] {
      let time = Duration.seconds(count / 10_000)
      for phase in [TreePhase.build, .tearDown] {
        pairs.append(
          Pair(
            "\(phase.rawValue) \(count) nodes, against 1000", unit: "node", goal: 1.5, time: time,
            subject: { await phase.reading(nodes: count, trees: 1) },
            yardstick: { await phase.reading(nodes: 1_000, trees: 10) }
          )
        )
      }
    }
    return pairs
  }

  /// The bytes that a node takes in a tree of a given size.
  @MainActor
  package static func bytesPerNode(nodes: Int) async -> Double {
    let grove = await Grove()
    await grove.build(nodes)
    let bytes = grove.bytes
    await grove.tearDown()
    return bytes
  }
}

private enum TreePhase: String, Sendable {
  case build
  case tearDown = "tear down"

  @MainActor
  func reading(nodes: Int, trees: Int) async -> Reading {
    var sum = Reading(nanoseconds: 0, count: 0)
    for _ in 0..<trees {
      let grove = await Grove()
      let build = await Reading.onMain(nodes) { await grove.build(nodes) }
      let tearDown = await Reading.onMain(nodes) { await grove.tearDown() }
      sum.nanoseconds += (self == .build ? build : tearDown).nanoseconds
      sum.count += nodes
    }
    return sum
  }
}
