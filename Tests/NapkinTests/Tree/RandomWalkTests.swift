// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Napkin

/// Random sequences of events in worlds that are too large to be walked in full, against every rule.
@Suite struct RandomWalkTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func `no random sequence of events breaks a rule`(seed: UInt64) {
    var walk = RandomWalk(seed: seed)
    let result = walk.run(events: 15_000)
    print("seed \(seed): \(result)")
    #expect(result.broken == nil, "\(result)")
    #expect(result.combinations > 500)
  }

  private static func call(
    _ kind: WalkedCall.Kind, _ node: Int32, _ parent: Int32 = -1, by caller: Int32? = nil
  ) -> WalkedEvent {
    let call = WalkedCall(kind: kind, node: Node(index: node), parent: Node(index: parent))
    return .call(call, by: caller.map { Frame(node: Node(index: $0), isLoad: false) })
  }

  private static func returns(_ node: Int32) -> WalkedEvent { .callbackReturns(Node(index: node)) }

  /// Sequences in an active chain of as many nodes that did not come to rest, or to a wrong one.
  private static let found: [(nodes: Int, events: [WalkedEvent])] = [
    // A child that is wanted active kept its permission to resign, and did not get it again.
    (
      4,
      [
        call(.deactivate, 0), call(.activate, 1), returns(3), returns(3), call(.deactivate, 3), returns(0),
        call(.deactivate, 0),
      ]
    ),
    (
      4,
      [
        call(.deactivate, 0), call(.activate, 1), returns(3), returns(3), call(.deactivate, 3), returns(0),
        .release(Node(index: 0)),
      ]
    ),
    // A callback that begins to hold up the call that it waits for.
    (
      3,
      [call(.detach, 1, 0), call(.activate, 2, by: 2), returns(2), call(.attach, 1, 0, by: 2), call(.deactivate, 2)]
    ),
    // A child that leaves while its parent is activated again.
    (
      4,
      [call(.deactivate, 3), call(.detach, 2, 1, by: 3), call(.activate, 2), call(.detach, 1, 0), call(.activate, 1)]
    ),
  ]

  @Test(arguments: found.indices) func `a sequence that a walk has found comes to rest`(index: Int) {
    let (nodes, events) = Self.found[index]
    var world = WalkedWorld(WalkBounds(nodes: nodes, outstanding: 8, isPrompt: true, family: .activeChain))
    expectRest(after: events, in: &world)
  }

  @Test func `a call of a load that a disowned parent comes to wait for is answered`() {
    var world = WalkedWorld(WalkBounds(nodes: 5, outstanding: 6, isPrompt: true, isForeign: true))
    let loads = Frame(node: Node(index: 4), isLoad: true)
    let events: [WalkedEvent] = [
      Self.call(.attach, 4, 1), Self.returns(4), Self.call(.deactivate, 4), Self.returns(4),
      .call(WalkedCall(kind: .activate, node: Node(index: 3)), by: loads), Self.call(.activate, 1, by: 3),
      Self.returns(1), .adopt(Node(index: 1), by: Node(index: 0)), Self.returns(4), .disown(Node(index: 1)),
    ]
    for event in events {
      #expect(world.isPossible(event), "\(event)")
      _ = world.apply(event)
      if world.broken == nil { world.checkState() }
      #expect(world.broken == nil, "after \(event)")
    }
  }

  @Test func `T8 a load does not wait for the rest of what is woken after it`() {
    // Node 3 is to resign after its sibling, or to be woken after the load of node 2, which waits for the rest of node 0.
    var world = WalkedWorld(WalkBounds(nodes: 5, outstanding: 8, isPrompt: true))
    let loads = Frame(node: Node(index: 2), isLoad: true)
    let events: [WalkedEvent] = [
      Self.call(.activate, 0), Self.returns(0), Self.call(.attach, 1, 0), Self.returns(1),
      .loadReturns(Node(index: 1)), Self.call(.attach, 2, 1), Self.returns(2), Self.call(.attach, 3, 2),
      Self.returns(3), .loadReturns(Node(index: 3)), Self.call(.attach, 4, 2), Self.returns(4),
      .loadReturns(Node(index: 4)), .call(WalkedCall(kind: .deactivate, node: Node(index: 0)), by: loads),
      Self.call(.activate, 1),
    ]
    expectRest(after: events, in: &world)
  }

  @Test func `T8 an activation is complete where its node is adopted, and has yet to load`() {
    // Node 1 is active, and its child's callback is to wait for one that waits for the activation of node 1.
    var world = WalkedWorld(WalkBounds(nodes: 4, outstanding: 6, isPrompt: true, isForeign: true))
    let events: [WalkedEvent] = [
      Self.call(.activate, 0), Self.returns(0), Self.call(.activate, 1), Self.returns(1), Self.call(.deactivate, 1),
      Self.returns(1), Self.call(.attach, 2, 1), Self.call(.activate, 1), Self.returns(1), Self.call(.activate, 3),
      Self.call(.activate, 1, by: 3), .adopt(Node(index: 1), by: Node(index: 0)), Self.call(.deactivate, 3, by: 2),
    ]
    expectRest(after: events, in: &world)
  }

  @Test func `T1 a waking goes on where a foreign routing drops the child that it has come to`() {
    var world = WalkedWorld(WalkBounds(nodes: 4, outstanding: 6, isPrompt: true, isForeign: true))
    let (foreign, first, second) = (world.nodes[0], world.nodes[1], world.nodes[2])
    let events: [WalkedEvent] = [
      .adopt(first, by: foreign), .adopt(second, by: foreign), Self.call(.activate, 3), Self.returns(3),
      Self.call(.attach, 0, 3), Self.returns(0), .loadReturns(foreign), .release(first),
    ]
    expectRest(after: events, in: &world)
    #expect(world.machine[second].phase == .active)
  }

  @Test func `T4 a child that joins a parent that resigns is the first to, as its child leaves`() {
    // The turn was with node 3, which wakes again, and is node 1's or node 5's now.
    var world = WalkedWorld(WalkBounds(nodes: 7, outstanding: 6, isPrompt: true, isForeign: true))
    let foreign = world.nodes[0]
    let loads = Frame(node: foreign, isLoad: true)
    let events: [WalkedEvent] = [
      Self.call(.attach, 0, 1), Self.returns(0),
      .call(WalkedCall(kind: .attach, node: world.nodes[4], parent: world.nodes[3]), by: loads),
      Self.call(.detach, 0, 1), Self.returns(0), Self.call(.activate, 5), Self.returns(5),
      .adopt(world.nodes[1], by: foreign), Self.call(.attach, 6, 5), Self.returns(6), .loadReturns(world.nodes[6]),
      Self.call(.activate, 0), Self.returns(0), Self.returns(1), .adopt(world.nodes[3], by: foreign),
      Self.call(.deactivate, 0), Self.call(.activate, 3, by: 4), Self.call(.detach, 6, 5),
      .adopt(world.nodes[5], by: foreign),
    ]
    expectRest(after: events, in: &world)
  }

  @Test func `T4 a resignation goes on where a foreign routing drops the child that resigns`() {
    var world = WalkedWorld(WalkBounds(nodes: 3, outstanding: 6, isPrompt: true, isForeign: true))
    let (foreign, first, second) = (world.nodes[0], world.nodes[1], world.nodes[2])
    let events: [WalkedEvent] = [
      .adopt(first, by: foreign), .adopt(second, by: foreign), Self.call(.activate, 0), Self.returns(0),
      Self.returns(1), .loadReturns(first), Self.returns(2), .loadReturns(second), Self.call(.deactivate, 0),
      .release(second),
    ]
    expectRest(after: events, in: &world)
    #expect(world.machine[first].phase == .inactive)
  }

  private func expectRest(after events: [WalkedEvent], in world: inout WalkedWorld) {
    for event in events {
      #expect(world.isPossible(event), "\(event)")
      _ = world.apply(event)
      if world.broken == nil { world.checkState() }
      #expect(world.broken == nil, "after \(event)")
    }
    world.settle()
    world.checkRest()
    #expect(world.broken == nil)
  }

  @Test func `T1 a router may be deactivated by the event that loads it, after it is active`() {
    // The child of a node that refuses to resign is loaded where it stands, and sleeps where that node joins next.
    var world = WalkedWorld(
      WalkBounds(nodes: 4, outstanding: 6, isPrompt: true, kinds: [.plain, .plain, .defaults], mayRefuse: true))
    world.isOnMain = true
    let (mover, child) = (Node(index: 1), Node(index: 2))
    let events: [WalkedEvent] = [
      Self.call(.activate, 0), Self.returns(0), Self.call(.deactivate, 0), Self.returns(0),
      Self.call(.attach, 1, 3), Self.returns(1), .loadReturns(mover), Self.call(.detach, 1, 3),
      Self.call(.attach, 2, 1), Self.call(.activate, 2), Self.call(.attach, 1, 0), Self.call(.activate, 1),
      .refuses(mover),
    ]
    expectRest(after: events, in: &world)
    #expect(world[child].load == .isOver)
    #expect(world.machine[child].phase == .inactive)
  }

  @Test func `a random walk sends each event that the driver can send, with each flag`() {
    var walk = RandomWalk(seed: 4)
    let result = walk.run(events: 30_000)
    let missing = SentEvent.all.filter { !result.sent.contains($0) }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test func `a broken rule is reported with the few events that break it`() {
    var walk = RandomWalk(seed: 1)
    walk.rule = { world in
      world.nodes.contains { world.machine[$0].phase == .resigning && world.machine[$0].isLeaving } ? "no" : nil
    }
    let result = walk.run(events: 15_000)
    #expect(result.broken == "no")
    #expect(result.steps.count <= 5, "\(result)")
  }
}
