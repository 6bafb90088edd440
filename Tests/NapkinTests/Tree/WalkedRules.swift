// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// The rules of the contract, each as a predicate on a call, an effect, a state or a state at rest.
extension WalkedWorld {
  private mutating func require(_ isKept: Bool, _ rule: @autoclosure () -> String) {
    if !isKept, broken == nil { broken = rule() }
  }

  /// Whether a call is misuse, or about what is no child, and so changes nothing.
  func isRefused(_ call: WalkedCall, _ before: TreeMachine) -> Bool {
    let (node, parent) = (call.node, call.parent)
    switch call.kind {
    case .attach:
      if node == parent || before[node].nextParent != .none { return true }
      if before[node].parent != .none, !before[node].isLeaving { return true }
      var above: Set<Node> = [parent]
      while true {
        let next = above.union(above.flatMap { [before[$0].parent, before[$0].nextParent] }).subtracting([.none])
        if next == above { return above.contains(node) }
        above = next
      }
    case .detach: return before[node].parent != parent && before[node].nextParent != parent
    case .activate, .deactivate, .load, .loaded, .whenActive: return false
    }
  }

  mutating func checkCall(_ call: WalkedCall, _ frame: Frame?, _ before: TreeMachine, _ answer: TreeMachine.Answer) {
    if let request = answer.request {
      let isDone = machine.requests[Int(request)].node == .none
      require(!isDone, "L3, T8: a call whose request is answered at once does not wait")
    }
    if isRefused(call, before) {
      require(answer.effects.isEmpty && answer.request == nil, "T2, T3: what is refused has no effect")
      if call.kind == .attach { require(answer.mistake != nil, "T2: a second parent and a circle are misuse") }
      require(machine == before, "T2, T3: what is refused changes nothing")
    } else {
      require(answer.mistake == nil, "T2: what is no misuse is accepted")
      if call.kind == .detach {
        require(machine.wantedParent(of: call.node) != call.parent, "T6: a detach withdraws what was asked for before")
      }
      if answer.request == nil, frame == nil {
        checkReturn(Caller(request: -1, call: call, hasLeft: machine[call.node].parent != call.parent))
      }
    }
  }

  /// What holds when a call returns that no callback made (L3, T1, T4, T9).
  private mutating func checkReturn(_ caller: Caller) {
    let (call, node) = (caller.call, caller.call.node)
    let record = machine[node]
    switch call.kind {
    case .activate:
      if record.wish == .active { require(record.phase == .active, "L3: activate() returns when it is active") }
    case .deactivate:
      // Of an interactor that was never to be active nothing is to be ended.
      if record.wish == .inactive {
        let isQuiet = subtree(of: node).allSatisfy {
          machine[$0].wish == .active || machine[$0].phase == .inactive || machine[$0].isDefiant
        }
        require(isQuiet, "L3, T4: deactivate() returns when all below is inactive")
      }
    case .attach:
      require(!isLeavingStill(caller), "T6: an attach that an ancestor's detach has superseded returns after that")
      guard !caller.isSuperseded, record.wish == .active, record.parent == call.parent,
        machine[call.parent].wish == .active
      else { return }
      require(record.phase == .active, "T1: attachChild() returns when the child is active")
      require(record.load == .done || !hasRouter(node), "T1: attachChild() returns when it is loaded")
    case .detach: require(caller.hasLeft, "T3, T4: detachChild() returns when the child has left")
    case .load, .loaded:
      require(record.load == .done || !hasRouter(node), "T9: loaded() returns when it is loaded")
    case .whenActive: require(isActive(node), "L11: whenActive() returns when it is active")
    }
  }

  /// Whether the child is on its way with the ancestor whose detach has superseded its attach, and nothing keeps it active.
  private func isLeavingStill(_ caller: Caller) -> Bool {
    guard caller.leavingAncestor != .none, machine[caller.leavingAncestor].isLeaving else {
      return false
    }
    var node = machine[caller.call.node].parent
    while node != .none, machine[node].wish == .inactive, node != caller.leavingAncestor { node = machine[node].parent }
    return node == caller.leavingAncestor && machine[node].wish == .inactive
  }

