// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct ActivityWaitRuleTests {
  private let forged = ForgedEvents()
  private var life: ObjectIdentifier { forged.life }
  private var waits: [LifecycleEvent] {
    [.lifecycleCreated(life, owner: "A"), .activityAwaited(life, wait: 1)]
  }
  private let below: LifecycleEvent

  init() { below = .activityAwaited(forged.lifeBelow, wait: 1) }

  private func ends(_ id: ObjectIdentifier, isActive: Bool, isCancelled: Bool = false) -> [LifecycleEvent] {
    [.activityWaitEnded(id, wait: 1, isActive: isActive, isCancelled: isCancelled)]
  }

  @Test func `L11 a wait that ends with the activation is sound`() {
    #expect(forged.verdicts(waits + forged.wakes(life) + ends(life, isActive: true)) { $0.checkAtRest() } == [])
    let active = forged.awake + [.activityAwaited(life, wait: 1)]
    #expect(forged.verdicts(active + ends(life, isActive: true)) { $0.checkAtRest() } == [])
  }

  @Test func `L11 a wait may end with an activation that is over again`() {
    let events = waits + forged.wakes(life) + forged.resigns(life) + ends(life, isActive: true)
    #expect(forged.verdicts(events) { $0.checkAtRest() } == [])
  }

  @Test func `L11 a wait that returns before the interactor is active is reported`() {
    let returned = ["L11 activityWait: whenActive() of A returned, and it has not been active since the call."]
    #expect(forged.verdicts(waits + ends(life, isActive: true)) == returned)
    let becoming = waits + [.activated(life), .didBecomeActiveBegan(life)] + ends(life, isActive: true)
    #expect(forged.verdicts(becoming) == returned)
    #expect(forged.verdicts(becoming, without: [.activityWait]) == [])
  }

  @Test func `L11 a wait that throws without a reason is reported`() {
    #expect(
      forged.verdicts(waits + ends(life, isActive: false))
        == [
          "L11 activityWait: whenActive() of A threw, though its task is not cancelled and its router is in its place."
        ])
    #expect(forged.verdicts(waits + ends(life, isActive: false, isCancelled: true)) == [])
  }

  @Test func `L11 a wait that goes on while the interactor is active is reported at rest`() {
    #expect(
      forged.verdicts(waits + forged.wakes(life)) { $0.checkAtRest() }
        == ["L11 activityWait: whenActive() of A has not returned, and it is active."])
  }

  @Test func `L11 a wait that outlasts the place of the router is reported at rest`() {
    let waiting = forged.strangers + [forged.attach, forged.attached, below, forged.detach, forged.detached]
    let left = ["L11 activityWait: whenActive() of B has not thrown, and its router has left its place."]
    #expect(forged.verdicts(waiting, without: [.attachReturn]) { $0.checkAtRest() } == left)
    #expect(forged.verdicts(waiting + ends(forged.lifeBelow, isActive: false)) == [])
    #expect(forged.verdicts(forged.strangers + [below, .routerDeinit(forged.below)]) { $0.checkAtRest() } == left)
  }

  @Test func `L11 a wait for what a slot has passed over throws, until it is attached`() {
    let waiting = forged.strangers + [below, .passedOver(forged.below)]
    let throwing = ends(forged.lifeBelow, isActive: false)
    #expect(forged.verdicts(waiting + throwing) { $0.checkAtRest() } == [])
    #expect(
      forged.verdicts(waiting) { $0.checkAtRest() }
        == ["L11 activityWait: whenActive() of B has not thrown, and its router has left its place."])
    let attached = forged.strangers + [.passedOver(forged.below), forged.attach, forged.attached, below]
    #expect(
      forged.verdicts(attached + throwing) == [
        "L11 activityWait: whenActive() of B threw, though its task is not cancelled and its router is in its place."
      ])
  }

  @Test func `L11 a wait may throw when the parent of the router is released`() {
    let joined = forged.strangers + [forged.attach, forged.attached]
    let throwing = ends(forged.lifeBelow, isActive: false)
    #expect(forged.verdicts(joined + [below, .routerDeinit(forged.above)] + throwing) == [])
    #expect(forged.verdicts(joined + [.routerDeinit(forged.above), below] + throwing) == [])
    // One that has joined elsewhere has left the old place before.
    let again =
      joined + forged.third + [
        .routerDeinit(forged.above), .attachRequested(child: forged.below, parent: forged.other),
        .attached(child: forged.below, parent: forged.other), below,
      ]
    #expect(
      forged.verdicts(again + throwing) == [
        "L11 activityWait: whenActive() of B threw, though its task is not cancelled and its router is in its place."
      ])
  }

  @Test func `L11 a wait goes on while the router moves`() {
    let third = forged.third
    let moves: [LifecycleEvent] = [
      forged.attach, forged.attached, below, forged.detach,
      .attachRequested(child: forged.below, parent: forged.other), forged.detached,
      .attached(child: forged.below, parent: forged.other),
    ]
    #expect(forged.verdicts(forged.strangers + third + moves) { $0.checkAtRest() } == [])
  }
}
