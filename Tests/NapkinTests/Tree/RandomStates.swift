// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// Random states of the machine that have every invariant, reachable or not, and each event that the driver could send there.
struct RandomStates {
  struct Result: CustomStringConvertible {
    var states = 0
    var events = 0
    var broken: String?

    var description: String { broken ?? "\(events) events in \(states) random states" }
  }

  private var random: SplitMix
  private var machine = TreeMachine()
  private var nodes: [Node] = []

  init(seed: UInt64) { random = SplitMix(state: seed) }

  /// Tries each event in this many states.
  mutating func check(states: Int) -> Result {
    var result = Result()
    // Some states in a hundred that are drawn have every invariant.
    for _ in 0..<10_000 * states where result.states < states && result.broken == nil {
      draw()
      guard TreeInvariant.broken(in: machine) == nil else { continue }
      result.states += 1
      for (event, onMain) in events() {
        var after = machine
        result.events += 1
        _ = after.handle(event, onMain: onMain)
        guard let broken = TreeInvariant.broken(in: after) else { continue }
        result.broken =
          "\(broken)\nafter \(event)\(onMain ? ", on main" : "") in\n\(Self.text(of: machine))leads to\n"
          + Self.text(of: after)
        break
      }
    }
    return result
  }

  /// The events that the driver could send, and whether on the main actor; a routing that is no `Router` has no invariants.
  private func events() -> [(TreeMachine.Event, Bool)] {
    var events: [(TreeMachine.Event, Bool)] = []
    var frames: [Frame?] = [nil]
    for node in nodes {
      let record = machine[node]
      if record.phase == .activating || record.phase == .resigning {
        frames.append(Frame(node: node, isLoad: false))
        events += [.callbackReturned(node), .refused(node)].flatMap { [($0, false), ($0, true)] }
      }
      if record.phase == .closing { events += [(.closed(node), false), (.closed(node), true)] }
      if record.awaitsMain { events.append((.onMain(node), true)) }
      if record.load == .running {
        frames.append(Frame(node: node, isLoad: true))
        events.append((.loadEnded(node), true))
      }
      // A parent that is no `Router` may have dropped it; what leaves is held until it has left.
      let isHeld = record.isLeaving || nodes.contains { machine[$0].nextParent == node }
      if record.hasRouter, !isHeld { events.append((.routerEnded(node, isReleased: true), true)) }
      events += [false, true].map { (.whenActive(node, isInside: $0), false) }
      events.append((.passOver(node), true))
    }
    for frame in frames {
      for node in nodes {
        events += [.activate(node, in: frame), .deactivate(node, in: frame)].flatMap { [($0, false), ($0, true)] }
        guard machine[node].hasRouter else { continue }
        events += [false, true].map { (.load(node, begins: $0, in: frame), true) }
        for parent in nodes where machine[parent].hasRouter {
          events += [(.attach(node, to: parent, in: frame), true), (.detach(node, from: parent, in: frame), true)]
          events.append((.attachAgain(node, to: parent, in: frame), true))
        }
      }
    }
    for id in machine.requests.indices where machine.requests[id].node != .none {
      events.append((.withdraw(Int32(id)), false))
    }
    return events
  }

  private mutating func draw() {
    machine = TreeMachine()
    nodes = (0..<2 + random.below(4)).map { _ in machine.makeNode() }
    for (index, node) in nodes.enumerated() {
      if index > 0, random.chance(4, 5) { machine.link(node, to: nodes[random.below(index)]) }
    }
    // The children of a node come first, since its counts follow from theirs.
    for node in nodes.reversed() {
      drawFields(of: node)
      count(node)
    }
    for node in nodes { drawPermission(of: node) }
    machine.pendingCount = nodes.count { machine[$0].nextParent != .none }
    if random.chance(2, 3) { for _ in 0...random.below(3) { drawRequest() } }
    machine.changed = []
  }

