// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct MonitorSetTests {
  private let forged = ForgedEvents()

  @Test func `nobody complains of an ordinary life`() {
    let ends: [LifecycleEvent] =
      forged.resigns(forged.life) + [
        .routerDeinit(forged.below), .lifecycleDeinit(forged.lifeBelow), .routerDeinit(forged.above),
        .lifecycleDeinit(forged.life),
      ]
    let found = forged.verdicts(forged.family + forged.leaves + ends) {
      $0.checkAtRest()
      $0.checkAtEnd()
    }
    #expect(found == [])
  }

  @Test func `a breach that lasts is told once`() {
    let found = forged.verdicts(forged.family + [.deactivated(forged.life)]) {
      $0.checkAtRest()
      $0.checkAtRest()
    }
    #expect(found == ["T7: B is active, and A above it is not."])
  }

  @Test func `a name of a tool's own stands for a napkin, with a number from the second of that name on`() {
    let renamed: [LifecycleEvent] = [.renamed(forged.above, "node"), .renamed(forged.below, "node")]
    let found = forged.verdicts(forged.strangers + renamed) { $0.checkAtEnd() }
    #expect(found == ["T10: node was never released.", "T10: node #2 was never released."])
  }
}