  mutating func check(_ effect: TreeMachine.Effect) {
    switch effect {
    case .begin(let node, .didBecomeActive):
      require(self[node].phase == .inactive, "L2: the callbacks of an interactor alternate")
      require(!self[node].isCancelled, "L5: what was cancelled resigns")
      let parent = machine[node].parent
      if parent != .none, machine[parent].wish == .inactive {
        require(self[node].isActivatedDirectly, "T7: a child of a sleeping parent sleeps")
      }
    case .begin(let node, .willResignActive):
      let wasCancelled = self[node].isCancelled
      self[node].isCancelled = false
      require(self[node].phase == .active, "L2: the callbacks of an interactor alternate")
      let isDeepest = subtree(of: node).allSatisfy {
        $0 == node || machine[$0].phase == .inactive || machine[$0].isDefiant
          || isKeptActive($0, below: node)
      }
      require(isDeepest, "T4: the deepest resigns first")
      let parent = machine[node].parent
      guard parent != .none, machine[parent].wish == .inactive, !self[node].isNamed, !wasCancelled,
        !callers.contains(where: { $0.call.node == node && $0.call.kind != .whenActive })
      else { return }
      let isLast = children(of: parent).reversed().prefix { $0 != node }.allSatisfy {
        machine[$0].phase == .inactive || self[$0].isActivatedDirectly || machine[$0].isDefiant
      }
      require(isLast, "T4: of siblings the last attached resigns first")
    case .detached(let node, _):
      let isQuiet = subtree(of: node).allSatisfy { self[$0].phase == .inactive || mayStayActive($0) }
      require(isQuiet, "T4: a child leaves when nothing below it is active")
      for index in callers.indices where callers[index].call.node == node {
        callers[index].leavingAncestor = .none
        // A wait goes on while the child moves.
        if callers[index].call.kind != .whenActive || machine[node].parent == .none { callers[index].hasLeft = true }
      }
    case .load(let node):
      require(self[node].load == .none, "T1: a router is loaded once")
      let isDetached = machine[node].isLeaving
      require(!isDetached || self[node].isLoadAsked, "T6: a child that was detached is not loaded")
      require(self[node].phase == .active || self[node].isLoadAsked, "T1: a router is loaded after it is active")
    case .resume(let request):
      guard let caller = callers.first(where: { $0.request == request }), caller.frame == nil else { return }
      checkReturn(caller)
    case .refuse(let request):
      guard let caller = callers.first(where: { $0.request == request }), caller.frame == nil else { return }
      let hasReason = caller.isCancelled || (caller.call.kind == .whenActive && caller.hasLeft)
      require(hasReason, "L11, T9: a wait ends early when its task is cancelled, or the router has left its place")
    case .attached(let node, _):
      // What joins a sleeping parent sleeps with all below it.
      guard machine[node].wish == .inactive else { return }
      for other in subtree(of: node) { self[other].isActivatedDirectly = false }
      supersede(subtree(of: node).filter { $0 != node })
    case .cancel(let node): self[node].isCancelled = true
    case .close, .onMain, .rest: break
    }
  }

  /// What was activated directly stays active, and what stands below that.
  private func mayStayActive(_ node: Node) -> Bool {
    machine[node].isDefiant
      || nodes.contains { isAbove($0, node) && (machine[$0].wish == .active || self[$0].isActivatedDirectly) }
  }

  /// Whether a direct call keeps a node active, though one above it resigns.
  private func isKeptActive(_ node: Node, below top: Node) -> Bool {
    nodes.contains { $0 != top && isAbove(top, $0) && isAbove($0, node) && self[$0].isActivatedDirectly }
  }

  /// What holds in every state.
  mutating func checkState() {
    for node in nodes {
      let record = machine[node]
      require(record.phase == self[node].phase, "L1: the machine knows what runs")
      if record.phase == .activating, record.isInterrupted {
        require(self[node].isCancelled, "L5: a deactivation cancels a running activation")
      }
      require(isForest(node), "T2: a router has one parent, and no circle stands above it")
      require(record.isRestless == isRestless(node), "T4: restless is what has yet to resign")
      let (wanted, restless) = below(node)
      require(record.wantedBelow == wanted, "T4: all that a deactivation has to reach is counted")
      require(record.restlessBelow == restless, "T4: all that has yet to resign is counted")
      let awaitsActivity = callers.contains { $0.call.kind == .whenActive && $0.call.node == node && $0.frame == nil }
      require(!awaitsActivity || !isActive(node), "L11: whenActive() of what is active has returned")
      if record.parent == .none { require(!record.isLeaving, "T3: only a child leaves") }
    }
  }

