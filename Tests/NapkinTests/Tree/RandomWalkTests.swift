// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Napkin

/// Random sequences of events in worlds that are too large to be walked in full, against every rule.
@Suite struct RandomWalkTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func `no random sequence of events breaks a rule`(seed: UInt64) {
    var walk = RandomWalk(seed: seed)
    let result = walk.run(events: 15_000)
    print("seed \(seed): \(result)")
    #expect(result.broken == nil, "\(result)")
    #expect(result.combinations > 500)
  }

  @Test func `a random walk sends each event that the driver can send, with each flag`() {
    var walk = RandomWalk(seed: 4)
    let result = walk.run(events: 30_000)
    let missing = SentEvent.all.filter { result.sent & $0.bit == 0 }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test func `a broken rule is reported with the few events that break it`() {
    var walk = RandomWalk(seed: 1)
    walk.rule = { world in
      world.nodes.contains { world.machine[$0].phase == .resigning && world.machine[$0].isLeaving } ? "no" : nil
    }
    let result = walk.run(events: 15_000)
    #expect(result.broken == "no")
    #expect(result.steps.count <= 5, "\(result)")
  }
}
