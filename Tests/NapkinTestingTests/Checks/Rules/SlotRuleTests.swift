// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct SlotRuleTests {
  private let forged = ForgedEvents()

  /// Two routers stand free, and a slot of Above has been called once.
  private var begun: [LifecycleEvent] { forged.strangers + forged.third + [step(.called(1, clears: false))] }
  private var place: [LifecycleEvent] { forged.family.suffix(forged.family.count - forged.strangers.count) }

  /// Below is built, attached and returned by the first call.
  private var shown: [LifecycleEvent] {
    begun + [built(1), attaches(1)] + place + [step(.returned(1, isShown: true))]
  }

  private func step(_ kind: SlotEvent.Kind) -> LifecycleEvent {
    .slot(SlotEvent(slot: forged.scope, parent: forged.above, kind: kind))
  }
  private func built(_ call: Int) -> LifecycleEvent { step(.built(call, child: forged.below)) }
  private func attaches(_ call: Int) -> LifecycleEvent { step(.attaches(call, child: forged.below)) }
  private func change(_ leaving: ObjectIdentifier?, _ coming: ObjectIdentifier?) -> LifecycleEvent {
    step(.viewsBegan(leaving: leaving, coming: coming))
  }
  private func atRest(_ events: [LifecycleEvent]) -> [String] {
    forged.verdicts(events) { $0.checkAtRest() }
  }

  @Test func `T14 a child that is shown, and one that leaves again, are sound`() {
    #expect(atRest(shown) == [])
    #expect(atRest(shown + [step(.called(2, clears: true))] + forged.leaves) == [])
    #expect(atRest(shown + forged.leaves) == [], "it was detached by another way")
  }

  @Test func `T14 a child that leaves and comes back by another way is not in its slot`() {
    let below = forged.below
    let shows =
      begun + [built(1), attaches(1)] + place + [change(nil, below), forged.leaves[0], step(.viewsEnded)]
      + [step(.returned(1, isShown: true))]
    let comesBack =
      forged.leaves.dropFirst() + [change(below, nil), step(.viewsEnded), forged.attach, forged.attached]
      + forged.belowWakes + [forged.attachReturns]
    #expect(atRest(shows + comesBack) == [])
  }

  @Test func `T14 a superseded child that is attached is reported`() {
    let cleared = begun + [step(.called(2, clears: true)), built(1), attaches(1)]
    #expect(
      forged.verdicts(cleared)
        == ["T14 slots: a slot of Above attached Below for call 1, though it was cleared."])
    #expect(forged.verdicts(cleared, without: [.slots]) == [])
  }

  @Test func `T14 a call that returns its child though a later one was made is reported`() {
    let late =
      begun + [built(1), attaches(1)] + place
      + [step(.called(2, clears: false)), step(.returned(1, isShown: true))]
    #expect(
      forged.verdicts(late)
        == [
          "T14 slots: show(_:) of a slot of Above, call 1, returned its child, though call 2 was made after it."
        ])
  }

  @Test func `T14 a call that returns nil though no later one was made is reported`() {
    let events = begun + [built(1), attaches(1)] + place + [step(.returned(1, isShown: false))]
    #expect(
      forged.verdicts(events)
        == ["T14 slots: show(_:) of a slot of Above, call 1, returned nil, though no later call was made."])
  }

  @Test func `T14 a child that stays after a clear is reported at rest`() {
    #expect(
      atRest(shown + [step(.called(2, clears: true))])
        == ["T14 slots: a slot of Above has Below attached, and nothing was shown last."])
  }

  @Test func `T14 a clear that returns before the child has left is reported`() {
    let cleared = shown + [step(.called(2, clears: true)), forged.leaves[0]]
    #expect(
      forged.verdicts(cleared + [step(.cleared(2))])
        == ["T14 slots: clear() of a slot of Above, call 2, returned, and Below has not left."])
    #expect(atRest(cleared + forged.leaves.dropFirst() + [step(.cleared(2))]) == [])
    let superseded = cleared + [step(.called(3, clears: false)), step(.cleared(2))] + forged.leaves.dropFirst()
    #expect(atRest(superseded) == [])
  }

  @Test func `T14 a child that is attached beside one that has not left is reported`() {
    let next = forged.other
    let swap = [step(.called(2, clears: false)), step(.built(2, child: next)), forged.leaves[0]]
    let attach = step(.attaches(2, child: next))
    #expect(
      forged.verdicts(shown + swap + [attach])
        == ["T14 slots: a slot of Above attached Other, and Below has not left."])
    #expect(forged.verdicts(shown + swap + forged.leaves.dropFirst() + [attach]) == [])
  }

  @Test func `T14 views that change twice at a time, or from elsewhere, are reported`() {
    let below = forged.below
    #expect(
      forged.verdicts(shown + [change(nil, below), change(below, nil)])
        == ["T14 slots: the views of a slot of Above change to nothing while a change is under way."])
    #expect(
      forged.verdicts(shown + [change(forged.other, below)])
        == ["T14 slots: the views of a slot of Above change to Below from Other, and show nothing."])
    #expect(
      atRest(shown + [change(nil, below), step(.viewsEnded), change(below, nil), step(.viewsEnded)])
        == ["T14 slots: a slot of Above has Below, and its views show nothing."])
    let left = shown + [change(nil, below), step(.viewsEnded)] + forged.leaves
    #expect(
      atRest(left) == ["T14 slots: a slot of Above has nothing, and its views show Below."],
      "it left by another way")
    #expect(atRest(left + [change(below, nil), step(.viewsEnded)]) == [])
  }

  @Test func `the end of a transition is heard when its router is gone, too`() {
    let begun = shown + [change(nil, forged.below), .routerDeinit(forged.above)]
    _ = forged.verdicts(begun) { #expect($0.isBusy) }
    _ = forged.verdicts(begun + [step(.viewsEnded)]) { #expect(!$0.isBusy) }
  }

  @Test func `T14 a child that stands elsewhere is not attached by a slot that shows it`() async {
    await TreeFuzzer { SlottedRouter() }
      .action("show what stands elsewhere, and clear") { root in
        guard let other = await root.second.show({ SlottedLeaf(in: root) }) else { return }
        await other.attachChild(root.kept)
        await root.first.show { root.kept }
        await root.first.clear()
        await other.detachChild(root.kept)
      }
      .allowingMisuse()
      .check(executions: 20, actions: 1...1, seed: 1)
  }

  @Test func `T14 two slots of a router keep the rule, whatever is called, and wherever`() async {
    await TreeFuzzer { SlottedRouter() }
      .action("show") { await $0.show(in: $0.first) }
      .action("show beside") { await $0.show(in: $0.second) }
      .action("show what is kept") { root in await root.first.show { root.kept } }
      .action("clear") { await $0.first.clear() }
      .action("clear beside") { await $0.second.clear() }
      .action("close from below") { await $0.first.child?.interactor.finish() }
      .check(executions: 500, seed: 1)
  }
}

@MainActor private func animate(_ leaving: SlottedLeaf?, _ coming: SlottedLeaf?) async { await Task.yield() }

/// Has two slots, the first with views that take their time.
@MainActor private final class SlottedRouter: Router<SlottedInteractor> {
  private(set) lazy var first = ChildSlot<SlottedLeaf>(of: self, transition: animate)
  private(set) lazy var second = ChildSlot<SlottedLeaf>(of: self)
  private(set) lazy var kept = SlottedLeaf(in: self)

  init() { super.init(interactor: SlottedInteractor()) }

  func show(in slot: ChildSlot<SlottedLeaf>) async {
    await slot.show {
      for _ in 0..<Execution.draw(.int(in: 0...2)) { await Task.yield() }
      return SlottedLeaf(in: self)
    }
  }
}

@MainActor private final class SlottedLeaf: Router<SlottedInteractor> {
  init(in parent: SlottedRouter) {
    super.init(interactor: SlottedInteractor { [weak parent] in await parent?.first.clear() })
  }
}

/// Takes a moment in each callback; as a leaf it may close itself when it becomes active.
private final actor SlottedInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private let close: (@Sendable () async -> Void)?

  init(_ close: (@Sendable () async -> Void)? = nil) { self.close = close }

  func didBecomeActive() async {
    if Execution.draw(.int(in: 0...4)) == 0 { await close?() }
    await Task.yield()
  }
  func willResignActive() async { await Task.yield() }
  func finish() async { await close?() }
}
