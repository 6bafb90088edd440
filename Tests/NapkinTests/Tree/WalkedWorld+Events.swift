// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

/// The effects of events.
extension WalkedWorld {
  /// False if nothing comes of the event, so that there is no new state.
  mutating func apply(_ event: WalkedEvent) -> Bool {
    broken = nil
    switch event {
    case .call(let call, let frame): return apply(call, frame)
    case .callbackReturns(let node): callbackReturns(node)
    case .closes(let node): closes(node)
    case .refuses(let node): refuses(node)
    case .loadReturns(let node):
      self[node].load = .isOver
      carryOut(send(.loadEnded(node), onMain: true))
    case .onMain(let node): carryOut(send(.onMain(node), onMain: true))
    case .release(let node): release(node)
    case .cancelWait(let index):
      callers[index].isCancelled = true
      carryOut(send(.withdraw(callers[index].request)))
    case .tie(let index, let frame):
      let caller = callers[index]
      callers[index].frame = frame
      if caller.call.kind != .whenActive, machine[caller.call.node].phase != .inactive {
        self[caller.call.node].isNamed = true
      }
      carryOut(send(.tie(caller.request, to: frame)))
    case .adopt(let node, let parent):
      last = nil
      let wanted = subtree(of: node).filter { machine[$0].wantedState != .inactive }
      let answer = send(.adopt(node, by: parent), onMain: true)
      for other in wanted where machine[other].wantedState == .inactive { self[other].isActivatedDirectly = false }
      carryOut(answer)
      noteLateness(of: node)
    case .disown(let node):
      last = nil
      stopFollowing(subtree(of: node))
      carryOut(send(.disown(node), onMain: true))
    case .stream(let node, let opens):
      self[node].hasStream = opens
      if opens { machine[node].hasExtras = true }
    case .replace(let node): replace(node)
    case .passOver(let node): return passOver(node)
    }
    return true
  }

  @discardableResult
  mutating func send(_ event: TreeMachine.Event, onMain: Bool = false) -> TreeMachine.Answer {
    sent.insert(SentEvent(event, onMain: onMain))
    let before = marks
    let dormant = joiningDormant
    let answer = machine.handle(event, onMain: onMain)
    let after = marks
    let woken = after.isActive & ~before.isActive
    wokenDormant = dormant & woken
    noteSuperseded(before.isWanted & ~after.isWanted & after.all, woken)
    noteOrder(began: after.isToResign & ~before.isToResign, before.mayResign)
    return answer
  }

  /// Notes which siblings have an order: the later one comes first, unless the other may resign already when it is to.
  private mutating func noteOrder(began: UInt64, _ couldResign: UInt64) {
    for node in nodes.prefix(machine.records.count) {
      let parent = machine[node].parent
      if began & bit(of: node) != 0 {
        self[node].isLate = children(of: parent).prefix { $0 != node }.contains { couldResign & bit(of: $0) != 0 }
      }
      guard machine[node].mayResign, parent != .none, !self[node].isNamed else { continue }
      // Where its parent does not resign it resigns for itself, as it does where a call about it waits.
      self[node].isNamed =
        machine[parent].wantedState != .inactive || isFollowed(node)
        || callers.contains { $0.call.node == node && $0.call.kind != .whenActive }
    }
  }

  /// The nodes at which an attach to a parent that was not active waits, by their bits.
  private var joiningDormant: UInt64 {
    var bits: UInt64 = 0
    for caller in callers where machine.requests[Int(caller.request)].call == .attachInactive {
      if caller.call.kind == .attach || caller.call.kind == .attachAgain { bits |= bit(of: caller.call.node) }
    }
    return bits
  }

  /// Notes which calls the deactivation of some nodes, and the waking of others, supersedes.
  private mutating func noteSuperseded(_ deactivated: UInt64, _ woken: UInt64) {
    guard deactivated | woken != 0 else { return }
    for index in callers.indices {
      let bit = bit(of: callers[index].call.node)
      if deactivated & bit != 0 { callers[index].isSuperseded = true }
      if woken & bit != 0 { callers[index].isOverruled = true }
    }
  }

  func bit(of node: Node) -> UInt64 { 1 << UInt64(node.index) }

  /// The nodes of which something holds, by their bits.
  private struct Marks {
    var (all, isToResign, mayResign, isWanted, isActive): (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
  }

  // One loop without closures: a debug build spends a fifth of a walk here otherwise.
  private var marks: Marks {
    var marks = Marks()
    var index = 0
    while index < machine.records.count, index < nodes.count {
      let record = machine.records[index]
      let bit: UInt64 = 1 << UInt64(index)
      marks.all |= bit
      if record.isToResign { marks.isToResign |= bit }
      if record.mayResign { marks.mayResign |= bit }
      if record.wantedState != .inactive { marks.isWanted |= bit }
      if record.wantedState == .active { marks.isActive |= bit }
      index += 1
    }
    return marks
  }

