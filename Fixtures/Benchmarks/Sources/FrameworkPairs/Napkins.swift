// SPDX-License-Identifier: Apache-2.0
internal import Napkin

/// An interactor whose callbacks are the defaults.
actor Plain: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

/// An interactor both of whose callbacks run on the actor.
actor Busy: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  private var calls = 0

  func didBecomeActive() async { calls += 1 }
  func willResignActive() async { calls += 1 }
}

/// What a round trip goes to.
actor Ping {
  private var hits = 0

  func hit() -> Int {
    hits += 1
    return hits
  }
}

/// Work on the main actor, without which the optimiser makes one round trip of two.
@MainActor
enum Desk {
  private static var sum = 0

  @inline(never)
  static func note(_ value: Int) { sum &+= value }
}

/// A parent, active, and a leaf that comes and goes.
@MainActor
final class Stage<Leaf: Interactable> {
  let parent = Router(interactor: Plain())
  let leaf: Router<Leaf>

  init(_ leaf: Leaf) async {
    self.leaf = Router(interactor: leaf)
    await parent.interactor.activate()
  }

  func comeAndGo(_ times: Int) async {
    for _ in 0..<times {
      await parent.attachChild(leaf)
      await parent.detachChild(leaf)
    }
  }
}

/// A leaf as a feature's protocol has it: a slot knows its children by one.
@MainActor
protocol LeafRouting: Routing {}

extension Router: LeafRouting {}

/// A parent, active, and two leaves that take each other's place, in a slot or by hand.
@MainActor
final class Swaps {
  private let parent = Router(interactor: Plain())
  private let leaves: [any LeafRouting]
  private let slot: ChildSlot<any LeafRouting>
  private var shown: (any LeafRouting)?

  init<Leaf: Interactable>(_ make: () -> Leaf) async {
    leaves = [Router(interactor: make()), Router(interactor: make())]
    slot = ChildSlot(of: parent)
    await parent.interactor.activate()
  }

  func bySlot(_ times: Int) async {
    for index in 0..<times { await slot.show { leaves[index % 2] } }
    await slot.clear()
  }

  func byHand(_ times: Int) async {
    for index in 0..<times {
      if let shown { await parent.detachChild(shown) }
      let leaf = leaves[index % 2]
      shown = leaf
      await parent.attachChild(leaf)
    }
    if let shown { await parent.detachChild(shown) }
    shown = nil
  }
}