  private func isActive(_ node: Node) -> Bool {
    let record = machine[node]
    return self[node].phase == .active && !record.isInterrupted
      && (record.wish == .active || record.isDefiant)
  }

  private func children(of node: Node) -> [Node] {
    var children: [Node] = []
    var child = machine[node].first
    while child != .none, children.count <= nodes.count {
      children.append(child)
      child = machine[child].next
    }
    return children
  }

  private func isForest(_ node: Node) -> Bool {
    let below = children(of: node)
    guard below.count == nodes.count(where: { machine[$0].parent == node }), Set(below).count == below.count,
      below.allSatisfy({ machine[$0].parent == node }), machine[node].parent != node
    else { return false }
    var above = machine[node].parent
    for _ in nodes where above != .none {
      if above == node { return false }
      above = machine[above].parent
    }
    return true
  }

  private func isRestless(_ node: Node) -> Bool {
    let record = machine[node]
    if record.phase == .resigning || record.phase == .closing || record.isInterrupted { return true }
    if record.wish == .inactive, record.phase != .inactive, !record.isDefiant { return true }
    return children(of: node).contains(where: isRestless)
  }

  private func isWanted(_ node: Node) -> Bool {
    machine[node].wish != .inactive || children(of: node).contains(where: isWanted)
  }

  private func below(_ node: Node) -> (Int32, Int32) {
    let below = children(of: node)
    return (Int32(below.count(where: isWanted)), Int32(below.count(where: isRestless)))
  }

  /// What holds where nothing goes on by itself: every call has returned, and all that is wanted is so.
  mutating func checkRest() {
    // Without a load, `loaded()` goes on waiting (T9).
    let waiting = callers.filter { caller in
      switch caller.call.kind {
      case .loaded: machine[caller.call.node].load == .done
      // Without an activation, `whenActive()` goes on waiting (L11).
      case .whenActive: caller.frame != nil || caller.hasLeft || isActive(caller.call.node)
      default: true
      }
    }
    let open = waiting.map { "\($0.call)" }.joined(separator: ", ")
    require(waiting.isEmpty, "L4, T8: every call returns; not yet: \(open)")
    for node in nodes {
      let record = machine[node]
      require(!self[node].isCancelled, "L5: what was cancelled resigns")
      let isActive = record.wish == .active || record.isDefiant
      require(isActive == (record.phase == .active), "L3: what is wanted comes true")
      let isOnItsWay = record.isWaking || record.isRestless || record.isInterrupted
      let isHalfPlaced = record.isLeaving || record.load == .running || record.awaitsMain
      require(!isOnItsWay && !isHalfPlaced, "L3, T6: nothing is left half done")
      require(isSilent(node) || !self[node].isBrought, "T10, L8: nothing that calls have brought is kept")
      require(record.nextParent == .none, "T6: what is to join has joined")
      if callers.isEmpty { require(record.requests < 0, "L4, T8: no request is left") }
      let parent = record.parent
      guard parent != .none, !isForeign(parent) else { continue }
      require(hasRouter(parent), "T10: nothing stands below a router that is gone")
      if machine[parent].wish == .active {
        require(
          record.wish == .active || record.staysInactive, "T5, T7: children wake with their parent")
        if record.wish == .active {
          require(record.load == .done, "T1: what is active in the tree is loaded")
        }
      } else if machine[parent].wish == .inactive, record.wish == .active {
        require(self[node].isActivatedDirectly, "T7: a child of a sleeping parent sleeps")
      }
    }
    if let last { checkLast(last) }
  }

  /// The last call of all decides (L3).
  private mutating func checkLast(_ call: WalkedCall) {
    let record = machine[call.node]
    let isQuiet = subtree(of: call.node).allSatisfy {
      machine[$0].phase == .inactive || ($0 != call.node && machine[$0].isDefiant)
    }
    switch call.kind {
    case .activate: require(record.phase == .active, "L3: the last call decides: \(call)")
    case .deactivate: require(isQuiet || record.wish == .none, "L3: the last call decides: \(call)")
    case .detach:
      require(isQuiet && record.parent == .none, "L3, T4: the last call decides: \(call)")
    case .attach:
      require(record.parent == call.parent, "T1, T6: the last call decides: \(call)")
      let parent = machine[call.parent]
      let isAwake = (parent.phase == .active && !parent.isDefiant) || parent.wish == .none
      require((record.phase == .active) == isAwake, "T1, T7: the last call decides: \(call)")
    case .load, .loaded, .whenActive: break
    }
  }
}
