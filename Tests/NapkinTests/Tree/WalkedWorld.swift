// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

typealias Node = TreeMachine.Node
typealias Frame = TreeMachine.Frame

/// The bounds of a walk.
struct WalkBounds: Sendable {
  var nodes: Int
  /// How many calls may wait at the same time.
  var outstanding: Int
  /// How many calls are made in all; nil if there is no end to them.
  var calls: Int?
  /// What the driver does without waiting for anything follows at once; else every other event may come first.
  var isPrompt: Bool
  /// Whether callbacks and loads make calls and wait for them.
  var hasCallsInside = true
  /// Whether a state knows the last call, so that at rest it is seen to have decided (L3).
  var remembersLastCall: Bool
}

/// A call as a user makes it.
struct WalkedCall: Hashable, Sendable, CustomStringConvertible {
  enum Kind: UInt8, Sendable { case attach, detach, activate, deactivate, load, loaded }

  var kind: Kind
  var node: Node
  var parent = Node.none

  var description: String {
    let name = "node \(node.index)"
    return switch kind {
    case .attach: "attach \(name) to node \(parent.index)"
    case .detach: "detach \(name) from node \(parent.index)"
    case .activate: "activate \(name)"
    case .deactivate: "deactivate \(name)"
    case .load: "load \(name)"
    case .loaded: "wait for the load of \(name)"
    }
  }
}

/// One event of a walk.
enum WalkedEvent: Hashable, Sendable, CustomStringConvertible {
  case call(WalkedCall, by: Frame?)
  case callbackReturns(Node)
  case closes(Node)
  case visitArrives(Node)
  case visitReturns(Node)
  case loadBegins(Node)
  case loadReturns(Node)
  case place(Node)
  case release(Node)
  case cancelWait(Int)

  /// Whether it comes by itself, without anything that a user calls anew.
  var isProgress: Bool {
    switch self {
    case .call, .release, .cancelWait: false
    default: true
    }
  }

  var description: String {
    switch self {
    case .call(let call, nil): "a caller: \(call)"
    case .call(let call, let frame?):
      "\(frame.isLoad ? "the load" : "the callback") of node \(frame.node.index): \(call)"
    case .callbackReturns(let node): "the callback of node \(node.index) returns"
    case .closes(let node): "the scope of node \(node.index) closes"
    case .visitArrives(let node): "the tree's call comes to node \(node.index)"
    case .visitReturns(let node): "the tree's call of node \(node.index) returns"
    case .loadBegins(let node): "the load of node \(node.index) begins"
    case .loadReturns(let node): "the load of node \(node.index) returns"
    case .place(let node): "the main actor places node \(node.index)"
    case .release(let node): "the router of node \(node.index) is released"
    case .cancelWait(let index): "the task of waiting call \(index) is cancelled"
    }
  }
}

/// The machine, and what of callers, callbacks and the driver a test has to know to be all of them.
struct WalkedWorld: Sendable {
  enum Visit: UInt8, Sendable { case none, wakes, resigns, waits, isAnswered }
  enum Load: UInt8, Sendable { case none, isDecided, runs, isOver }

  struct Caller: Sendable {
    var request: Int32
    var call: WalkedCall
    /// The callback that cannot return before the call does.
    var frame: Frame?
    /// The child has left since the call.
    var hasLeft = false
  }

  struct Side: Sendable {
    var phase = TreeMachine.Phase.inactive
    var visit = Visit.none
    var visitRequest: Int32 = -1
    var load = Load.none
    var isLoadAsked = false
    var isToBePlaced = false
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
  }

  subscript(node: Node) -> Side {
    get { sides[Int(node.index)] }
    set { sides[Int(node.index)] = newValue }
  }

