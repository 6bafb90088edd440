// SPDX-License-Identifier: Apache-2.0

/// All decisions about the trees of a process, as one value: a pure function of events, without side effects.
///
/// A node is an interactor's lifecycle and, where there is one, its router's place in a tree. `handle(_:)` takes an event
/// and returns the effects that a driver carries out; each effect that takes time ends with an event of its own.
///
/// The wanted state of a node changes at once; the node follows step by step:
///
/// - A node that is wanted active is *waking* until it is active and loaded, and the children that wake with it have
///   come to the same. They wake one after the other, in the order of their attachment (T5).
/// - A node is *restless* while it or anything below it has yet to resign. A node resigns when nothing below it is restless
///   and it has *permission* to, which passes down to the restless child that was attached last (T4).
///
/// Every wait is a request that stands at a node. A request that would wait for the callback in whose name it was made is
/// answered at once (T8): see `TreeMachine+Circles.swift`.
struct TreeMachine: Hashable, Sendable {
  struct Node: Hashable, Sendable {
    let index: Int32
    static let none = Node(index: -1)
  }

  /// A running callback; requests of the tasks that inherit its task-locals are made on its behalf.
  struct Frame: Hashable, Sendable {
    let node: Node
    let isLoad: Bool
  }

  enum Phase: UInt8, Sendable { case inactive, activating, active, resigning, closing }

  /// The wanted state of a node; `none` if no call has asked for one, as for a router in a unit test (T7).
  enum WantedState: UInt8, Sendable { case none, active, inactive }

  enum Load: UInt8, Sendable { case noRouter, due, running, done }

  enum Method: UInt8, CaseIterable, Sendable { case activate, didBecomeActive, deactivate, willResignActive }

  /// The methods whose defaults an interactor's type keeps; those of the callbacks do nothing.
  struct Defaults: Hashable, Sendable {
    private var bits: UInt8 = 0

    subscript(method: Method) -> Bool {
      get { bits & 1 << method.rawValue != 0 }
      set { if newValue { bits |= 1 << method.rawValue } else { bits &= ~(1 << method.rawValue) } }
    }

    /// Whether all that the tree would call is a default.
    @inline(__always)
    func suffice(for callback: Callback) -> Bool {
      // The bits of one callback stand side by side.
      let both: UInt8 = callback == .didBecomeActive ? 0b0011 : 0b1100
      return bits & both == both
    }
  }

  /// The sentence beside a field holds after every event, in any state in which all of them held before.
  ///
  /// `TreeInvariants.swift` among the tests has each as a predicate, and checks them in random states. Not so kept is
  /// anything that a `Routing` of another kind than `Router` says of its children.
  struct Record: Hashable, Sendable {
    var parent = Node.none
    var first = Node.none
    var next = Node.none
    /// The previous sibling; for the first child, the last one.
    var previous = Node.none
    /// The child at which the waking or the resignation has arrived; none once all below are active.
    var cursor = Node.none
    /// The next parent of a node that has to leave another one first; no circle closes over it.
    var nextParent = Node.none
    /// The first request at this node, of which none is fulfilled.
    var requests: Int32 = -1
    /// The number of children that are not wanted inactive, or have such a descendant.
    var wantedBelow: Int32 = 0
    var restlessBelow: Int32 = 0
    /// The number of requests in the name of this node's callback or load.
    var named: Int32 = 0
    var phase = Phase.inactive
    /// If active, the phase is not inactive; of a child of a `Router` something is wanted.
    var wantedState = WantedState.none
    /// The running activation was cancelled: a resignation follows even if the node is wanted active again (L5).
    ///
    /// It may resign once that activation has ended.
    var isInterrupted = false
    /// If fully active, it waits for its load, for the main actor or for the child that wakes at the cursor.
    var isWaking = false
    var isRestless = false
    /// The node has permission to resign, after everything below it; only a node that is to resign has it.
    ///
    /// It resigns, or a restless child has permission, too, or wakes. A node that is to resign and has no permission stands
    /// below a node that passes permission on, or that wakes it.
    var mayResign = false
    /// A detach was accepted, and the child, which is restless or awaits the main actor, has not left.
    var isLeaving = false
    /// The interactor's own `deactivate()` did not deactivate it: nothing waits for it, and it is active.
    var hasRefusedToResign = false
    /// Deactivated directly while its parent was wanted active: it is wanted inactive, and does not wake with the parent.
    var staysInactive = false
    /// An attach waits for a waking that has begun above and has yet to come here: a deactivation has to look here.
    var awaitsWaking = false
    var wasActive = false
    /// The router has left its parent, was released or was passed over, and has not been attached since: nothing will
    /// activate it (L11).
    var hasLeft = false
    /// A caller may wait for its activity, or for that of something below it; else none does.
    var mayBeAwaited = false
    /// Without a router it is no child, and its children leave it.
    var load = Load.noRouter
    /// Streams and bound tasks have to be notified, or closures replace the interactor's callbacks.
    var hasExtras = false
    /// It goes on as soon as the main actor is available.
    var awaitsMain = false
    var defaults = Defaults()

