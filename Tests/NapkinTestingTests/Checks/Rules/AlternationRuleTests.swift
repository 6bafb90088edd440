// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct AlternationRuleTests {
  private let forged = ForgedEvents()

  @Test func `L2 a callback that begins while the other runs is reported`() {
    let life = forged.life
    let events: [LifecycleEvent] = [
      .lifecycleCreated(life, owner: "A"), .activated(life), .didBecomeActiveBegan(life), .willResignActiveBegan(life),
    ]
    let verdict = "L2 alternation: willResignActive() of A began while didBecomeActive() was still running."
    #expect(forged.verdicts(events) == [verdict])
    #expect(forged.verdicts(events, without: [.alternation]) == [])
  }

  @Test func `L2 a callback that comes twice in a row is reported`() {
    #expect(
      forged.verdicts(forged.awake + [.didBecomeActiveBegan(forged.life)])
        == ["L2 alternation: didBecomeActive() of A was called twice in a row."])
  }

  @Test func `L1 a callback that begins while isActive is false is reported`() {
    #expect(
      forged.verdicts([.lifecycleCreated(forged.life, owner: "A"), .didBecomeActiveBegan(forged.life)])
        == ["L2 alternation: didBecomeActive() of A began while isActive was false."])
  }
}
