// SPDX-License-Identifier: Apache-2.0
@testable import Napkin

typealias Node = TreeMachine.Node
typealias Frame = TreeMachine.Frame

/// The machine, and the state by which a test plays its callers, its callbacks and its driver.
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
    /// A later call has deactivated its node: it returns with that, whatever is asked for since.
    var isSuperseded = false
    /// Its node was wanted active since.
    var isOverruled = false
    /// The detach of this ancestor has superseded it: it returns after that.
    var leavingAncestor = Node.none
  }

  struct Side: Hashable, Sendable {
    var phase = TreeMachine.Phase.inactive
    var load = Load.none
    var isLoadAsked = false
    /// Its activation was cancelled, and it has not resigned since.
    var isCancelled = false
    /// A call has brought work to be run, and that was not dropped.
    var isBrought = false
    /// A stream of its state is open.
    var hasStream = false
    /// A call named it while it was not inactive, or it was to resign while its parent was not: it need not wait for its
    /// siblings.
    var isNamed = false
    /// Activated directly since the last call that deactivated it.
    var isActivatedDirectly = false
    /// An earlier sibling had permission to resign already when it woke or was to resign, and resigns before it.
    var isLate = false
    /// Its own `deactivate()` has not called its lifecycle, so that it may still be active.
    var hasRefused = false
  }

  let bounds: WalkBounds
  var machine = TreeMachine()
  var sides: [Side]
  var callers: [Caller] = []
  var calls = 0
  var last: WalkedCall?
  /// Whether an event that can be handled on the main actor or elsewhere is handled there.
  var isOnMain: Bool
  /// The nodes that the present event wakes, where an attach to a parent that was not active waited until it.
  var wokenDormant: UInt64 = 0
  /// The nodes that join a parent in the present event, after the effects that are yet to be checked.
  var joining: [Node] = []
  /// The events that the machine was sent.
  var sent = SentEvents()
  /// The first rule that the last event broke.
  var broken: String?
  let nodes: [Node]

  init(_ bounds: WalkBounds) {
    self.bounds = bounds
    isOnMain = bounds.isOnMain
    nodes = (0..<bounds.nodes).map { Node(index: Int32($0)) }
    sides = Array(repeating: Side(), count: bounds.nodes)
    machine.mostDue = bounds.mostDue
    for node in nodes {
      send(.routerBegan(machine.makeNode()))
      begin(node)
    }
    makeTree()
    (calls, last) = (0, nil)
  }

  /// Gives an interactor the extras and the default callbacks of its kind.
  mutating func begin(_ node: Node) {
    let kind = kind(of: node)
    (machine[node].hasExtras, self[node].hasStream) = (kind == .observed, kind == .observed)
    for method in TreeMachine.Method.allCases where kind == .defaults { machine[node].defaults[method] = true }
  }

  private mutating func makeTree() {
    guard bounds.family != .none else { return }
    for (index, node) in nodes.dropFirst().enumerated() {
      let parent =
        switch bounds.family {
        case .activeChain: index
        case .activeTree: bounds.parents[index]
        case .none, .inactiveSiblings: 0
        }
      _ = apply(.call(WalkedCall(kind: .attach, node: node, parent: nodes[parent]), by: nil))
    }
    _ = apply(.call(WalkedCall(kind: .activate, node: nodes[0]), by: nil))
    settle()
    guard bounds.family == .inactiveSiblings else { return }
    _ = apply(.call(WalkedCall(kind: .deactivate, node: nodes[0]), by: nil))
    settle()
  }

  subscript(node: Node) -> Side {
    get { sides[Int(node.index)] }
    set { sides[Int(node.index)] = newValue }
  }

  /// Lets all happen that comes by itself.
  mutating func settle() {
    // A tree whose nodes never come to rest is found all the same: a walk begins in a state that is not at rest.
    for _ in 0..<1_000 {
      guard broken == nil, let next = progress().first(where: { if case .refuses = $0 { false } else { true } }) else {
        return
      }
      _ = apply(next)
    }
  }

  func kind(of node: Node) -> InteractorKind {
    let index = Int(node.index)
    return index < bounds.kinds.count ? bounds.kinds[index] : .observed
  }

  /// Whether its callbacks are skipped.
  func isSilent(_ node: Node) -> Bool { !machine[node].hasExtras && kind(of: node) == .defaults }

  func hasRouter(_ node: Node) -> Bool { machine[node].hasRouter }

  func isFree(_ frame: Frame) -> Bool { !callers.contains { $0.frame == frame } }

  /// The callbacks and loads that run and do not wait.
  var freeFrames: [Frame] {
    var frames: [Frame] = []
    for node in nodes {
      let side = self[node]
      if side.phase == .activating || side.phase == .resigning { frames.append(Frame(node: node, isLoad: false)) }
      if side.load == .runs { frames.append(Frame(node: node, isLoad: true)) }
    }
    return frames.filter { isFree($0) }
  }

  /// The events that can happen without a new call.
  func progress() -> [WalkedEvent] {
    let frames = freeFrames
    var events: [WalkedEvent] = frames.map { $0.isLoad ? .loadReturns($0.node) : .callbackReturns($0.node) }
    if bounds.mayRefuse { events += frames.filter { !$0.isLoad }.map { .refuses($0.node) } }
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
    if bounds.hasTies {
      for index in callers.indices {
        events += freeFrames.filter { canBeTied(callers[index], to: $0) }.map { .tie(index, to: $0) }
      }
    }
    for node in nodes where canBeReleased(node) { events.append(.release(node)) }
    events += foreignEvents()
    if bounds.hasChanges { events += nodes.flatMap(changes) }
    guard bounds.calls.map({ calls < $0 }) ?? true else { return events }
    for node in nodes where canBePassedOver(node) { events.append(.passOver(node)) }
    guard callers.count < bounds.outstanding else { return events }
    var names: [Frame?] = [nil]
    if bounds.hasCallsInside { names += freeFrames.map(Optional.some) }
    for name in names {
      for node in nodes {
        events += WalkedCall.all(about: node, nodes).filter { canBeMade($0, by: name) }.map { .call($0, by: name) }
      }
    }
    return events
  }

  /// The streams of a node that come and go, and the end of its lifecycle.
  private func changes(at node: Node) -> [WalkedEvent] {
    var events: [WalkedEvent] = [.stream(node, opens: !self[node].hasStream)]
    if canBeReplaced(node) { events.append(.replace(node)) }
    return events
  }

  /// Whether nothing refers to the lifecycle of a node whose router is gone.
  func canBeReplaced(_ node: Node) -> Bool {
    let record = machine[node]
    return !record.hasRouter && record.phase == .inactive && !record.awaitsMain && !self[node].isBrought
      && record.requests < 0 && record.first == .none && self[node].load != .runs
      && !callers.contains { $0.call.node == node || $0.call.parent == node || $0.frame?.node == node }
  }

  /// The changes that a routing which is no `Router` can make to its children, while nothing is asked of them elsewhere.
  private func foreignEvents() -> [WalkedEvent] {
    guard bounds.isForeign, let owner = nodes.first, hasRouter(owner) else { return [] }
    return nodes.dropFirst().compactMap { node in
      if machine[node].parent == owner { return .disown(node) }
      return canBeAdopted(node, by: owner) ? .adopt(node, by: owner) : nil
    }
  }

  func canBeAdopted(_ node: Node, by owner: Node) -> Bool {
    machine[node].parent == .none && node != owner && hasRouter(node)
  }

  /// Whether a caller or a callback can make a call.
  func canBeMade(_ call: WalkedCall, by frame: Frame?) -> Bool {
    switch call.kind {
    case .activate, .deactivate: true
    // Another node's activity may be waited for in vain, as anything of the user's.
    case .whenActive: frame == nil || frame == Frame(node: call.node, isLoad: false)
    case .load: hasRouter(call.node)
    // A callback that waits for a load that never comes never returns, and should not.
    case .loaded: hasRouter(call.node) && (frame == nil || machine[call.node].load != .due)
    case .attach, .detach, .attachAgain:
      hasRouter(call.node) && hasRouter(call.parent) && !isForeign(call.parent)
    }
  }

  func isPossible(_ event: WalkedEvent) -> Bool {
    switch event {
    case .call(let call, let frame):
      callers.count < bounds.outstanding && canBeMade(call, by: frame) && frame.map(freeFrames.contains) != false
    case .release(let node): canBeReleased(node)
    case .cancelWait(let index):
      index < callers.count && callers[index].frame == nil && callers[index].call.isWait
    case .tie(let index, let frame):
      index < callers.count && freeFrames.contains(frame) && canBeTied(callers[index], to: frame)
    case .adopt(let node, let parent): hasRouter(parent) && canBeAdopted(node, by: parent)
    case .disown(let node): bounds.isForeign && machine[node].parent == nodes[0]
    case .stream(let node, let opens): self[node].hasStream != opens
    case .replace(let node): canBeReplaced(node)
    case .passOver(let node): canBePassedOver(node)
    default: progress().contains(event)
    }
  }

  /// Whether a callback can come to wait for the task of a caller that it has bound.
  func canBeTied(_ caller: Caller, to frame: Frame) -> Bool { caller.frame == nil && canBeMade(caller.call, by: frame) }

  /// Whether a waking that is under way above an inactive node will come to it.
  func isToWake(_ start: Node) -> Bool {
    var node = start
    while node != .none, machine[node].wantedState == .inactive, !machine[node].staysInactive, !machine[node].isLeaving
    {
      node = machine[node].parent
    }
    return node != start && node != .none && machine[node].wantedState == .active && machine[node].isWaking
  }

  /// Whether a slot can have been about to attach it, as long as its router is held.
  func canBePassedOver(_ node: Node) -> Bool { hasRouter(node) }

  func isForeign(_ node: Node) -> Bool { bounds.isForeign && node == nodes.first }

  /// Whether nothing can hold the router: no parent, no call, no load, no other router that is to join it.
  ///
  /// A parent that is no `Router` may hold it no more before the tree learns of that.
  func canBeReleased(_ node: Node) -> Bool {
    let parent = machine[node].parent
    return hasRouter(node) && (parent == .none || isForeign(parent)) && machine[node].nextParent == .none
      && !nodes.contains { machine[$0].nextParent == node } && self[node].load != .runs
      && !callers.contains { caller in
        switch caller.call.kind {
        case .attach, .attachAgain, .detach, .load, .loaded: caller.call.node == node || caller.call.parent == node
        case .activate, .deactivate, .whenActive: false
        }
      }
  }
}
