// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct CallOrderRuleTests {
  private let forged = ForgedEvents()

  @Test func `T6 a child that the last call put elsewhere is reported at rest`() {
    let events = forged.family + [forged.detach]
    #expect(
      forged.verdicts(events) { $0.checkAtRest() }
        == ["T6 callOrder: Below is under Above, and by the order of the calls it is detached."])
    #expect(forged.verdicts(events, without: [.callOrder]) { $0.checkAtRest() } == [])
  }

  @Test func `T6 an attach that was lost is reported at rest`() {
    #expect(
      forged.verdicts(forged.strangers + [forged.attach]) { $0.checkAtRest() }
        == ["T6 callOrder: Below is detached, and by the order of the calls it is under Above."])
  }

  @Test func `T2 the model turns down what is misuse`() {
    let wrong: [LifecycleEvent] = [
      .attachRequested(child: forged.below, parent: forged.other),
      .attachRequested(child: forged.above, parent: forged.below),
      .attachRequested(child: forged.above, parent: forged.above),
    ]
    #expect(forged.verdicts(forged.family + forged.third + wrong) { $0.checkAtRest() } == [])
  }

  @Test func `T13 the end of a parent detaches its children`() {
    #expect(
      forged.verdicts(forged.family + forged.belowSleeps + [.routerDeinit(forged.above)]) { $0.checkAtRest() } == [])
  }
}