  private mutating func release(_ node: Node) {
    last = nil
    let below = isForeign(node) ? [node] : subtree(of: node)
    supersede(below)
    for other in below { self[other].isActivatedDirectly = false }
    guard isForeign(node) else {
      for index in callers.indices where callers[index].call.node == node { callers[index].hasLeft = true }
      bring(to: node)
      return carryOut(send(.routerEnded(node, isReleased: true), onMain: true))
    }
    // It says that nothing stands below it, before it is forgotten.
    for child in children(of: node) { carryOut(send(.disown(child), onMain: true)) }
    carryOut(send(.routerEnded(node, isReleased: false), onMain: true))
  }

  /// False if the router has a place, or is asked for: then nothing comes of it.
  private mutating func passOver(_ node: Node) -> Bool {
    let before = machine
    let leaves = mayLeaveItsPlace(node)
    calls += 1
    if leaves {
      for index in callers.indices where callers[index].call.node == node && callers[index].call.kind == .whenActive {
        callers[index].hasLeft = true
      }
    }
    let answer = send(.passOver(node), onMain: true)
    checkPassing(of: node, leaves: leaves, before)
    carryOut(answer)
    return machine != before
  }

  /// The lifecycle of a node that nothing refers to is released, and another one is made with a router of its own.
  ///
  /// A routing that is no `Router` is known again instead.
  private mutating func replace(_ node: Node) {
    last = nil
    if !isForeign(node) {
      machine.removeNode(node)
      if machine.makeNode() != node { broken = "a number that is free is used again" }
      self[node] = Side()
      begin(node)
    }
    self[node].load = .none
    self[node].isLoadAsked = false
    send(.routerBegan(node))
  }

  /// Stores the work that a call or a released router brings, until the node is at rest.
  private mutating func bring(to node: Node) {
    self[node].isBrought = true
    machine[node].hasExtras = true
  }

  private mutating func apply(_ call: WalkedCall, _ frame: Frame?) -> Bool {
    let node = call.node
    let bringsMotion = call.kind == .activate || call.kind == .deactivate
    if bringsMotion, kind(of: node) == .observed || !hasRouter(node) { bring(to: node) }
    let before = machine
    let isRefused = isRefused(call, before)
    let answer: TreeMachine.Answer
    calls += 1
    let (below, wasToMove) = (subtree(of: node), isToMove(node))
    if call.kind == .detach, !isRefused, before[node].parent == call.parent { follow(node, below) }
    switch call.kind {
    case .attach: answer = send(.attach(node, to: call.parent, in: frame), onMain: true)
    case .attachAgain: answer = send(.attachAgain(node, to: call.parent, in: frame), onMain: true)
    case .detach: answer = send(.detach(node, from: call.parent, in: frame), onMain: true)
    case .activate, .deactivate:
      answer = send(
        call.kind == .activate ? .activate(node, in: frame) : .deactivate(node, in: frame), onMain: isOnMain)
    case .load: answer = send(.load(node, begins: true, in: frame), onMain: true)
    case .loaded: answer = send(.load(node, begins: false, in: frame), onMain: true)
    case .whenActive: answer = send(.whenActive(node, isInside: frame != nil))
    }
    // Of an interactor that was never to be active nothing is to be ended.
    let endsActivity = (call.kind == .deactivate || call.kind == .detach) && machine != before
    if endsActivity { supersede(below) }
    if call.kind != .whenActive, machine[node].phase != .inactive { self[node].isNamed = true }
    checkCall(call, frame, before, answer)
    if broken == nil, isRefused { return false }
    if call.kind == .detach, before[node].isLeaving {
      // A second detach waits for the first (T3), or withdraws the attach that was to follow.
      if before[node].nextParent == call.parent { last = nil }
    } else {
      if endsActivity { for other in below { self[other].isActivatedDirectly = false } }
      note(call, isLast: !wasToMove && !isToMove(node))
    }
    if let request = answer.request { callers.append(Caller(request: request, call: call, frame: frame)) }
    carryOut(answer)
    return true
  }

  mutating func supersede(_ below: [Node]) {
    for index in callers.indices where below.contains(callers[index].call.node) { callers[index].isSuperseded = true }
  }

  /// Notes which attaches the detach of a node above supersedes: not one whose child has yet to join, or which another
  /// detach has superseded before, nor one to a parent that slept, which asks for no activation.
  private mutating func follow(_ top: Node, _ below: [Node]) {
    for index in callers.indices
    where callers[index].call.node != top && below.contains(callers[index].call.node)
      && machine[callers[index].call.node].nextParent == .none && !isLeaving(callers[index].call.node, below: top)
      && machine.requests[Int(callers[index].request)].call == .attach
    {
      callers[index].leavingAncestor = top
    }
  }

