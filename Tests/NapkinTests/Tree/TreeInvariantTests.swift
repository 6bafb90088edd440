// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Napkin

/// The invariants that every event keeps in any state that has them, so that no walk has to reach that state.
@Suite struct TreeInvariantTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func `no event breaks an invariant in a random state`(seed: UInt64) {
    var states = RandomStates(seed: seed)
    let result = states.check(states: 300)
    print("seed \(seed): \(result)")
    #expect(result.broken == nil, "\(result)")
    #expect(result.states == 300)
    #expect(result.events > 20_000)
  }

  @Test func `a waking that supersedes a deactivation answers it`() {
    // Node 1 is inactive, and wakes with node 0 while node 2 below it resigns.
    var world = WalkedWorld(
      WalkBounds(nodes: 3, outstanding: 4, isPrompt: true, kinds: [.plain, .plain, .plain], family: .activeChain))
    let call = { (kind: WalkedCall.Kind, node: Node) in
      WalkedEvent.call(WalkedCall(kind: kind, node: node), by: nil)
    }
    _ = world.apply(call(.deactivate, world.nodes[0]))
    world.settle()
    _ = world.apply(call(.activate, world.nodes[2]))
    world.settle()
    for event in [call(.deactivate, world.nodes[1]), call(.activate, world.nodes[0])] { _ = world.apply(event) }
    #expect(world.callers.map(\.call.kind) == [.deactivate, .activate])
    _ = world.apply(.callbackReturns(world.nodes[0]))
    #expect(world.callers.map(\.call.kind) == [.activate])
    #expect(world.machine[world.nodes[1]].phase == .activating)
    #expect(world.broken == nil && TreeInvariant.broken(in: world.machine) == nil)
  }

  @Test func `L4 T8 L5 a call that is answered at once cancels what was interrupted before`() {
    var machine = TreeMachine()
    let (parent, child) = (machine.makeNode(), machine.makeNode())
    for node in [parent, child] { _ = machine.handle(.routerBegan(node)) }
    _ = machine.handle(.attach(child, to: parent, in: nil), onMain: true)
    // The first call may not have carried its effect out when the callback makes the others.
    #expect(machine.handle(.deactivate(child, in: nil)).effects == [.cancel(child)])
    let callback = TreeMachine.Frame(node: child, isLoad: false)
    for call in [TreeMachine.Event.deactivate(child, in: callback), .detach(child, from: parent, in: callback)] {
      let answer = machine.handle(call)
      #expect(answer.request == nil && answer.effects == [.cancel(child)])
    }
    #expect(machine.handle(.detach(child, from: parent, in: nil)).effects == [])
  }

  @Test func `a state that has lost an invariant is found`() {
    var machine = TreeMachine()
    let (parent, child) = (machine.makeNode(), machine.makeNode())
    for node in [parent, child] { _ = machine.handle(.routerBegan(node)) }
    machine.link(child, to: parent)
    machine[child].wantedState = .inactive
    #expect(TreeInvariant.broken(in: machine)?.hasPrefix("node 0, wantedBelow") == true)
    machine[parent].wantedBelow = 0
    #expect(TreeInvariant.broken(in: machine) == nil)
    machine[child].mayResign = true
    #expect(TreeInvariant.broken(in: machine)?.hasPrefix("node 1, mayResign") == true)
  }
}
