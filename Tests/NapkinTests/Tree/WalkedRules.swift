// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// The rules of the contract, each as a predicate on a call, an effect, a state or a state at rest.
extension WalkedWorld {
  private mutating func require(_ isKept: Bool, _ rule: @autoclosure () -> String) {
    if !isKept, broken == nil { broken = rule() }
  }

  /// Whether a call is misuse, or about a node that is no child, and so changes nothing.
  func isRefused(_ call: WalkedCall, _ before: TreeMachine) -> Bool {
    let (node, parent) = (call.node, call.parent)
    switch call.kind {
    case .attach:
      if node == parent || before[node].nextParent != .none { return true }
      if before[node].parent != .none, !before[node].isLeaving { return true }
      return stands(node, above: parent, in: before)
    case .detach: return before[node].parent != parent && before[node].nextParent != parent
    case .attachAgain: return before.wantedParent(of: node) != parent
    case .activate, .deactivate, .load, .loaded, .whenActive: return false
    }
  }

  /// Whether a node stands above another, or will if all that is wanted comes true and nothing else leaves.
  private func stands(_ node: Node, above other: Node, in machine: TreeMachine) -> Bool {
    var above: [Node] = [other]
    var index = 0
    while index < above.count {
      for next in [machine[above[index]].parent, machine[above[index]].nextParent]
      where next != .none && !above.contains(next) {
        above.append(next)
      }
      index += 1
    }
    return above.contains(node)
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
      if call.kind == .whenActive, frame == nil {
        require(answer.isRefused == isVoid(call.node, in: before), "L11: a wait for what has left alone is refused")
      }
      if answer.request == nil, frame == nil, !answer.isRefused {
        checkReturn(Caller(request: -1, call: call, hasLeft: machine[call.node].parent != call.parent))
      }
    }
  }

  /// Whether a router that a slot does not attach after all stands nowhere, and no call asks for it.
  func mayLeaveItsPlace(_ node: Node) -> Bool {
    let record = machine[node]
    return record.parent == .none && record.nextParent == .none && record.wantedState != .active
      && !record.hasRefusedToResign
  }

  mutating func checkPassing(of node: Node, leaves: Bool, _ before: TreeMachine) {
    if leaves {
      require(isVoid(node, in: machine), "L11: what a slot does not attach after all has left its place")
    } else {
      require(machine == before, "L11: what has a place, or is asked for, is not passed over")
    }
  }

  /// Whether a router, or one above it, has left its place, and no call asks for an interactor from there down to it.
  private func isVoid(_ node: Node, in machine: TreeMachine) -> Bool {
    let above = nodes.filter { other in
      var (next, steps) = (node, 0)
      while next != .none, next != other, steps < nodes.count { (next, steps) = (machine[next].parent, steps + 1) }
      return next == other
    }
    let hasLeft = above.contains { machine[$0].parent == .none && machine[$0].hasLeft }
    return hasLeft
      && above.allSatisfy {
        machine[$0].wantedState != .active && !machine[$0].hasRefusedToResign && machine[$0].nextParent == .none
      }
  }

  /// Checks the rules for the return of a call that no callback made (L3, T1, T4, T9).
  private mutating func checkReturn(_ caller: Caller) {
    let (call, node) = (caller.call, caller.call.node)
    let record = machine[node]
    switch call.kind {
    case .activate:
      // A superseded call returns with the resignation, after which a parent may wake the node again at once.
      let hasResigned = record.phase == .inactive || record.phase == .activating && !self[node].isCancelled
      if record.wantedState == .active, !(caller.isSuperseded && hasResigned) {
        require(record.phase == .active, "L3: activate() returns when it is active")
      }
    case .deactivate:
      // Of an interactor that was never to be active nothing is to be ended.
      if record.wantedState == .inactive, !caller.isOverruled {
        let isQuiet = subtree(of: node).allSatisfy {
          machine[$0].wantedState == .active || machine[$0].phase == .inactive || machine[$0].hasRefusedToResign
        }
        require(isQuiet, "L3, T4: deactivate() returns when all below is inactive")
      }
    case .attach, .attachAgain:
      require(!isLeavingStill(caller), "T6: an attach that an ancestor's detach has superseded returns after that")
      require(caller.isSuperseded || !isToWake(node), "T1: attachChild() waits for a waking that has begun")
      // It was attached and dormant before it was woken.
      guard !caller.isSuperseded, record.wantedState == .active, record.parent == call.parent,
        machine[call.parent].wantedState == .active, wokenDormant & bit(of: node) == 0
      else { return }
      require(record.phase == .active, "T1: attachChild() returns when the child is active")
      // A node activated directly before its parent is loaded when that has become active, which an earlier call awaits.
      if call.kind == .attachAgain, self[node].isActivatedDirectly { return }
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
    while node != .none, machine[node].wantedState == .inactive, node != caller.leavingAncestor {
      node = machine[node].parent
    }
    return node == caller.leavingAncestor && machine[node].wantedState == .inactive
  }

  mutating func check(_ effect: TreeMachine.Effect) {
    switch effect {
    case .begin(let node, .didBecomeActive):
      require(isSilent(node) || self[node].phase == .inactive, "L2: the callbacks of an interactor alternate")
      require(!self[node].isCancelled, "L5: what was cancelled resigns")
      let parent = machine[node].parent
      noteLateness(of: node)
      if parent != .none, machine[parent].wantedState == .inactive, !joinsLater(node) {
        require(self[node].isActivatedDirectly, "T7: a child of a sleeping parent sleeps")
      }
    case .begin(let node, .willResignActive):
      let wasCancelled = self[node].isCancelled
      self[node].isCancelled = false
      require(isSilent(node) || self[node].phase == .active, "L2: the callbacks of an interactor alternate")
      let isDeepest = subtree(of: node).allSatisfy {
        $0 == node || machine[$0].phase == .inactive || machine[$0].hasRefusedToResign
          || isKeptActive($0, below: node)
      }
      require(isDeepest || joinsLater(node), "T4: the deepest resigns first, not node \(node.index)")
      let parent = machine[node].parent
      guard parent != .none, machine[parent].wantedState == .inactive, !self[node].isNamed, !wasCancelled,
        !callers.contains(where: { $0.call.node == node && $0.call.kind != .whenActive }), !isFollowed(node)
      else { return }
      let isLast = children(of: parent).reversed().prefix { $0 != node }.allSatisfy {
        machine[$0].phase == .inactive || self[$0].isActivatedDirectly || machine[$0].hasRefusedToResign
          || self[$0].isLate
      }
      require(isLast || joinsLater(parent), "T4: of siblings the last attached resigns first, not node \(node.index)")
    case .detached(let node, _):
      let isQuiet = subtree(of: node).allSatisfy { self[$0].phase == .inactive || mayStayActive($0) }
      require(isQuiet, "T4: a child leaves when nothing below it is active")
      require(machine[node].hasLeft == (machine[node].parent == .none), "L11: what leaves is known to have left")
      // An ancestor that has left, and leaves another place later, supersedes nothing that was asked for before that.
      for index in callers.indices where callers[index].leavingAncestor == node {
        callers[index].leavingAncestor = .none
      }
      for index in callers.indices where callers[index].call.node == node {
        callers[index].leavingAncestor = .none
        // A wait goes on while the child moves.
        if callers[index].call.kind != .whenActive || machine[node].parent == .none { callers[index].hasLeft = true }
      }
    case .load(let node):
      require(self[node].load == .none, "T1: a router is loaded once")
      let isDetached = machine[node].isLeaving
      require(!isDetached || self[node].isLoadAsked, "T6: a child that was detached is not loaded")
      // A skipped activation has no effect, and a later step of the event may have deactivated the node again.
      let wasActive = isSilent(node) ? machine[node].wasActive : self[node].phase == .active
      require(wasActive || self[node].isLoadAsked, "T1: a router is loaded after it is active")
    case .resume(let request):
      guard let caller = callers.first(where: { $0.request == request }), caller.frame == nil else { return }
      if !joinsLater(caller.call.node) { checkReturn(caller) }
    case .refuse(let request):
      guard let caller = callers.first(where: { $0.request == request }), caller.frame == nil else { return }
      let mayEnd = caller.hasLeft || isVoid(caller.call.node, in: machine)
      let hasReason = caller.isCancelled || (caller.call.kind == .whenActive && mayEnd)
      require(hasReason, "L11, T9: a wait ends early when its task is cancelled, or the router has left its place")
    case .attached(let node, _):
      joining.removeAll { $0 == node }
      noteLateness(of: node)
      // A node that joins a sleeping parent sleeps with all below it.
      guard machine[node].wantedState == .inactive else { return }
      for other in subtree(of: node) { self[other].isActivatedDirectly = false }
      supersede(subtree(of: node).filter { $0 != node })
    case .cancel(let node): self[node].isCancelled = true
    case .close, .onMain, .rest: break
    }
  }

  /// A node that was activated directly may stay active, and so may all below it.
  private func mayStayActive(_ node: Node) -> Bool {
    machine[node].hasRefusedToResign || self[node].hasRefused
      || nodes.contains { isAbove($0, node) && (machine[$0].wantedState == .active || self[$0].isActivatedDirectly) }
  }

  /// Whether a callback waits for the node to leave: it does not wait for its siblings.
  func isFollowed(_ node: Node) -> Bool {
    callers.contains { caller in
      guard caller.frame != nil else { return false }
      let request = machine.requests[Int(caller.request)]
      // One that was answered in the present event has no node any more.
      let isAnswered = request.node == .none && isAbove(node, caller.call.node)
      return isAnswered || (request.node == node && request.call == .follow)
    }
  }

  mutating func noteLateness(of node: Node) {
    let parent = machine[node].parent
    self[node].isLate = parent != .none && children(of: parent).prefix { $0 != node }.contains { machine[$0].mayResign }
  }

  /// Whether the state of a node is one that a join of the same event has changed after the effect that is checked.
  private func joinsLater(_ node: Node) -> Bool {
    joining.contains { isAbove($0, node) || isAbove(node, $0) }
  }

  /// Whether a direct call keeps a node active, though one above it resigns.
  private func isKeptActive(_ node: Node, below top: Node) -> Bool {
    nodes.contains { $0 != top && isAbove(top, $0) && isAbove($0, node) && self[$0].isActivatedDirectly }
  }

  /// The rules of every state.
  mutating func checkState() {
    require(isForest, "T2: a router has one parent, and no circle stands above it")
    guard broken == nil else { return }
    let tallies = Tallies(self)
    for node in nodes {
      let record = machine[node]
      let index = Int(node.index)
      require(record.phase == self[node].phase, "L1: the machine knows what runs")
      if record.phase == .activating, record.isInterrupted {
        require(self[node].isCancelled, "L5: a deactivation cancels a running activation")
      }
      require(record.isRestless == tallies.isRestless[index], "T4: restless is what has yet to resign")
      require(record.wantedBelow == tallies.wantedBelow[index], "T4: all that a deactivation has to reach is counted")
      require(record.restlessBelow == tallies.restlessBelow[index], "T4: all that has yet to resign is counted")
      require(record.named == tallies.named[index], "T8: the requests in the name of a callback are counted")
      if record.mayResign { checkPermission(of: node, record) }
      if record.parent == .none { require(!record.isLeaving, "T3: only a child leaves") }
    }
    for caller in callers where caller.call.kind == .whenActive && caller.frame == nil {
      require(!isActive(caller.call.node), "L11: whenActive() of what is active has returned")
      require(!isVoid(caller.call.node, in: machine), "L11: whenActive() of what has left its place has thrown")
    }
    for caller in callers where caller.frame != nil {
      require(
        !machine.waitsForItself(caller.request),
        "L4, T8: no call waits for the callback that has made it: \(WalkedEvent.call(caller.call, by: caller.frame))")
    }
  }

  /// The permission to resign is at nodes that are to resign, and passes on below each that cannot resign yet.
  private mutating func checkPermission(of node: Node, _ record: TreeMachine.Record) {
    require(record.isToResign, "T4: only what is to resign may")
    guard record.restlessBelow > 0 else {
      return require(record.phase != .active, "T4: a node that may resign does once nothing below it is restless")
    }
    let passesOn = children(of: node).contains {
      machine[$0].isRestless && (machine[$0].mayResign || !machine[$0].isToResign)
    }
    require(passesOn, "T4: the permission to resign passes on to a child")
  }

  /// Counts that the machine keeps, made anew from the nodes.
  private struct Tallies {
    var isRestless: [Bool]
    var restlessBelow: [Int32]
    var wantedBelow: [Int32]
    var named: [Int32]

    init(_ world: borrowing WalkedWorld) {
      let machine = world.machine
      let count = world.nodes.count
      isRestless = Array(repeating: false, count: count)
      var isWanted = isRestless
      restlessBelow = Array(repeating: 0, count: count)
      (wantedBelow, named) = (restlessBelow, restlessBelow)
      for start in world.nodes {
        let record = machine[start]
        let isResigning = record.phase == .resigning || record.phase == .closing || record.isInterrupted
        let isToResign = record.wantedState == .inactive && record.phase != .inactive && !record.hasRefusedToResign
        if isResigning || isToResign { Self.mark(start, and: machine, &isRestless, &restlessBelow) }
        let isSought = record.wantedState != .inactive || record.awaitsWaking
        if isSought { Self.mark(start, and: machine, &isWanted, &wantedBelow) }
      }
      for caller in world.callers {
        if let frame = machine.requests[Int(caller.request)].frame { named[Int(frame.node.index)] += 1 }
      }
    }

    /// Marks a node and all above it, and counts each that is new at its parent.
    private static func mark(_ start: Node, and machine: TreeMachine, _ marks: inout [Bool], _ counts: inout [Int32]) {
      var node = start
      while node != .none, !marks[Int(node.index)] {
        marks[Int(node.index)] = true
        node = machine[node].parent
        if node != .none { counts[Int(node.index)] += 1 }
      }
    }
  }

  private func isActive(_ node: Node) -> Bool {
    let record = machine[node]
    return self[node].phase == .active && !record.isInterrupted
      && (record.wantedState == .active || record.hasRefusedToResign)
  }

  /// Whether each child stands once in the list of its parent, and no node stands above itself.
  private var isForest: Bool {
    var listed = 0
    for node in nodes {
      var child = machine[node].first
      while child != .none {
        listed += 1
        guard machine[child].parent == node, listed <= nodes.count else { return false }
        child = machine[child].next
      }
    }
    guard listed == nodes.count(where: { machine[$0].parent != .none }) else { return false }
    return nodes.allSatisfy { start in
      var (node, steps) = (start, 0)
      while node != .none, steps <= nodes.count { (node, steps) = (machine[node].parent, steps + 1) }
      return node == .none
    }
  }

  /// Checks a state in which nothing goes on by itself: every call has returned, and all that is wanted is so.
  mutating func checkRest() {
    // Without a load `loaded()` goes on waiting (T9), and without an activation `whenActive()` (L11).
    let waiting = callers.filter { caller in
      switch caller.call.kind {
      case .loaded: machine[caller.call.node].load == .done
      case .whenActive: caller.frame != nil || caller.hasLeft || isActive(caller.call.node)
      default: true
      }
    }
    require(
      waiting.isEmpty, "L4, T8: every call returns; not yet: \(waiting.map { "\($0.call)" }.joined(separator: ", "))")
    for node in nodes {
      let record = machine[node]
      require(!self[node].isCancelled, "L5: what was cancelled resigns")
      let isActive = record.wantedState == .active || record.hasRefusedToResign
      require(isActive == (record.phase == .active), "L3: what is wanted comes true")
      let isOnItsWay = record.isWaking || record.isRestless || record.isInterrupted
      let isHalfPlaced = record.isLeaving || record.load == .running || record.awaitsMain
      require(!isOnItsWay && !isHalfPlaced, "L3, T6: nothing is left half done")
      require(!self[node].isBrought, "T10, L8: nothing that calls have brought is kept")
      require(record.nextParent == .none, "T6: what is to join has joined")
      if callers.isEmpty { require(record.requests < 0, "L4, T8: no request is left") }
      let parent = record.parent
      guard parent != .none, !isForeign(parent) else { continue }
      require(hasRouter(parent), "T10: nothing stands below a router that is gone")
      if machine[parent].wantedState == .active {
        require(record.wantedState == .active || record.staysInactive, "T5, T7: children wake with their parent")
        if record.wantedState == .active {
          require(record.load == .done, "T1: what is active in the tree is loaded")
        }
      } else if machine[parent].wantedState == .inactive, record.wantedState == .active {
        require(self[node].isActivatedDirectly, "T7: a child of a sleeping parent sleeps")
      }
    }
    if let last { checkLast(last) }
  }

  /// The last call of all decides (L3).
  private mutating func checkLast(_ call: WalkedCall) {
    let record = machine[call.node]
    let isQuiet = subtree(of: call.node).allSatisfy {
      machine[$0].phase == .inactive || ($0 != call.node && machine[$0].hasRefusedToResign)
    }
    switch call.kind {
    case .activate: require(record.phase == .active, "L3: the last call decides: \(call)")
    case .deactivate: require(isQuiet || record.wantedState == .none, "L3: the last call decides: \(call)")
    case .detach: require(isQuiet && record.parent == .none, "L3, T4: the last call decides: \(call)")
    case .attach:
      require(record.parent == call.parent, "T1, T6: the last call decides: \(call)")
      let parent = machine[call.parent]
      let isAwake = (parent.phase == .active && !parent.hasRefusedToResign) || parent.wantedState == .none
      require((record.phase == .active) == isAwake, "T1, T7: the last call decides: \(call)")
    case .load, .loaded, .whenActive, .attachAgain: break
    }
  }
}
