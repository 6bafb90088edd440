// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct LoadingRuleTests {
  private let forged = ForgedEvents()

  @Test func `T1 a second load is reported`() {
    let events = forged.family + [.loadBegan(forged.below)]
    #expect(forged.verdicts(events) == ["T1 loading: Below was loaded a second time."])
    #expect(forged.verdicts(events, without: [.loading]) == [])
  }

  @Test func `T1 a load before the first activation is reported`() {
    #expect(
      forged.verdicts(forged.strangers + [forged.attach, forged.attached, .loadBegan(forged.below)])
        == ["T1 loading: Below was loaded before its interactor was ever active."])
  }

  @Test func `T1 a load after a detach is reported`() {
    let events = forged.strangers + [forged.attach, forged.attached] + forged.belowWakes
    #expect(
      forged.verdicts(events + [forged.detach, .loadBegan(forged.below)])
        == ["T1 loading: Below was loaded, though it had been detached before that."])
    #expect(forged.verdicts(events + [.loadBegan(forged.below), forged.detach]) == [])
  }

  @Test func `T1 a child that is not active under an active parent is reported at rest`() {
    let events = forged.strangers + [forged.attach, forged.attached]
    #expect(
      forged.verdicts(events) { $0.checkAtRest() }
        == ["T1 loading: Below is under Above, which is active, and B is not active."])
  }

  @Test func `T1 a child that was never loaded under an active parent is reported at rest`() {
    let events = forged.strangers + [forged.attach, forged.attached] + forged.belowWakes
    #expect(
      forged.verdicts(events) { $0.checkAtRest() }
        == ["T1 loading: Below is under Above, which is active, and was never loaded."])
  }

  @Test func `T1 a child that was deactivated directly may be inactive`() {
    let deactivation: [LifecycleEvent] =
      [.requested(forged.lifeBelow, active: false)] + forged.resigns(forged.lifeBelow)
    #expect(
      forged.verdicts(forged.family + deactivation + [.requestReturned(forged.lifeBelow, active: false)]) {
        $0.checkAtRest()
      } == [])
  }
}
