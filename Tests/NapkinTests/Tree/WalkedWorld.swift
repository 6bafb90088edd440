// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

typealias Node = TreeMachine.Node
typealias Frame = TreeMachine.Frame

/// The machine, and what of callers, callbacks and the driver a test has to know to be all of them.
struct WalkedWorld: Sendable {
  enum Load: UInt8, Sendable { case none, runs, isOver }

  struct Caller: Sendable {
    var request: Int32
    var call: WalkedCall
    /// The callback that cannot return before the call does.
    var frame: Frame?
    /// The child has left since the call.
    var hasLeft = false
    /// Its task was cancelled.
    var isCancelled = false
    /// A later call has deactivated what it is about: it returns with that, whatever is asked for since.
    var isSuperseded = false
    /// The detach of this ancestor has superseded it: it returns after that.
    var leavingAncestor = Node.none
  }

  struct Side: Hashable, Sendable {
    var phase = TreeMachine.Phase.inactive
    var load = Load.none
    var isLoadAsked = false
    /// Its activation was cancelled, and it has not resigned since.
    var isCancelled = false
    /// A call has brought what is to be run, and that was not dropped.
    var isBrought = false
    /// A call named it while it was not inactive: it need not wait for its siblings.
    var isNamed = false
    /// Activated directly since the last call that deactivated it.
    var isActivatedDirectly = false
  }

  let bounds: WalkBounds
  var machine = TreeMachine()
  var sides: [Side]
  var callers: [Caller] = []
  var calls = 0
  var last: WalkedCall?
  /// The first rule that the last event broke.
  var broken: String?
  let nodes: [Node]

  init(_ bounds: WalkBounds) {
    self.bounds = bounds
    nodes = (0..<bounds.nodes).map { Node(index: Int32($0)) }
    sides = Array(repeating: Side(), count: bounds.nodes)
    for _ in nodes { _ = machine.handle(.routerBegan(machine.makeNode())) }
    for node in nodes {
      let isSilent = Int(node.index) < bounds.silent
      machine[node].hasExtras = !isSilent
      for method in TreeMachine.Method.allCases where isSilent { machine[node].defaults[method] = true }
    }
    guard bounds.family != .none else { return }
    for (node, above) in zip(nodes.dropFirst(), nodes) {
      let parent = bounds.family == .activeChain ? above : nodes[0]
      _ = apply(.call(WalkedCall(kind: .attach, node: node, parent: parent), by: nil))
    }
    _ = apply(.call(WalkedCall(kind: .activate, node: nodes[0]), by: nil))
    settle()
    if bounds.family == .inactiveSiblings {
      _ = apply(.call(WalkedCall(kind: .deactivate, node: nodes[0]), by: nil))
      settle()
    }
    (calls, last) = (0, nil)
  }

  subscript(node: Node) -> Side {
    get { sides[Int(node.index)] }
    set { sides[Int(node.index)] = newValue }
  }

  /// Lets all happen that comes by itself.
  mutating func settle() {
    while let next = progress().first { _ = apply(next) }
  }

  func isSilent(_ node: Node) -> Bool { !machine[node].hasExtras }

  func hasRouter(_ node: Node) -> Bool { machine[node].hasRouter }

  func isFree(_ frame: Frame) -> Bool { !callers.contains { $0.frame == frame } }

  /// The callbacks and loads that run and do not wait.
  var freeFrames: [Frame] {
    nodes.flatMap { node in
      var frames: [Frame] = []
      let phase = self[node].phase
      if phase == .activating || phase == .resigning { frames.append(Frame(node: node, isLoad: false)) }
      if self[node].load == .runs { frames.append(Frame(node: node, isLoad: true)) }
      return frames.filter(isFree)
    }
  }

  /// What can happen without a new call.
  func progress() -> [WalkedEvent] {
    var events: [WalkedEvent] = freeFrames.map { $0.isLoad ? .loadReturns($0.node) : .callbackReturns($0.node) }
    if bounds.mayRefuse { events += freeFrames.filter { !$0.isLoad }.map { .refuses($0.node) } }
    for node in nodes {
      if self[node].phase == .closing { events.append(.closes(node)) }
      if machine[node].awaitsMain { events.append(.onMain(node)) }
    }
    return events
  }

