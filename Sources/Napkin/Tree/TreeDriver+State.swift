// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The driver's work under its lock: the machine's decision, and the objects that its effects need.
extension TreeDriver.State {
  typealias Node = TreeMachine.Node
  typealias Work = TreeDriver.Work

  mutating func enter(_ lifecycle: InteractorLifecycle) {
    let node = lifecycle.node
    while sides.count <= Int(node.index) { sides.appendTightly(TreeDriver.Side()) }
    self[node].lifecycle = .passUnretained(lifecycle)
  }

  mutating func removeNode(_ node: Node) -> (BoundTasks?, [LifecycleExtras.Stream]) {
    machine.removeNode(node)
    let extras = self[node].extras
    self[node] = TreeDriver.Side()
    return (extras?.bound, extras?.streams ?? [])
  }

  /// The place of a new bound task; nil outside the active scope.
  mutating func admitTask(to lifecycle: InteractorLifecycle) -> (BoundTasks, BoundTasks.Ticket)? {
    guard isActive(lifecycle.node) else { return nil }
    return withExtras(of: lifecycle.node) { extras in
      let bound = extras.bound ?? BoundTasks(of: ObjectIdentifier(lifecycle))
      extras.bound = bound
      return (bound, bound.admit())
    }
  }

  /// False if another router has the interactor (M1).
  mutating func enter(_ router: RouterNode) -> Bool {
    let node = router.number
    guard self[node].router == nil else { return false }
    self[node].router = .passUnretained(router)
    if let known = defaults(of: type(of: router.interactable)) { machine[node].defaults = known }
    _ = machine.handle(.routerBegan(node))
    return true
  }

  /// Ends the node of a released router; its interactor is kept until everything below has resigned.
  mutating func end(_ router: RouterNode, _ interactable: any Interactable, _ work: inout Work) {
    let node = router.number
    guard self.router(node) === router else { return }
    self[node].router = nil
    withExtras(of: node) { $0.interactor = interactable }
    decide(.routerEnded(node, isReleased: true), &work)
  }

  /// Removes a routing that is no `Router`; false if a router still refers to it.
  ///
  /// Its interactor is kept until it has resigned, as it may have been activated directly since.
  mutating func leave(_ router: RouterNode, _ work: inout Work) -> Bool {
    let node = router.number
    guard machine[node].parent == .none, machine[node].nextParent == .none else { return false }
    adopt([], by: node, &work)
    self[node].router = nil
    withExtras(of: node) { $0.interactor = router.interactable }
    decide(.routerEnded(node, isReleased: false), &work)
    return true
  }

  /// Updates the children of a routing that is no `Router`, as it reports them.
  mutating func adopt(_ children: [Node], by parent: Node, _ work: inout Work) {
    var child = machine[parent].first
    while child != .none {
      let next = machine[child].next
      if !children.contains(child) { decide(.disown(child), &work) }
      child = next
    }
    for child in children { decide(.adopt(child, by: parent), &work) }
  }

  mutating func withExtras<R>(of node: Node, _ body: (LifecycleExtras) -> R) -> R {
    machine[node].hasExtras = true
    return body(extras(of: node))
  }

  private mutating func extras(of node: Node) -> LifecycleExtras {
    if let extras = self[node].extras { return extras }
    let extras = LifecycleExtras()
    self[node].extras = extras
    return extras
  }

  /// Returns other slots of the parent, to be released outside the lock.
  mutating func enter(_ slot: SlotPlace, of parent: Node) -> [SlotPlace] { extras(of: parent).add(slot) }

  /// A call of `activate()` or `deactivate()`, which brings the interactor or a closure.
  mutating func request(
    active: Bool, at node: Node, of interactor: (any Interactable)?, _ callback: (@Sendable () async -> Void)?,
    in frame: TreeMachine.Frame?, _ work: inout Work
  ) {
    if self[node].isVisited, frame == TreeMachine.Frame(node: node, isLoad: false),
      (machine[node].phase == .activating) == active
    {
      self[node].isCalledElsewhere = true
    }
    var replaced: (@Sendable () async -> Void)?
    if let callback {
      replaced = withExtras(of: node) { $0.replace(active: active, by: callback) }
    } else if let interactor {
      note(active ? .activate : .deactivate, of: type(of: interactor), at: node)
      if self[node].router == nil { withExtras(of: node) { $0.interactor = interactor } }
    }
    decide(active ? .activate(node, in: frame) : .deactivate(node, in: frame), &work)
    // Released outside the lock, since a `deinit` of the user's may follow.
    if let replaced { work.add { _ in withExtendedLifetime(replaced) {} } }
  }