  func hasRouter(_ node: Node) -> Bool { machine[node].marks.contains(.hasRouter) }

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
    for node in nodes {
      if self[node].phase == .closing { events.append(.closes(node)) }
      switch self[node].visit {
      case .wakes, .resigns: events.append(.visitArrives(node))
      case .isAnswered: events.append(.visitReturns(node))
      case .none, .waits: break
      }
      if self[node].load == .isDecided { events.append(.loadBegins(node)) }
      if self[node].isToBePlaced { events.append(.place(node)) }
    }
    return events
  }

  /// The calls that users and their callbacks can make.
  func userEvents() -> [WalkedEvent] {
    var events: [WalkedEvent] = []
    for (index, caller) in callers.enumerated() where caller.call.kind == .loaded && caller.frame == nil {
      events.append(.cancelWait(index))
    }
    for node in nodes where canBeReleased(node) { events.append(.release(node)) }
    guard callers.count < bounds.outstanding, bounds.calls.map({ calls < $0 }) ?? true else { return events }
    var names: [Frame?] = [nil]
    if bounds.hasCallsInside { names += freeFrames.map(Optional.some) }
    for name in names {
      for node in nodes {
        var calls = [WalkedCall(kind: .activate, node: node), WalkedCall(kind: .deactivate, node: node)]
        if hasRouter(node) {
          calls.append(WalkedCall(kind: .load, node: node))
          // A callback that waits for a load that never comes never returns, and should not.
          if name == nil { calls.append(WalkedCall(kind: .loaded, node: node)) }
          for parent in nodes where hasRouter(parent) {
            calls.append(WalkedCall(kind: .attach, node: node, parent: parent))
            calls.append(WalkedCall(kind: .detach, node: node, parent: parent))
          }
        }
        events += calls.map { .call($0, by: name) }
      }
    }
    return events
  }

  /// Whether nothing can hold the router: no parent, no call, no load, no other router that is to join it.
  private func canBeReleased(_ node: Node) -> Bool {
    hasRouter(node) && machine[node].parent == .none && machine.pending[node] == nil
      && !machine.pending.values.contains(node) && self[node].load != .runs && self[node].load != .isDecided
      && !callers.contains { caller in
        switch caller.call.kind {
        case .attach, .detach, .load, .loaded: caller.call.node == node || caller.call.parent == node
        case .activate, .deactivate: false
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
    case .visitArrives(let node): visitArrives(node)
    case .visitReturns(let node): visitReturns(node)
    case .loadBegins(let node):
      if machine.confirmLoad(node) { loadBegins(node) } else { self[node].load = .none }
    case .loadReturns(let node):
      self[node].load = .isOver
      carryOut(machine.handle(.loadEnded(node)))
    case .place(let node):
      self[node].isToBePlaced = false
      carryOut(machine.handle(.place(node)))
    case .release(let node):
      last = nil
      for other in subtree(of: node) { self[other].isActivatedDirectly = false }
      carryOut(machine.handle(.routerEnded(node)))
    case .cancelWait(let index): carryOut(machine.handle(.withdraw(callers[index].request)))
    }
    return true
  }

  private mutating func apply(_ call: WalkedCall, _ frame: Frame?) -> Bool {
    let before = machine
    let node = call.node
    let answer: TreeMachine.Answer
    calls += 1
    let below = subtree(of: node)
    switch call.kind {
    case .attach: answer = machine.handle(.attach(node, to: call.parent, in: frame))
    case .detach: answer = machine.handle(.detach(node, from: call.parent, in: frame))
    case .activate:
      answer = machine.handle(
        .activate(node, isVisit: false, brings: .knowsActivation | .knowsResignation, in: frame))
    case .deactivate:
      answer = machine.handle(
        .deactivate(node, isVisit: false, brings: .knowsActivation | .knowsResignation, in: frame))
    case .load: answer = machine.handle(.load(node, begins: true, in: frame))
    case .loaded: answer = machine.handle(.load(node, begins: false, in: frame))
    }
    checkCall(call, frame, before, answer)
    if broken == nil, isRefused(call, before) { return false }
    if call.kind == .detach, before[node].marks.contains(.isLeaving) {
      // A second detach waits for the first (T3), or withdraws the attach that was to follow.
      if before.pending[node] == call.parent { last = nil }
    } else {
      note(call, below)
    }
    if let request = answer.request { callers.append(Caller(request: request, call: call, frame: frame)) }
    carryOut(answer)
    return true
  }

  private mutating func note(_ call: WalkedCall, _ below: [Node]) {
    switch call.kind {
    case .load: self[call.node].isLoadAsked = true
    case .loaded: return
    // It counts from the moment at which the child joins.
    case .attach: break
    case .activate: self[call.node].isActivatedDirectly = true
    case .deactivate, .detach: for other in below { self[other].isActivatedDirectly = false }
    }
    guard call.kind != .load, bounds.remembersLastCall else { return }
    // An attach that waits for the child to leave takes effect after this call.
    last = machine.pending[call.node] == nil || call.kind == .attach ? call : nil
  }

  /// Carries effects out in the order of the driver, and in a prompt world what follows from them at once.
  mutating func carryOut(_ answer: TreeMachine.Answer) {
    for effect in answer.effects { check(effect) }
    for effect in answer.effects {
      switch effect {
      case .begin(let node, let callback):
        self[node].phase = callback == .didBecomeActive ? .activating : .resigning
      case .close(let node): if bounds.isPrompt { closes(node) }
      case .visit(let node, let wakes):
        self[node].visit = wakes ? .wakes : .resigns
        if bounds.isPrompt { visitArrives(node) }
      case .load(let node):
        self[node].load = .isDecided
        if bounds.isPrompt { loadBegins(node) }
      case .place(let node):
        self[node].isToBePlaced = !bounds.isPrompt
        if bounds.isPrompt { carryOut(machine.handle(.place(node))) }
      case .resume(let request): resume(request)
      case .attached, .detached, .cancel, .rest: break
      }
    }
  }

  private mutating func resume(_ request: Int32) {
    if let node = nodes.first(where: { self[$0].visit == .waits && self[$0].visitRequest == request }) {
      self[node].visit = .isAnswered
      self[node].visitRequest = -1
      if bounds.isPrompt { visitReturns(node) }
    } else if let index = callers.firstIndex(where: { $0.request == request }) {
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
    carryOut(machine.handle(.closed(node)))
  }

  private mutating func visitArrives(_ node: Node) {
    let brings: TreeMachine.Marks = .knowsActivation | .knowsResignation
    let answer =
      self[node].visit == .wakes
      ? machine.handle(.activate(node, isVisit: true, brings: brings, in: nil))
      : machine.handle(.deactivate(node, isVisit: true, brings: brings, in: nil))
    if let request = answer.request {
      self[node].visit = .waits
      self[node].visitRequest = request
    } else {
      self[node].visit = .isAnswered
    }
    carryOut(answer)
    if bounds.isPrompt, self[node].visit == .isAnswered { visitReturns(node) }
  }

  private mutating func visitReturns(_ node: Node) {
    self[node].visit = .none
    carryOut(machine.handle(.visitEnded(node)))
  }

  private mutating func loadBegins(_ node: Node) {
    if self[node].load == .isOver { broken = broken ?? "T1: a router is loaded once" }
    self[node].load = .runs
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