  private mutating func drawFields(of node: Node) {
    let phases: [TreeMachine.Phase] = [.inactive, .active, .activating, .active, .resigning, .closing]
    var record = machine[node]
    record.wantedState = [.active, .inactive, .active, .inactive, .none][random.below(record.parent == .none ? 5 : 4)]
    record.phase = record.wantedState == .none ? .inactive : phases[random.below(6)]
    record.load = [.due, .done, .done, .running, .noRouter][random.below(record.parent == .none ? 5 : 4)]
    record.isLeaving = record.parent != .none && random.chance(1, 4)
    record.isWaking = record.wantedState == .active && (!record.isFullyActive || random.chance(2, 3))
    record.isInterrupted = (record.phase != .inactive && record.phase != .closing) && random.chance(1, 4)
    if record.phase == .activating, record.wantedState != .active { record.isInterrupted = true }
    record.staysInactive = record.wantedState == .inactive && random.chance(1, 4)
    record.hasRefusedToResign = record.wantedState == .inactive && record.phase == .active && random.chance(1, 3)
    record.wasActive = record.phase != .inactive || random.chance(1, 2)
    record.hasLeft = record.parent == .none && random.chance(1, 3)
    record.mayBeAwaited = random.chance(2, 3)
    record.hasExtras = random.chance(1, 3)
    record.awaitsMain = random.chance(1, 4)
    if record.isLeaving, random.chance(1, 2) { record.nextParent = nodes[random.below(nodes.count)] }
    if record.nextParent == node { record.nextParent = .none }
    for method in TreeMachine.Method.allCases where record.defaults[.activate] || random.chance(1, 6) {
      record.defaults[method] = true
    }
    machine[node] = record
  }

  /// Sets the counts of a node, and where its search has come to.
  private mutating func count(_ node: Node) {
    let children = nodes.filter { machine[$0].parent == node }
    machine[node].wantedBelow = Int32(children.count { machine.isWanted($0) })
    machine[node].restlessBelow = Int32(children.count { machine[$0].isRestless })
    let record = machine[node]
    let hasToResign = record.wantedState == .inactive && record.phase != .inactive && !record.hasRefusedToResign
    machine[node].isRestless = record.restlessBelow > 0 || machine.resigns(record) || hasToResign
    let isSearched = record.wantedState != .active || record.isWaking && (record.isFullyActive || record.isToResign)
    let wakes = children.filter { machine[$0].isWaking }
    let places = record.wantedState == .active ? wakes : children
    machine[node].cursor =
      isSearched && !places.isEmpty && random.chance(3, 4) ? places[random.below(places.count)] : .none
  }

  private mutating func drawPermission(of node: Node) {
    let record = machine[node]
    guard record.isToResign else { return }
    let parent = record.parent
    let isOnTop = parent == .none || !(machine[parent].isToResign || machine[parent].isWaking && random.chance(9, 10))
    machine[node].mayResign = isOnTop || record.isInterrupted || random.chance(1, 2)
  }

  private mutating func drawRequest() {
    let calls: [TreeMachine.Call] = [
      .activate, .deactivate, .attach, .detach, .load, .attachInactive, .follow, .whenActive,
    ]
    let (call, node) = (calls[random.below(calls.count)], nodes[random.below(nodes.count)])
    guard !machine.isDone(call, at: node) else { return }
    let owner = nodes[random.below(nodes.count)]
    let frame = Frame(node: owner, isLoad: random.chance(1, 2))
    let isNamed = call != .whenActive && machine.isRunning(frame) && random.chance(1, 2)
    let id = Int32(machine.requests.count)
    machine.requests.append(
      TreeMachine.Request(call: call, node: node, frame: isNamed ? frame : nil, next: machine[node].requests))
    machine[node].requests = id
    guard isNamed else { return }
    machine.namedCount += 1
    machine[owner].named += 1
  }

  /// One line for each node.
  private static func text(of machine: TreeMachine) -> String {
    machine.records.enumerated().map { index, record in
      let marks = [
        (record.isInterrupted, "interrupted"), (record.isWaking, "waking"), (record.isRestless, "restless"),
        (record.mayResign, "may resign"), (record.isLeaving, "leaving"),
        (record.hasRefusedToResign, "has refused to resign"),
        (record.staysInactive, "stays inactive"), (record.awaitsMain, "awaits main"), (record.hasExtras, "extras"),
      ]
      let requests = machine.requests.filter { $0.node.index == index }.map { "\($0.call)" }
      return "  \(index) below \(record.parent.index), next \(record.nextParent.index), at \(record.cursor.index): "
        + "\(record.phase), wanted \(record.wantedState), load \(record.load)"
        + marks.filter(\.0).map { ", " + $0.1 }.joined() + requests.map { ", request \($0)" }.joined() + "\n"
    }.joined()
  }
}