    /// L1: from before `didBecomeActive()` until after `willResignActive()`.
    var isActive: Bool { phase != .inactive && phase != .closing }
    /// Between its callbacks, and not to resign because its activation was interrupted.
    var isFullyActive: Bool { phase == .active && !isInterrupted }
    var hasRouter: Bool { load != .noRouter }
    /// Whether its load runs, and its waking waits for it.
    var isLoading: Bool { load == .running && phase == .active }
    /// Whether the node itself resigns or has yet to resign, after all that is restless below it.
    var isToResign: Bool {
      isRestless && (wantedState != .active || isInterrupted || phase == .resigning || phase == .closing)
    }

    mutating func want(_ wantedState: WantedState) {
      self.wantedState = wantedState
      isWaking = wantedState == .active
      (staysInactive, hasRefusedToResign, awaitsWaking) = (false, false, false)
      cursor = .none
    }

    mutating func place(under parent: Node, after previous: Node) {
      (self.parent, self.previous, next) = (parent, previous, .none)
    }
  }

  enum Call: UInt8, Sendable {
    case activate, deactivate, attach, detach, load
    /// An attach to a parent that was not active.
    case attachInactive
    /// An attach that was superseded by the detach of an ancestor, and waits for that detach.
    case follow
    /// A wait that changes nothing: it ends when the node is active, or leaves its place in the tree (L11).
    case whenActive
  }

  struct Request: Hashable, Sendable {
    var call: Call
    var node: Node
    var frame: Frame?
    var next: Int32 = -1
  }

  /// The ways in which an attach can be wrong (T2).
  enum Mistake: Hashable, Sendable {
    case itself, ancestor
    case attached(to: Node)
  }

  enum Callback: UInt8, Sendable { case didBecomeActive, willResignActive }

  enum Event: Hashable, Sendable {
    case attach(Node, to: Node, in: Frame?)
    case detach(Node, from: Node, in: Frame?)
    /// Waits for the attach of a child that is wanted there already, as the call that has asked for it does.
    case attachAgain(Node, to: Node, in: Frame?)
    case activate(Node, in: Frame?)
    case deactivate(Node, in: Frame?)
    /// Waits for the load and, if it `begins`, asks for it.
    case load(Node, begins: Bool, in: Frame?)
    /// Waits until the node is active; `isInside` if a callback of the node itself waits.
    case whenActive(Node, isInside: Bool)
    case callbackReturned(Node)
    /// The interactor's own `activate()` or `deactivate()` has returned, and has not called its lifecycle.
    case refused(Node)
    /// The streams know of the resignation, and the bound tasks are cancelled.
    case closed(Node)
    case loadEnded(Node)
    /// The main actor is available to a node that awaits it.
    case onMain(Node)
    case routerBegan(Node)
    /// The router of a node was released, or another routing than a `Router` is known no more.
    case routerEnded(Node, isReleased: Bool)
    /// A waiting caller's task was cancelled.
    case withdraw(Int32)
    /// A callback waits for a bound task that has made a request without it.
    case tie(Int32, to: Frame)
    /// A parent that is no `Router` says that it has this node below it.
    case adopt(Node, by: Node)
    case disown(Node)
    /// A slot does not attach the router that was built for it, since a later call has won.
    case passOver(Node)
  }

  enum Effect: Hashable, Sendable {
    case begin(Node, Callback)
    case close(Node)
    case cancel(Node)
    /// The event is handled on the main actor.
    case load(Node)
    /// Ends with the event of the same name.
    case onMain(Node)
    case attached(Node, to: Node)
    case detached(Node, from: Node)
    case resume(Int32)
    /// The wait ends unfulfilled.
    case refuse(Int32)
    /// The node is idle: objects that calls have brought can be dropped.
    case rest(Node)
  }

  struct Answer: Hashable, Sendable {
    var effects: [Effect] = []
    /// The request that the caller has to wait for.
    var request: Int32?
    var mistake: Mistake?
    /// There is nothing to wait for, and the request is not fulfilled.
    var isRefused = false
  }

  private(set) var records: ContiguousArray<Record> = []
  private var unused: [Node] = []
  var requests: [Request] = []
  var unusedRequests: [Int32] = []
  /// The requests finished by the present event, whose effects still name them.
  var finishedRequests: [Int32] = []
  /// The number of nodes that have to leave one parent before they join the next.
  var pendingCount = 0
  /// The nodes that await a waking.
  var awaiting: [Node] = []
  /// The number of requests that were made on behalf of a callback.
  var namedCount = 0
  /// The nodes at which, and above which, a request may wait for something new.
  ///
  /// They are read off every change of a record, and off a request that moves.
  var changed: [Node] = []
  var answer = Answer()
  /// The events that follow from the present one at once.
  var due: [Event] = []
  /// Whether the event is handled on the main actor, so that children can leave, join and load at once.
  private(set) var isOnMain = false
  /// Whether an observer has to see each step.
  var isObserved = false
  /// The number of steps after which a decision skips no more callbacks, since other threads wait for the lock.
  var mostDue = 32

