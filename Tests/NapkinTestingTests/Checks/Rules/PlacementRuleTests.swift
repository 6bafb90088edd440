// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct PlacementRuleTests {
  private let forged = ForgedEvents()

  @Test func `T2 a second parent is reported`() {
    let events = forged.family + forged.third + [.attached(child: forged.below, parent: forged.other)]
    #expect(forged.verdicts(events) == ["T2 placement: Below is under Above and under Other."])
    #expect(forged.verdicts(events, without: [.placement]) == [])
  }

  @Test func `T2 a second place under one parent is reported`() {
    #expect(forged.verdicts(forged.family + [forged.attached]) == ["T2 placement: Below is twice under Above."])
  }

  @Test func `T2 a circle is reported`() {
    #expect(
      forged.verdicts(forged.family + [.attached(child: forged.above, parent: forged.below)])
        == ["T2 placement: Above was attached under Below, which is below it."])
  }
}