  /// A node that is taken out of a subtree that is leaving does not leave with it, even if it comes back.
  private mutating func stopFollowing(_ below: [Node]) {
    for index in callers.indices
    where below.contains(callers[index].call.node) && !below.contains(callers[index].leavingAncestor) {
      callers[index].leavingAncestor = .none
    }
  }

  /// Whether an attach waits for a node, or for one above it, to leave, and takes effect after the present call.
  private func isToMove(_ node: Node) -> Bool {
    nodes.contains { machine[$0].nextParent != .none && isAbove($0, node) }
  }

  /// Whether a node, or one between it and a node above, is being detached.
  private func isLeaving(_ node: Node, below top: Node) -> Bool {
    var next = node
    while next != .none, next != top {
      if machine[next].isLeaving { return true }
      next = machine[next].parent
    }
    return false
  }

  private mutating func note(_ call: WalkedCall, isLast: Bool) {
    switch call.kind {
    case .load: self[call.node].isLoadAsked = true
    case .loaded, .whenActive, .attachAgain: return
    case .activate: self[call.node].isActivatedDirectly = true
    case .attach, .deactivate, .detach: break
    }
    guard call.kind != .load, bounds.remembersLastCall else { return }
    last = isLast || call.kind == .attach ? call : nil
  }

  /// Carries effects out in the order of the driver, and in a prompt world their consequences at once.
  mutating func carryOut(_ answer: TreeMachine.Answer) {
    for node in nodes where isSilent(node) {
      let phase = machine[node].phase
      if phase == .active || phase == .inactive { self[node].phase = phase }
      // A cancellation after a skipped resignation of the same event is an effect of its own.
      self[node].isCancelled = machine[node].isInterrupted && !answer.effects.contains(.cancel(node))
    }
    for case .attached(let node, to: _) in answer.effects { joining.append(node) }
    for effect in answer.effects { check(effect) }
    joining.removeAll()
    for effect in answer.effects {
      switch effect {
      case .begin(let node, let callback):
        self[node].phase = callback == .didBecomeActive ? .activating : .resigning
      case .close(let node): if bounds.isPrompt { closes(node) }
      case .load(let node): self[node].load = .runs
      case .onMain(let node): if bounds.isPrompt { carryOut(send(.onMain(node), onMain: true)) }
      case .resume(let request), .refuse(let request): resume(request)
      case .rest(let node):
        self[node].isBrought = false
        if !self[node].hasStream { machine[node].hasExtras = false }
      case .attached, .detached, .cancel: break
      }
    }
  }

  private mutating func resume(_ request: Int32) {
    if let index = callers.firstIndex(where: { $0.request == request }) {
      callers.remove(at: index)
    } else {
      broken = broken ?? "a call is answered once"
    }
  }

  private mutating func callbackReturns(_ node: Node) {
    if self[node].phase == .activating {
      self[node].phase = .active
    } else if machine[node].hasExtras {
      self[node].phase = .closing
    } else {
      // Nothing has to learn of the resignation.
      noteClosed(node)
    }
    carryOut(send(.callbackReturned(node), onMain: isOnMain))
  }

  private mutating func closes(_ node: Node) {
    noteClosed(node)
    carryOut(send(.closed(node), onMain: isOnMain))
  }

  private mutating func noteClosed(_ node: Node) {
    self[node].phase = .inactive
    self[node].isNamed = false
    self[node].hasRefused = false
    self[node].isLate = false
  }

  private mutating func refuses(_ node: Node) {
    let activates = self[node].phase == .activating
    let wasCancelled = self[node].isCancelled
    self[node].phase = activates ? .inactive : .active
    // Siblings before it may be permitted to resign while it stays active.
    (self[node].hasRefused, self[node].isLate) = (!activates, !activates)
    self[node].isCancelled = false
    last = nil
    let answer = send(.refused(node), onMain: isOnMain)
    // A child that now joins another parent is asked anew, with all below it.
    let isAsked = answer.effects.contains { if case .attached = $0 { true } else { false } }
    if !wasCancelled, !isAsked, answer.effects.contains(.begin(node, activates ? .didBecomeActive : .willResignActive))
    {
      broken = broken ?? "L3, T4: an interactor that does not call its lifecycle is not called again by itself"
    }
    carryOut(answer)
  }

  /// A node and all nodes below it.
  func subtree(of top: Node) -> [Node] { machine[top].first == .none ? [top] : nodes.filter { isAbove(top, $0) } }

  /// The children of a node, in the order of their attachment.
  func children(of node: Node) -> [Node] {
    var children: [Node] = []
    var child = node == .none ? .none : machine[node].first
    while child != .none, children.count <= nodes.count {
      children.append(child)
      child = machine[child].next
    }
    return children
  }

  /// Whether a node stands above another, or is it.
  func isAbove(_ top: Node, _ other: Node) -> Bool {
    var node = other
    for _ in 0...nodes.count where node != .none {
      if node == top { return true }
      node = machine[node].parent
    }
    return false
  }
}
