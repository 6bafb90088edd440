// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct DormancyRuleTests {
  private let forged = ForgedEvents()

  @Test func `T7 a node that is active below an inactive one is reported at rest`() {
    let events = forged.family + [.deactivated(forged.life)]
    #expect(forged.verdicts(events) { $0.checkAtRest() } == ["T7 dormancy: B is active, and A above it is not."])
    #expect(forged.verdicts(events, without: [.dormancy]) { $0.checkAtRest() } == [])
  }

  @Test func `T7 a node that was activated directly below an inactive one may be active`() {
    let sleeps = forged.family + forged.belowSleeps + forged.resigns(forged.life)
    let activation: [LifecycleEvent] =
      [.requested(forged.lifeBelow, active: true)] + forged.wakes(forged.lifeBelow)
    #expect(forged.verdicts(sleeps + activation) { $0.checkAtRest() } == [])
  }
}