  /// Lets the machine decide, and adds its effects to the work with the objects that they need.
  mutating func decide(_ event: TreeMachine.Event, _ work: inout Work) {
    machine.isObserved = LifecycleObservation.isWatched
    machine.decide(event, onMain: work.onMain)
    work.mistake = machine.answer.mistake
    work.isRefused = machine.answer.isRefused
    if let request = machine.answer.request { work.waiter = wait(for: request, &work) }
    var index = 0
    while index < machine.answer.effects.count {
      add(machine.answer.effects[index], to: &work)
      index += 1
    }
  }

  /// Makes the wait of a new request, and lends its caller's priority to the callbacks and loads that it waits for.
  private mutating func wait(for request: Int32, _ work: inout Work) -> Waiter {
    let node = machine.requests[Int(request)].node
    let waiter = Waiter(request, lifecycle(node))
    while waiters.count <= Int(request) { waiters.append(nil) }
    waiters[Int(request)] = waiter
    // A callback that the present event begins has no frame yet, and is begun by this caller.
    guard
      self[node].frame != nil || self[node].load != nil || machine[node].restlessBelow > 0
        || machine[node].cursor != .none
    else { return waiter }
    let priority = Task.currentPriority
    // The search takes as long as the subtree is large, for each caller.
    guard priority.rawValue > lowestPriority else { return waiter }
    for running in machine.running(before: request) {
      guard let frame = running.isLoad ? self[running.node].load : self[running.node].frame else { continue }
      work.add { _ in frame.raise(to: priority) }
    }
    return waiter
  }

  private mutating func add(_ effect: TreeMachine.Effect, to work: inout Work) {
    switch effect {
    case .begin(let node, let callback): begin(callback, of: node, &work)
    case .close(let node):
      let (lifecycle, extras) = (lifecycle(node), self[node].extras)
      let (streams, bound, tasks) = (extras?.streams ?? [], extras?.bound, extras?.bound?.close() ?? [])
      work.add { work in
        for stream in streams { stream.yield(false, of: lifecycle) }
        LifecycleObservation.notify(.deactivated(ObjectIdentifier(lifecycle)))
        bound?.cancel(all: tasks)
        work.decide(.closed(node))
      }
    case .cancel(let node):
      guard let frame = self[node].frame else { return }
      work.add { _ in frame.cancel() }
    case .load(let node):
      guard let router = router(node), let owner = router.owner else { return }
      let frame = makeFrame(TreeMachine.Frame(node: node, isLoad: true))
      self[node].load = frame
      work.startsTask = true
      work.add { frame.startLoad(of: owner, &$0) }
    case .onMain(let node):
      let (lifecycle, waiter) = (lifecycle(node), waiterOnMain(at: node))
      work.add { _ in TreeDriver.goOnOnMain(lifecycle, by: waiter) }
    case .attached(let child, let parent):
      guard let node = router(child), let owner = node.owner, let parent = router(parent) else { return }
      work.add(.attached(node, owner, to: parent))
    case .detached(let child, let parent):
      self[child].formerParent = parent
      work.add(.detached(child, router(child), from: router(parent), of: self[parent].extras?.slots ?? []))
    case .resume(let request): answer(request, isFulfilled: true, &work)
    case .refuse(let request): answer(request, isFulfilled: false, &work)
    case .rest(let node):
      guard let extras = self[node].extras else { return }
      let dropped = extras.takeMotion()
      if extras.isIdle {
        if extras.slots.isEmpty { self[node].extras = nil }
        machine[node].hasExtras = false
      }
      if !dropped.isEmpty { work.add { _ in withExtendedLifetime(dropped) {} } }
    }
  }

  private mutating func answer(_ request: Int32, isFulfilled: Bool, _ work: inout Work) {
    if let waiter = waiters[Int(request)].take() { work.add(.resume(waiter, isFulfilled: isFulfilled)) }
  }

  /// A caller that waits at a node, on the main actor, for a call of its router.
  private func waiterOnMain(at node: Node) -> Waiter? {
    var id = machine[node].requests
    while id >= 0 {
      switch machine.requests[Int(id)].call {
      case .attach, .detach: return waiters[Int(id)]
      default: id = machine.requests[Int(id)].next
      }
    }
    return nil
  }

