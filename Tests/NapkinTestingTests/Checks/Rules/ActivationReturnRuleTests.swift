// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct ActivationReturnRuleTests {
  private let forged = ForgedEvents()
  private var life: ObjectIdentifier { forged.life }
  private var asleep: [LifecycleEvent] { [.lifecycleCreated(life, owner: "A")] }

  @Test func `L3 an activation that returns too early is reported`() {
    let early = asleep + [.requested(life, active: true), .requestReturned(life, active: true)]
    #expect(forged.verdicts(early) == ["L3 activationReturn: activate() of A returned, and it is inactive."])
    let begun =
      asleep + [
        .requested(life, active: true), .activated(life), .didBecomeActiveBegan(life),
        .requestReturned(life, active: true),
      ]
    #expect(
      forged.verdicts(begun) == [
        "L3 activationReturn: activate() of A returned while didBecomeActive() was still running."
      ])
    #expect(forged.verdicts(begun, without: [.activationReturn]) == [])
  }

  @Test func `L3 a deactivation that returns too early is reported`() {
    #expect(
      forged.verdicts(forged.awake + [.requested(life, active: false), .requestReturned(life, active: false)])
        == ["L3 activationReturn: deactivate() of A returned, and it is active."])
  }

  @Test func `T13 a parent that has ended may deactivate what has not left it`() {
    // Below stands under a parent that is gone, and Other under Below.
    let (below, other) = (forged.below, forged.other)
    let joins: [LifecycleEvent] =
      [.attachRequested(child: other, parent: below), .attached(child: other, parent: below)]
      + forged.visit(forged.otherLife, wakes: true)
      + [.loadBegan(other), .loadEnded(other), .attachReturned(child: other, parent: below)]
    let sleeps = forged.visit(forged.otherLife, wakes: false) + forged.belowSleeps
    let orphans = forged.family + forged.third + joins + [.routerDeinit(forged.above)] + sleeps
    for life in [forged.lifeBelow, forged.otherLife] {
      let wakes = [.requested(life, active: true)] + forged.wakes(life) + [.requestReturned(life, active: true)]
      #expect(forged.verdicts(orphans + wakes + forged.resigns(life)) { $0.checkAtRest() } == [])
    }
  }

  @Test func `T4 a deactivation that leaves something below active is reported`() {
    let deactivation: [LifecycleEvent] =
      [.requested(life, active: false)] + forged.resigns(life) + [.requestReturned(life, active: false)]
    #expect(
      forged.verdicts(forged.family + deactivation, without: [.resignationOrder])
        == ["L3 activationReturn: deactivate() of A returned, and B below it is active."])
  }

  @Test func `L3 a call that another one superseded may return early`() {
    let calls: [LifecycleEvent] = [
      .requested(life, active: true), .requested(life, active: false), .requestReturned(life, active: true),
    ]
    #expect(forged.verdicts(asleep + calls) == [])
  }

  @Test func `L3 the end of the router supersedes a call about its interactor`() {
    let calls: [LifecycleEvent] = [.requested(life, active: true), .requestReturned(life, active: true)]
    let events = forged.strangers + calls + [.routerDeinit(forged.above)] + forged.resigns(life)
    #expect(forged.verdicts(events) { $0.checkAtRest() } == [])
  }

  @Test func `L3 a detach of the parent supersedes a call about a child that leaves`() {
    // Above stands under Other; Below leaves it by a call that does not wait, and asks to be active while it resigns.
    let place: [LifecycleEvent] =
      [
        .attachRequested(child: forged.above, parent: forged.other),
        .attached(child: forged.above, parent: forged.other),
      ]
      + [.attachReturned(child: forged.above, parent: forged.other)]
    let asks: [LifecycleEvent] =
      [forged.detach, forged.detachReturns, .visited(forged.lifeBelow, wakes: false)]
      + [.requested(forged.lifeBelow, active: false, mayVisit: true), .willResignActiveBegan(forged.lifeBelow)]
      + [.requested(forged.lifeBelow, active: true)]
    let parentLeaves: [LifecycleEvent] = [.detachRequested(child: forged.above, parent: forged.other)]
    let left: [LifecycleEvent] =
      [.willResignActiveEnded(forged.lifeBelow), .deactivated(forged.lifeBelow), forged.detached]
    let parentLeft: [LifecycleEvent] =
      forged.resigns(life) + [.detached(child: forged.above, parent: forged.other)]
      + [.detachReturned(child: forged.above, parent: forged.other)]
    let begun = forged.family + forged.third + place + asks
    func verdicts(_ events: [LifecycleEvent]) -> [String] {
      forged.verdicts(begun + events, without: [.detachReturn]) { $0.checkAtRest() }
    }
    #expect(verdicts(parentLeaves + left + parentLeft) == [])
    #expect(
      verdicts(left) == ["L3 activationReturn: activate() was the last call about B, and it is inactive."])
  }

  @Test func `L3 a call that is lost is reported at rest`() {
    let events = forged.awake + [.requested(life, active: false)]
    #expect(
      forged.verdicts(events) { $0.checkAtRest() } == [
        "L3 activationReturn: deactivate() was the last call about A, and it is active."
      ])
  }
}
