// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct DetachmentRuleTests {
  private let forged = ForgedEvents()

  @Test func `T4 a child that leaves while it is active is reported`() {
    let events = forged.family + [forged.detached]
    #expect(forged.verdicts(events) == ["T4 detachment: Below has left Above, and B is still active."])
    #expect(forged.verdicts(events, without: [.detachment]) == [])
  }

  @Test func `T4 a child that was activated directly while it left has the last word`() {
    let activation: [LifecycleEvent] =
      [.requested(forged.lifeBelow, active: true)] + forged.wakes(forged.lifeBelow)
    #expect(
      forged.verdicts(forged.family + [forged.detach] + forged.belowSleeps + activation + [forged.detached]) == [])
  }
}
