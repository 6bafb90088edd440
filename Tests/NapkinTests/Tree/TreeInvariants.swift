// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// A property of the machine's fields that every event keeps, whichever state has it: not only the reachable ones.
///
/// Each is named for the field beside which `TreeMachine` says it.
struct TreeInvariant: Sendable, CustomStringConvertible {
  typealias Machine = TreeMachine
  typealias Record = TreeMachine.Record

  let field: String
  let says: String
  /// Whether it speaks of a node and those beside it alone, not of all requests.
  var isLocal = true
  let holds: @Sendable (Machine, Node) -> Bool

  var description: String { "\(field): \(says)" }

  /// The first invariant that a state breaks, and where.
  static func broken(in machine: Machine) -> String? {
    let nodes = machine.records.indices.map { Node(index: Int32($0)) }
    if let broken = broken(in: machine, at: nodes, among: all) { return broken }
    if Int(machine.pendingCount) != machine.records.count(where: { $0.nextParent != .none }) {
      return "pendingCount: the nodes that have to leave before they join"
    }
    return nil
  }

  /// The first invariant that some nodes of a state break, among those that need not look at all requests.
  static func broken(in machine: Machine, at nodes: [Node]) -> String? {
    broken(in: machine, at: nodes, among: all.filter(\.isLocal))
  }

  private static func broken(in machine: Machine, at nodes: [Node], among invariants: [TreeInvariant]) -> String? {
    for node in nodes {
      for invariant in invariants where !invariant.holds(machine, node) { return "node \(node.index), \(invariant)" }
    }
    return nil
  }

  static let all: [TreeInvariant] = [
    TreeInvariant(field: "parent", says: "the children of a node are one list, which ends, and know their parent") {
      machine, node in
      let children = machine.children(of: node)
      let previous = children.last.map { [$0] + children.dropLast() } ?? []
      return zip(children, previous).allSatisfy { machine[$0].parent == node && machine[$0].previous == $1 }
        && (machine[node].parent == .none || machine.children(of: machine[node].parent).contains(node))
    },
    TreeInvariant(field: "cursor", says: "a child that a waking or a resignation has come to") {
      machine, node in
      let record = machine[node]
      if record.cursor == .none { return true }
      let isSearched = record.wantedState != .active || (record.isWaking && record.isFullyActive) || record.isToResign
      return machine[record.cursor].parent == node && isSearched
    },
    TreeInvariant(field: "nextParent", says: "only what leaves has another parent to join, whose router is there") {
      machine, node in
      let next = machine[node].nextParent
      return next == .none || (machine[node].isLeaving && machine[next].hasRouter)
    },
    TreeInvariant(field: "nextParent", says: "no node stands above itself, nor will when all have joined") {
      machine, node in
      !machine.above(node).contains(node)
    },
    TreeInvariant(field: "wantedBelow", says: "the children that a deactivation has to reach are counted") {
      machine, node in
      Int(machine[node].wantedBelow) == machine.children(of: node).count { machine.isWanted($0) }
    },
    TreeInvariant(field: "restlessBelow", says: "the children that have yet to resign are counted") { machine, node in
      Int(machine[node].restlessBelow) == machine.children(of: node).count { machine[$0].isRestless }
    },
    TreeInvariant(
      field: "named", says: "the requests in the name of the node's callbacks are counted", isLocal: false
    ) {
      machine, node in
      Int(machine[node].named) == machine.requests.count { $0.node != .none && $0.frame?.node == node }
    },
    TreeInvariant(field: "requests", says: "no request that is fulfilled waits") { machine, node in
      var machine = machine
      return machine.calls(at: node).allSatisfy { !machine.isDone($0, at: node) }
    },
    TreeInvariant(field: "wantedState", says: "what is wanted active is not inactive, and begins at once") {
      machine, node in
      let record = machine[node]
      return record.wantedState != .active || record.phase != .inactive
    },
    TreeInvariant(field: "wantedState", says: "of a child something is wanted") { machine, node in
      machine[node].wantedState != .none || machine[node].parent == .none
    },
    TreeInvariant(field: "isInterrupted", says: "what is activated in vain, and may resign once it is active") {
      machine, node in
      let record = machine[node]
      if !record.isInterrupted { return record.phase != .activating || record.wantedState == .active }
      return record.phase == .activating
        || (record.mayResign && (record.phase == .active || record.phase == .resigning))
    },
    TreeInvariant(field: "isWaking", says: "only what is wanted wakes, and what does not wake any more is active") {
      machine, node in
      let record = machine[node]
      return record.isWaking ? record.wantedState == .active : record.wantedState != .active || record.isFullyActive
    },
    TreeInvariant(
      field: "isWaking", says: "a waking waits for a callback, a load, the main actor or a child that wakes"
    ) {
      machine, node in
      let record = machine[node]
      guard record.isWaking, record.isFullyActive else { return true }
      if record.cursor != .none, machine[record.cursor].isWaking { return true }
      return machine.needsLoad(node) && (record.load == .running || record.awaitsMain)
    },
    TreeInvariant(field: "isRestless", says: "what has yet to resign, or something below it has") { machine, node in
      let record = machine[node]
      let hasToResign = record.wantedState == .inactive && record.phase != .inactive && !record.hasRefusedToResign
      return record.isRestless == (record.restlessBelow > 0 || machine.resigns(record) || hasToResign)
    },
    TreeInvariant(field: "mayResign", says: "only what is to resign may") { machine, node in
      !machine[node].mayResign || machine[node].isToResign
    },
    TreeInvariant(field: "mayResign", says: "what may resign does, or something below it may") {
      machine, node in
      let record = machine[node]
      guard record.mayResign else { return true }
      if record.restlessBelow == 0 { return record.phase != .active }
      return machine.children(of: node).contains {
        machine[$0].isRestless && (machine[$0].mayResign || !machine[$0].isToResign)
      }
    },
    TreeInvariant(
      field: "mayResign", says: "what has yet to be permitted to resign stands below what permits it, or what wakes it"
    ) {
      machine, node in
      let record = machine[node]
      return record.phase != .active || record.hasRefusedToResign || !record.isToResign
        || machine.awaitsPermission(node)
    },
    TreeInvariant(field: "isLeaving", says: "only a child leaves, and waits for a resignation or the main actor") {
      machine, node in
      let record = machine[node]
      return !record.isLeaving || (record.parent != .none && (record.isRestless || record.awaitsMain))
    },
    TreeInvariant(
      field: "hasRefusedToResign", says: "only what is active though it is wanted inactive is not waited for"
    ) {
      machine, node in
      let record = machine[node]
      return !record.hasRefusedToResign
        || (record.wantedState == .inactive && record.phase == .active && !record.isInterrupted)
    },
    TreeInvariant(field: "staysInactive", says: "only what is wanted inactive stays so") { machine, node in
      !machine[node].staysInactive || machine[node].wantedState == .inactive
    },
    TreeInvariant(field: "wasActive", says: "what is active was") { machine, node in
      machine[node].phase == .inactive || machine[node].wasActive
    },
    TreeInvariant(field: "hasLeft", says: "what stands below a parent has not left") { machine, node in
      !machine[node].hasLeft || machine[node].parent == .none
    },
    TreeInvariant(field: "mayBeAwaited", says: "what is waited for is known to be, and all above it") { machine, node in
      let isAwaited = machine.calls(at: node).contains(.whenActive)
      let isAwaitedBelow = machine.children(of: node).contains { machine[$0].mayBeAwaited }
      return machine[node].mayBeAwaited || !(isAwaited || isAwaitedBelow)
    },
    TreeInvariant(field: "hasLeft", says: "nothing waits for what has left its place and is not asked for") {
      machine, node in
      var machine = machine
      return !machine.calls(at: node).contains(.whenActive) || !machine.isVoid(node)
    },
    TreeInvariant(field: "load", says: "what stands below a router that is gone leaves it, and a child has a router") {
      machine, node in
      if machine[node].hasRouter { return true }
      return machine[node].parent == .none && machine.children(of: node).allSatisfy { machine[$0].isLeaving }
    },
  ]
}

