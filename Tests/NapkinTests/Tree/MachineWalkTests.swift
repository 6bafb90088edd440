// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Napkin

/// Every sequence of events of small worlds, against every rule.
@Suite(.serialized) struct MachineWalkTests {
  /// Walks that end within seconds in a debug build; `Fixtures/Mutants/walk` has the larger ones.
  private static let small = [
    WalkBounds(nodes: 2, outstanding: 4, calls: 4, isPrompt: true),
    WalkBounds(nodes: 3, outstanding: 2, calls: 2, isPrompt: true),
    WalkBounds(nodes: 2, outstanding: 2, calls: 2, isPrompt: false),
    WalkBounds(nodes: 2, outstanding: 3, calls: 3, isPrompt: true, mayRefuse: true),
    WalkBounds(nodes: 2, outstanding: 3, calls: 3, isPrompt: true, isForeign: true),
    WalkBounds(nodes: 2, outstanding: 3, calls: 3, isPrompt: true, hasTies: true),
  ]

  @Test(arguments: small) func `no sequence of events in a small world breaks a rule`(_ bounds: WalkBounds) async {
    await expectNoBrokenRule(bounds)
  }

  private static let (zero, one, two) = (Node(index: 0), Node(index: 1), Node(index: 2))

  /// The bugs that the walk has found, each in as few events as there can be.
  private static let found: [[WalkedEvent]] = [
    // An interrupted parent that is wanted active again resigns after its child, whose callback waits for it (T8).
    [
      .call(WalkedCall(kind: .activate, node: zero), by: nil),
      .call(WalkedCall(kind: .attach, node: zero, parent: one), by: Frame(node: zero, isLoad: false)),
      .call(WalkedCall(kind: .activate, node: one), by: Frame(node: zero, isLoad: false)),
      .release(one), .callbackReturns(one),
      .call(WalkedCall(kind: .activate, node: one), by: Frame(node: zero, isLoad: false)),
    ],
    // The same, where the callback waits for a node that wakes after that parent.
    [
      .call(WalkedCall(kind: .attach, node: zero, parent: one), by: nil),
      .call(WalkedCall(kind: .attach, node: one, parent: two), by: nil),
      .call(WalkedCall(kind: .deactivate, node: one), by: nil), .callbackReturns(one),
      .call(WalkedCall(kind: .activate, node: two), by: Frame(node: zero, isLoad: false)), .callbackReturns(two),
    ],
    // A child of a router that is gone leaves, though its interactor is activated again.
    [
      .call(WalkedCall(kind: .activate, node: zero), by: nil), .callbackReturns(zero),
      .call(WalkedCall(kind: .deactivate, node: zero), by: nil),
      .call(WalkedCall(kind: .attach, node: one, parent: zero), by: nil),
      .call(WalkedCall(kind: .activate, node: one), by: nil), .callbackReturns(one), .release(zero),
      .call(WalkedCall(kind: .activate, node: zero), by: nil),
    ],
    // A parent that was interrupted and is active again wakes its child.
    [
      .call(WalkedCall(kind: .activate, node: zero), by: nil),
      .call(WalkedCall(kind: .attach, node: one, parent: zero), by: nil),
      .call(WalkedCall(kind: .deactivate, node: zero), by: nil), .callbackReturns(zero), .callbackReturns(one),
      .call(WalkedCall(kind: .activate, node: zero), by: nil),
    ],
    // A node that is deactivated before a waking has come to it stays inactive, though its parent is still to wake (L3).
    [
      .call(WalkedCall(kind: .activate, node: zero), by: nil), .callbackReturns(zero),
      .call(WalkedCall(kind: .attach, node: one, parent: zero), by: nil), .callbackReturns(one), .loadReturns(one),
      .call(WalkedCall(kind: .attach, node: two, parent: one), by: nil), .callbackReturns(two), .loadReturns(two),
      .call(WalkedCall(kind: .deactivate, node: zero), by: nil),
      .callbackReturns(two), .callbackReturns(one), .callbackReturns(zero),
      .call(WalkedCall(kind: .activate, node: zero), by: nil),
      .call(WalkedCall(kind: .deactivate, node: two), by: nil),
    ],
  ]

  @Test(arguments: found) func `what the walk has found comes to rest`(_ events: [WalkedEvent]) {
    var world = WalkedWorld(WalkBounds(nodes: 3, outstanding: 4, isPrompt: true))
    for event in events {
      _ = world.apply(event)
      #expect(world.broken == nil)
    }
    while let next = world.progress().first {
      _ = world.apply(next)
      #expect(world.broken == nil)
    }
    world.checkRest()
    #expect(world.broken == nil)
  }

  @Test func `L3 a call whose request is answered by its own event does not wait`() {
    var world = WalkedWorld(WalkBounds(nodes: 2, outstanding: 4, isPrompt: true, kinds: [.defaults]))
    let events: [WalkedEvent] = [
      .call(WalkedCall(kind: .attach, node: Self.zero, parent: Self.one), by: nil), .loadReturns(Self.zero),
      .call(WalkedCall(kind: .activate, node: Self.one), by: nil), .release(Self.one),
      .call(WalkedCall(kind: .deactivate, node: Self.zero), by: nil),
    ]
    for event in events { _ = world.apply(event) }
    #expect(world.broken == nil)
  }

  // On a thread of its own: a walk never suspends, and explorations of other tests need the pool's threads meanwhile.
  private func expectNoBrokenRule(_ bounds: WalkBounds) async {
    let walked = Mutex(MachineWalk.Result())
    await onThreads([
      {
        let result = MachineWalk(bounds).run()
        walked.withLock { $0 = result }
      }
    ])
    let result = walked.withLock { $0 }
    print("\(bounds): \(result)")
    #expect(result.broken == nil, "\(result)")
    #expect(result.transitions > 1_000)
  }
}