  subscript(node: Node) -> Record {
    @inline(__always) get { records[Int(node.index)] }
    @inline(__always) _modify {
      // One place to yield, so that it is inlined.
      let before = namedCount == 0 ? nil : records[Int(node.index)]
      yield &records[Int(node.index)]
      if let before { noteTies(of: node, before) }
    }
  }

  mutating func makeNode() -> Node {
    if let node = unused.popLast() { return node }
    records.appendTightly(Record())
    return Node(index: Int32(records.count - 1))
  }

  /// Removes the node of a released lifecycle, to which nothing refers any more.
  mutating func removeNode(_ node: Node) {
    assert(self[node].parent == .none && self[node].first == .none && self[node].nextParent == .none)
    self[node] = Record()
    unused.append(node)
  }

  mutating func handle(_ event: Event, onMain: Bool = false) -> Answer {
    decide(event, onMain: onMain)
    defer { answer = Answer() }
    return answer
  }

  /// Handles an event, and leaves the result in `answer`, whose buffer is used again.
  mutating func decide(_ event: Event, onMain: Bool) {
    answer.effects.removeAll(keepingCapacity: true)
    answer.request = nil
    answer.mistake = nil
    answer.isRefused = false
    isOnMain = onMain
    take(event)
    if !due.isEmpty { goOn() }
    isOnMain = false
    if !awaiting.isEmpty { awaiting = awaiting.filter { self[$0].awaitsWaking } }
    if !changed.isEmpty { answerCircles() }
    while let request = finishedRequests.popLast() { unusedRequests.append(request) }
  }

  private mutating func take(_ event: Event) {
    switch event {
    case .attach(let child, let parent, let frame): attach(child, to: parent, frame)
    case .detach(let child, let parent, let frame): detach(child, from: parent, frame)
    case .attachAgain(let child, let parent, let frame):
      awaitAttach(of: child, to: parent, frame)
    case .activate(let node, let frame):
      activate(node, frame)
      noteRest(node)
    case .deactivate(let node, let frame):
      deactivate(node, frame)
      noteRest(node)
    case .load(let node, let begins, let frame): load(node, begins: begins, frame)
    case .whenActive(let node, let isInside): awaitActivity(of: node, isInside: isInside)
    case .callbackReturned(let node): callbackReturned(node)
    case .closed(let node): closed(node)
    case .loadEnded(let node): loadEnded(node)
    case .refused(let node): refused(node)
    case .onMain(let node):
      self[node].awaitsMain = false
      place(node)
      if isLoadNext(node) { advance(node) }
    case .routerBegan(let node): (self[node].load, self[node].hasLeft) = (.due, false)
    case .routerEnded(let node, let isReleased): routerEnded(node, isReleased: isReleased)
    case .withdraw(let request): finish(request, isFulfilled: false)
    case .tie(let request, let frame): tie(request, to: frame)
    case .adopt(let child, let parent): adopt(child, by: parent)
    case .disown(let child): disown(child)
    case .passOver(let node): passOver(node)
    }
  }

  /// Handles the events that follow at once.
  mutating func goOn() {
    var index = 0
    while index < due.count {
      take(due[index])
      index += 1
    }
    due.removeAll(keepingCapacity: true)
  }

  /// Lets a node leave, join or load, at once or as soon as the main actor is available.
  mutating func goOnOnMain(_ node: Node) {
    if isOnMain { return due.append(.onMain(node)) }
    guard !self[node].awaitsMain else { return }
    self[node].awaitsMain = true
    answer.effects.append(.onMain(node))
  }

  /// Whether a callback does nothing and nothing observes it, so that it can be skipped.
  ///
  @inline(__always)
  func isSkipped(_ callback: Callback, of node: Node) -> Bool {
    isSilent(node) && due.count < mostDue
      && self[node].defaults.suffice(for: callback)
  }

  @inline(__always)
  func isSilent(_ node: Node) -> Bool { !isObserved && !self[node].hasExtras }

  @inline(__always)
  func isRunning(_ frame: Frame) -> Bool {
    let record = self[frame.node]
    if frame.isLoad { return record.load == .running }
    return record.phase == .activating || record.phase == .resigning
  }

  /// Where the newest accepted call wants a child.
  func wantedParent(of node: Node) -> Node {
    if self[node].nextParent != .none { return self[node].nextParent }
    return self[node].isLeaving ? .none : self[node].parent
  }
}

extension ContiguousArray {
  /// Appends to an array that grows by a quarter, where others double: a node's record is a fourth of the node's memory.
  mutating func appendTightly(_ element: Element) {
    if count == capacity { reserveCapacity(count + count / 4 + 16) }
    append(element)
  }
}
