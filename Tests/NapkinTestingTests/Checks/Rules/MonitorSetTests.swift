// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct MonitorSetTests {
  private let forged = ForgedEvents()

  @Test func `an ordinary life breaks no rule`() {
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

  @Test func `a violation that lasts is reported once`() {
    let found = forged.verdicts(forged.family + [.deactivated(forged.life)]) {
      $0.checkAtRest()
      $0.checkAtRest()
    }
    #expect(found == ["T7 dormancy: B is active, and A above it is not."])
  }

  @Test func `a tool's name replaces a napkin's, numbered from the second on`() {
    let renamed: [LifecycleEvent] = [.renamed(forged.above, "node"), .renamed(forged.below, "node")]
    let found = forged.verdicts(forged.strangers + renamed) { $0.checkAtEnd() }
    #expect(found == ["T10 release: node was never released.", "T10 release: node #2 was never released."])
  }
}
