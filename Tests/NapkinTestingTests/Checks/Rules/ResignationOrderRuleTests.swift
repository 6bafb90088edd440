// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct ResignationOrderRuleTests {
  private let forged = ForgedEvents()

  /// B and, after it, C are active under A.
  private var siblings: [LifecycleEvent] {
    let call: [LifecycleEvent] = [.attachRequested(child: forged.other, parent: forged.above)]
    let stands: [LifecycleEvent] = [.attached(child: forged.other, parent: forged.above)]
    let loads: [LifecycleEvent] = [
      .loadBegan(forged.other), .loadEnded(forged.other), .attachReturned(child: forged.other, parent: forged.above),
    ]
    return forged.family + forged.third + call + stands + forged.visit(forged.otherLife, wakes: true) + loads
  }

  private var falls: LifecycleEvent { .requested(forged.life, active: false) }
  private var cSleeps: [LifecycleEvent] { forged.visit(forged.otherLife, wakes: false) }
  private let early =
    "T4 resignationOrder: willResignActive() of B began before that of C, which was attached after it."

  @Test func `T4 a subtree that resigns deepest first and the last attached first is sound`() {
    let resigns = cSleeps + forged.belowSleeps + forged.resigns(forged.life)
    #expect(forged.verdicts(siblings + [falls] + resigns) == [])
  }

  @Test func `T4 a parent that resigns before its child is reported`() {
    let events = forged.family + [falls] + forged.resigns(forged.life)
    #expect(
      forged.verdicts(events) == ["T4 resignationOrder: willResignActive() of A began while B below it was active."])
    #expect(forged.verdicts(events, without: [.resignationOrder]) == [])
  }

  @Test func `T4 siblings that resign in the order of their attachment are reported`() {
    let events = siblings + [falls] + forged.belowSleeps + cSleeps + forged.resigns(forged.life)
    #expect(forged.verdicts(events) == [early])
    #expect(forged.verdicts(events, without: [.resignationOrder]) == [])
  }

  @Test func `T10 siblings that resign first to last when their parent has ended are reported`() {
    let events = siblings + [.routerDeinit(forged.above)]
    #expect(forged.verdicts(events + forged.belowSleeps + cSleeps) == [early])
    #expect(forged.verdicts(events + cSleeps + forged.belowSleeps) == [])
  }

  @Test func `T10 a child that has joined another parent is no sibling any more`() {
    let moves: [LifecycleEvent] = [.attached(child: forged.other, parent: forged.below)]
    let wakes = forged.visit(forged.otherLife, wakes: true)
    let events = siblings + [.routerDeinit(forged.above)] + cSleeps + moves + wakes
    let ends: [LifecycleEvent] = [.detached(child: forged.other, parent: forged.below)]
    #expect(forged.verdicts(events + ends + forged.belowSleeps, without: [.detachment]) == [])
  }

  @Test func `T4 a child below which a call goes on does not wait for its siblings`() {
    let calls: [LifecycleEvent] = [
      .lifecycleCreated(forged.scope, owner: "D"),
      .routerCreated(forged.deep, name: "Deep", lifecycle: forged.scope),
      .attachRequested(child: forged.deep, parent: forged.below),
      .attached(child: forged.deep, parent: forged.below),
    ]
    #expect(forged.verdicts(siblings + calls + [.routerDeinit(forged.above)] + forged.belowSleeps) == [])
  }

  @Test func `T4 a child that is detached itself does not wait for its siblings`() {
    #expect(forged.verdicts(siblings + forged.leaves) == [])
  }

  @Test func `T4 a child that was asked for itself does not wait for its siblings`() {
    let asked: [LifecycleEvent] = [.requested(forged.lifeBelow, active: false)] + forged.resigns(forged.lifeBelow)
    #expect(forged.verdicts(siblings + asked) == [])
    #expect(forged.verdicts(siblings + [falls] + asked) == [])
  }

  @Test func `T4 where two calls put a part of the tree to sleep nothing is said of siblings`() {
    let calls = [falls, .requested(forged.life, active: false)]
    #expect(forged.verdicts(siblings + calls + forged.belowSleeps + cSleeps) == [])
  }

  @Test func `T4 a direct activation takes precedence over siblings and parents`() {
    let events = siblings + [falls] + cSleeps + [.requested(forged.otherLife, active: true)]
    let wakes = forged.wakes(forged.otherLife) + [.requestReturned(forged.otherLife, active: true)]
    #expect(forged.verdicts(events + wakes + forged.belowSleeps + forged.resigns(forged.life)) == [])
  }

  @Test func `L5 an activation that is cut short does not wait for its siblings`() {
    let becomes: [LifecycleEvent] = [.activated(forged.lifeBelow), .didBecomeActiveBegan(forged.lifeBelow)]
    let visit: LifecycleEvent = .visited(forged.lifeBelow, wakes: true)
    let request: LifecycleEvent = .requested(forged.lifeBelow, active: true, mayVisit: true)
    // B wakes with A, which is asked to sleep before it is done.
    let events =
      siblings + [falls] + cSleeps + forged.belowSleeps + forged.resigns(forged.life)
      + [.requestReturned(forged.life, active: false), .requested(forged.life, active: true)]
      + forged.wakes(forged.life)
      + forged.visit(forged.otherLife, wakes: true) + [visit, request] + becomes
      + [.requestReturned(forged.life, active: true), falls, .didBecomeActiveEnded(forged.lifeBelow)]
    #expect(forged.verdicts(events + forged.resigns(forged.lifeBelow), without: [.activationReturn]) == [])
  }
}