  /// The calls that users and their callbacks can make.
  func userEvents() -> [WalkedEvent] {
    var events: [WalkedEvent] = []
    for (index, caller) in callers.enumerated() where caller.frame == nil && caller.call.isWait {
      events.append(.cancelWait(index))
    }
    for node in nodes where canBeReleased(node) { events.append(.release(node)) }
    events += foreignEvents()
    guard callers.count < bounds.outstanding, bounds.calls.map({ calls < $0 }) ?? true else { return events }
    var names: [Frame?] = [nil]
    if bounds.hasCallsInside { names += freeFrames.map(Optional.some) }
    for name in names {
      for node in nodes {
        var calls = [WalkedCall(kind: .activate, node: node), WalkedCall(kind: .deactivate, node: node)]
        // A callback that waits for another node's activity may wait in vain, as for anything of the user's.
        if name == nil || name == Frame(node: node, isLoad: false) {
          calls.append(WalkedCall(kind: .whenActive, node: node))
        }
        if hasRouter(node) {
          calls.append(WalkedCall(kind: .load, node: node))
          // A callback that waits for a load that never comes never returns, and should not.
          if name == nil { calls.append(WalkedCall(kind: .loaded, node: node)) }
          for parent in nodes where hasRouter(parent) && !isForeign(parent) {
            calls.append(WalkedCall(kind: .attach, node: node, parent: parent))
            calls.append(WalkedCall(kind: .detach, node: node, parent: parent))
          }
        }
        events += calls.map { .call($0, by: name) }
      }
    }
    return events
  }

  /// What a routing that is no `Router` can say of its children, while nothing is asked of them elsewhere.
  private func foreignEvents() -> [WalkedEvent] {
    guard bounds.isForeign, let owner = nodes.first, hasRouter(owner) else { return [] }
    return nodes.dropFirst().compactMap { node in
      if machine[node].parent == owner { return .disown(node) }
      let isFree = machine[node].parent == .none && machine[node].nextParent == .none && !isAbove(node, owner)
      return isFree && hasRouter(node) ? .adopt(node, by: owner) : nil
    }
  }

  func isForeign(_ node: Node) -> Bool { bounds.isForeign && node == nodes.first }

  /// Whether nothing can hold the router: no parent, no call, no load, no other router that is to join it.
  private func canBeReleased(_ node: Node) -> Bool {
    hasRouter(node) && machine[node].parent == .none && machine[node].nextParent == .none
      && !nodes.contains { machine[$0].nextParent == node } && self[node].load != .runs
      && !callers.contains { caller in
        switch caller.call.kind {
        case .attach, .detach, .load, .loaded: caller.call.node == node || caller.call.parent == node
        case .activate, .deactivate, .whenActive: false
        }
      }
  }
}