  private func lifecycle(_ node: Node) -> InteractorLifecycle {
    self[node].lifecycle.unsafelyUnwrapped.takeUnretainedValue()
  }

  func router(_ node: Node) -> RouterNode? { self[node].router?.takeUnretainedValue() }

  private mutating func begin(_ callback: TreeMachine.Callback, of node: Node, _ work: inout Work) {
    let (lifecycle, extras, defaults) = (lifecycle(node), self[node].extras, machine[node].defaults)
    let activates = callback == .didBecomeActive
    var body: InteractorLifecycle.Body?
    if let closure = activates ? extras?.didBecomeActive : extras?.willResignActive {
      body = .closure(closure)
    } else if !defaults.suffice(for: callback),
      let interactor = router(node)?.interactable ?? extras?.interactor
    {
      self[node].isVisited = !defaults[activates ? .activate : .deactivate]
      self[node].isCalledElsewhere = false
      body = self[node].isVisited ? .visit(interactor) : .interactor(interactor)
    }
    if activates, !self[node].isVisited, extras != nil || machine.isObserved {
      let streams = extras?.streams ?? []
      work.add { _ in lifecycle.noteActivation(streams) }
    }
    guard let body else {
      // The observers are notified of a default callback, which does nothing, too.
      return work.add { work in
        lifecycle.noteBeginning(of: callback)
        lifecycle.noteEnd(of: callback)
        work.decide(.callbackReturned(node))
      }
    }
    let frame = makeFrame(TreeMachine.Frame(node: node, isLoad: false))
    self[node].frame = frame
    work.startsTask = true
    work.add { frame.start(callback, of: lifecycle, body, &$0) }
  }

  /// Makes the frame of a callback or a load that the present caller starts.
  private mutating func makeFrame(_ id: TreeMachine.Frame) -> CallbackFrame {
    runningCount += 1
    lowestPriority = min(lowestPriority, Task.currentPriority.rawValue)
    return CallbackFrame(id)
  }

  /// Ends a callback or a load that has returned.
  mutating func end(_ frame: CallbackFrame, _ work: inout Work) {
    let node = frame.id.node
    runningCount -= 1
    if runningCount == 0 { lowestPriority = .max }
    if frame.id.isLoad {
      self[node].load = nil
      return decide(.loadEnded(node), &work)
    }
    let isRefused = self[node].isVisited
    self[node].frame = nil
    if isRefused {
      self[node].isVisited = false
      warnOfRefusal(of: node, &work)
    }
    decide(isRefused ? .refused(node) : .callbackReturned(node), &work)
  }

  /// Warns if an interactor's own method has returned without a call of its lifecycle, though the transition is still wanted.
  private func warnOfRefusal(of node: Node, _ work: inout Work) {
    let record = machine[node]
    let activates = record.phase == .activating
    guard record.wantedState == (activates ? .active : .inactive), !record.isInterrupted,
      let interactor = router(node)?.interactable ?? self[node].extras?.interactor
    else { return }
    let isCalledElsewhere = self[node].isCalledElsewhere
    work.add { _ in Misuse.warnOfRefusal(by: interactor, activates: activates, isCalledElsewhere: isCalledElsewhere) }
  }

  /// Whether a child is attached to another router than the one that is to detach it, which is not the one it left last.
  func isElsewhere(_ child: Node, than parent: Node) -> Bool {
    let wanted = machine.wantedParent(of: child)
    return wanted != parent && wanted != .none && machine[child].parent != parent && self[child].formerParent != parent
  }

  /// The streams to notify by the call for which the tree has called the interactor's own method; nil for another call.
  mutating func answerVisit(
    active: Bool, at node: Node, in frame: CallbackFrame?
  ) -> (streams: [LifecycleExtras.Stream], isCancelled: Bool)? {
    guard let frame, self[node].isVisited, self[node].frame === frame, frame.isOwnTask,
      (machine[node].phase == .activating) == active
    else { return nil }
    // The resignation that follows an interrupted activation is carried out.
    let isCancelled = active && machine[node].isInterrupted
    self[node].isVisited = isCancelled
    return (active ? self[node].extras?.streams ?? [] : [], isCancelled)
  }

  /// From before `didBecomeActive()` until after `willResignActive()` (L1).
  func isActive(_ node: Node) -> Bool {
    machine[node].isActive && !(self[node].isVisited && machine[node].phase == .activating)
  }
}