extension TreeMachine {
  fileprivate func children(of node: Node) -> [Node] {
    var children: [Node] = []
    var child = self[node].first
    while child != .none, children.count <= records.count {
      children.append(child)
      child = self[child].next
    }
    return children
  }

  /// The parent and the next parent of a node, theirs, and so on.
  fileprivate func above(_ node: Node) -> [Node] {
    var above: [Node] = []
    var open = [node]
    while let next = open.popLast() {
      for parent in [self[next].parent, self[next].nextParent] where parent != .none && !above.contains(parent) {
        above.append(parent)
        open.append(parent)
      }
    }
    return above
  }

  /// Whether a node may resign, will be permitted to from above, or is woken before.
  fileprivate func awaitsPermission(_ start: Node) -> Bool {
    var node = start
    while node != .none, !self[node].mayResign {
      if self[node].parent == .none { return false }
      if isToBeWoken(node) { return true }
      node = self[node].parent
      if self[node].wantedState == .active || !self[node].isToResign { return false }
    }
    return true
  }

  /// Whether the waking of a node's parent has yet to come to it.
  fileprivate func isToBeWoken(_ node: Node) -> Bool {
    let (record, parent) = (self[node], self[self[node].parent])
    guard parent.isWaking, !record.isLeaving, !record.staysInactive else { return false }
    // Until the parent is active again, the place of the search is that of the resignations.
    return !parent.isFullyActive || parent.cursor == .none
      || children(of: record.parent).drop { $0 != parent.cursor }.contains(node)
  }

  /// The calls of the requests at a node.
  fileprivate func calls(at node: Node) -> [Call] {
    var calls: [Call] = []
    var id = self[node].requests
    while id >= 0, calls.count <= requests.count {
      calls.append(requests[Int(id)].call)
      id = requests[Int(id)].next
    }
    return calls
  }
}