/// What an event does.
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
      carryOut(machine.handle(.loadEnded(node)))
    case .onMain(let node): carryOut(machine.handle(.onMain(node), onMain: true))
    case .release(let node):
      last = nil
      supersede(subtree(of: node))
      for other in subtree(of: node) { self[other].isActivatedDirectly = false }
      for index in callers.indices where callers[index].call.node == node { callers[index].hasLeft = true }
      carryOut(machine.handle(.routerEnded(node, isReleased: true)))
    case .cancelWait(let index):
      callers[index].isCancelled = true
      carryOut(machine.handle(.withdraw(callers[index].request)))
    case .adopt(let node, let parent):
      last = nil
      carryOut(machine.handle(.adopt(node, by: parent)))
    case .disown(let node):
      last = nil
      carryOut(machine.handle(.disown(node)))
    }
    return true
  }

  private mutating func apply(_ call: WalkedCall, _ frame: Frame?) -> Bool {
    let before = machine
    let node = call.node
    let answer: TreeMachine.Answer
    calls += 1
    let below = subtree(of: node)
    if call.kind == .detach, !isRefused(call, before), before[node].parent == call.parent { follow(node, below) }
    switch call.kind {
    case .attach: answer = machine.handle(.attach(node, to: call.parent, in: frame), onMain: true)
    case .detach: answer = machine.handle(.detach(node, from: call.parent, in: frame), onMain: true)
    case .activate:
      self[node].isBrought = true
      answer = machine.handle(.activate(node, in: frame))
    case .deactivate:
      self[node].isBrought = true
      answer = machine.handle(.deactivate(node, in: frame))
    case .load: answer = machine.handle(.load(node, begins: true, in: frame), onMain: true)
    case .loaded: answer = machine.handle(.load(node, begins: false, in: frame))
    case .whenActive: answer = machine.handle(.whenActive(node, isInside: frame != nil))
    }
    // Of an interactor that was never to be active nothing is to be ended.
    let endsActivity = (call.kind == .deactivate || call.kind == .detach) && machine != before
    if endsActivity { supersede(below) }
    if call.kind != .whenActive, machine[node].phase != .inactive { self[node].isNamed = true }
    checkCall(call, frame, before, answer)
    if broken == nil, isRefused(call, before) { return false }
    if call.kind == .detach, before[node].isLeaving {
      // A second detach waits for the first (T3), or withdraws the attach that was to follow.
      if before[node].nextParent == call.parent { last = nil }
    } else {
      if endsActivity { for other in below { self[other].isActivatedDirectly = false } }
      note(call)
    }
    if let request = answer.request { callers.append(Caller(request: request, call: call, frame: frame)) }
    carryOut(answer)
    return true
  }

  mutating func supersede(_ below: [Node]) {
    for index in callers.indices where below.contains(callers[index].call.node) { callers[index].isSuperseded = true }
  }

  /// Notes which attaches the detach of a node above supersedes: not one whose child has yet to join or is detached itself,
  /// nor one to a parent that slept, which asks for no activation.
  private mutating func follow(_ top: Node, _ below: [Node]) {
    for index in callers.indices
    where callers[index].call.node != top && below.contains(callers[index].call.node)
      && machine[callers[index].call.node].nextParent == .none && !machine[callers[index].call.node].isLeaving
      && machine.requests[Int(callers[index].request)].call == .attach
    {
      callers[index].leavingAncestor = top
    }
  }

  private mutating func note(_ call: WalkedCall) {
    switch call.kind {
    case .load: self[call.node].isLoadAsked = true
    case .loaded, .whenActive: return
    case .activate: self[call.node].isActivatedDirectly = true
    case .attach, .deactivate, .detach: break
    }
    guard call.kind != .load, bounds.remembersLastCall else { return }
    // An attach that waits for the child, or for what it stands below, to leave takes effect after this call.
    let isLast = nodes.allSatisfy { machine[$0].nextParent == .none || !isAbove($0, call.node) }
    last = isLast || call.kind == .attach ? call : nil
  }

  /// Carries effects out in the order of the driver, and in a prompt world what follows from them at once.
  mutating func carryOut(_ answer: TreeMachine.Answer) {
    for node in nodes where isSilent(node) {
      let phase = machine[node].phase
      if phase == .active || phase == .inactive { self[node].phase = phase }
      self[node].isCancelled = machine[node].isInterrupted
    }
    for effect in answer.effects { check(effect) }
    for effect in answer.effects {
      switch effect {
      case .begin(let node, let callback):
        self[node].phase = callback == .didBecomeActive ? .activating : .resigning
      case .close(let node): if bounds.isPrompt { closes(node) }
      case .load(let node): self[node].load = .runs
      case .onMain(let node): if bounds.isPrompt { carryOut(machine.handle(.onMain(node), onMain: true)) }
      case .resume(let request), .refuse(let request): resume(request)
      case .rest(let node): self[node].isBrought = false
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
    self[node].phase = self[node].phase == .activating ? .active : .closing
    carryOut(machine.handle(.callbackReturned(node)))
  }

  private mutating func closes(_ node: Node) {
    self[node].phase = .inactive
    self[node].isNamed = false
    carryOut(machine.handle(.closed(node)))
  }

  private mutating func refuses(_ node: Node) {
    let (callback, wasCancelled) =
      (
        self[node].phase == .activating ? TreeMachine.Callback.didBecomeActive : .willResignActive,
        self[node].isCancelled
      )
    self[node].phase = self[node].phase == .activating ? .inactive : .active
    self[node].isCancelled = false
    last = nil
    let answer = machine.handle(.refused(node))
    if !wasCancelled, answer.effects.contains(.begin(node, callback)) {
      broken = broken ?? "L3, T4: an interactor that does not call its lifecycle is not called again by itself"
    }
    carryOut(answer)
  }

  /// A node and what stands below it.
  func subtree(of top: Node) -> [Node] { nodes.filter { isAbove(top, $0) } }

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
