// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The driver's work under its lock: the machine's decision, and the objects that its effects need.
extension TreeDriver.State {
  typealias Step = TreeDriver.Step

  mutating func enter(_ lifecycle: InteractorLifecycle) {
    let node = lifecycle.node
    while sides.count <= Int(node.index) { sides.append(TreeDriver.Side()) }
    self[node].lifecycle = .passUnretained(lifecycle)
  }

  mutating func removeNode(_ node: TreeMachine.Node) -> (BoundTasks?, [LifecycleExtras.Stream]) {
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
    guard self[router.number].router == nil else { return false }
    self[router.number].router = .passUnretained(router)
    learn(defaults[ObjectIdentifier(type(of: router.interactable))] ?? TreeDriver.Defaults(), of: router.number)
    _ = machine.handle(.routerBegan(router.number))
    return true
  }

  /// Ends the node of a released router; its interactor is kept until everything below has resigned.
  mutating func end(_ router: RouterNode, _ interactable: any Interactable) -> TreeDriver.Work? {
    let node = router.number
    guard self.router(node) === router else { return nil }
    self[node].router = nil
    withExtras(of: node) { $0.interactor = interactable }
    return decide(.routerEnded(node, isReleased: true))
  }

  /// Removes a routing that is no `Router`; nil if a router still refers to it.
  mutating func leave(_ router: RouterNode) -> [Step]? {
    let node = router.number
    guard machine[node].parent == .none, machine[node].nextParent == .none else { return nil }
    var steps = adopt([], by: node)
    self[node].router = nil
    steps += decide(.routerEnded(node, isReleased: false)).steps
    return steps
  }

  /// Updates the children of a routing that is no `Router`, as it reports them.
  mutating func adopt(_ children: [TreeMachine.Node], by parent: TreeMachine.Node) -> [Step] {
    var steps: [Step] = []
    var child = machine[parent].first
    while child != .none {
      let next = machine[child].next
      if !children.contains(child) { steps += decide(.disown(child)).steps }
      child = next
    }
    for child in children { steps += decide(.adopt(child, by: parent)).steps }
    return steps
  }

  mutating func withExtras<R>(of node: TreeMachine.Node, _ body: (LifecycleExtras) -> R) -> R {
    if let extras = self[node].extras { return body(extras) }
    let extras = LifecycleExtras()
    self[node].extras = extras
    machine[node].marks.insert(.hasExtras)
    return body(extras)
  }

  private mutating func dropMotion(of node: TreeMachine.Node) -> [any Sendable]? {
    guard let extras = self[node].extras else { return nil }
    let dropped = extras.takeMotion()
    if extras.isEmpty {
      self[node].extras = nil
      machine[node].marks.remove(.hasExtras)
    }
    return dropped.isEmpty ? nil : dropped
  }

  /// Remembers a default of an interactor's type.
  mutating func note(_ method: TreeDriver.Defaults, of interactor: any Interactable) {
    guard !self[interactor.lifecycle.node].defaults.contains(method) else { return }
    let type = ObjectIdentifier(type(of: interactor))
    defaults[type, default: TreeDriver.Defaults()].bits |= method.bits
    learn(defaults[type] ?? method, of: interactor.lifecycle.node)
  }

  private mutating func learn(_ defaults: TreeDriver.Defaults, of node: TreeMachine.Node) {
    self[node].defaults = defaults
    if defaults.contains(.activate), defaults.contains(.didBecomeActive) {
      machine[node].marks.insert(.skipsActivation)
    }
    if defaults.contains(.deactivate), defaults.contains(.willResignActive) {
      machine[node].marks.insert(.skipsResignation)
    }
  }

  /// A call of `activate()` or `deactivate()`, which brings the interactor or a closure.
  mutating func request(
    active: Bool, at node: TreeMachine.Node, of interactor: (any Interactable)?,
    _ callback: (@Sendable () async -> Void)?, in frame: CallbackFrame?
  ) -> TreeDriver.Work {
    var replaced: (@Sendable () async -> Void)?
    if let callback {
      replaced = withExtras(of: node) { $0.replace(active: active, by: callback) }
    } else if let interactor {
      note(active ? .activate : .deactivate, of: interactor)
      if self[node].router == nil { withExtras(of: node) { $0.interactor = interactor } }
    }
    let name = TreeDriver.name(frame)
    var work = decide(active ? .activate(node, in: name) : .deactivate(node, in: name))
    if let replaced { work.steps.append(.drop([replaced])) }
    return work
  }

  mutating func decide(_ event: TreeMachine.Event, onMain: Bool = false) -> TreeDriver.Work {
    machine.isObserved = LifecycleObservation.isWatched
    machine.decide(event, onMain: onMain)
    var work = TreeDriver.Work(mistake: machine.answer.mistake, isRefused: machine.answer.isRefused)
    if let request = machine.answer.request {
      let waiter = Waiter(request)
      while waiters.count <= Int(request) { waiters.append(nil) }
      waiters[Int(request)] = waiter
      work.waiter = waiter
      lendPriority(to: request, &work.steps)
    }
    work.steps.reserveCapacity(work.steps.count + machine.answer.effects.count)
    var index = 0
    while index < machine.answer.effects.count {
      if case .begin(let node, let callback) = machine.answer.effects[index] {
        begin(callback, of: node, &work.steps)
      } else if let step = step(machine.answer.effects[index]) {
        work.steps.append(step)
      }
      index += 1
    }
    return work
  }

  /// Raises the callbacks and loads that a new request waits for to the caller's priority.
  private mutating func lendPriority(to request: Int32, _ steps: inout [Step]) {
    let node = machine.requests[Int(request)].node
    // What the present event begins has no frame yet, and is begun by this caller.
    guard
      self[node].frame != nil || self[node].load != nil || machine[node].restlessBelow > 0
        || machine[node].cursor != .none
    else { return }
    for running in machine.running(before: request) {
      guard let frame = running.isLoad ? self[running.node].load : self[running.node].frame else { continue }
      steps.append(.raise(frame, to: Task.currentPriority.rawValue))
    }
  }

  /// Withdraws a request, unless it was answered.
  mutating func withdraw(_ waiter: Waiter) -> TreeDriver.Work {
    guard waiters[Int(waiter.request)] === waiter else { return TreeDriver.Work() }
    return decide(.withdraw(waiter.request))
  }

  private mutating func step(_ effect: TreeMachine.Effect) -> Step? {
    switch effect {
    case .begin: return nil
    case .close(let node):
      let (extras, bound) = (self[node].extras, self[node].extras?.bound)
      return .close(lifecycle(node), extras?.streams ?? [], bound, bound?.close() ?? [])
    case .cancel(let node): return self[node].frame.map { .cancel($0) }
    case .load(let node):
      guard let router = router(node), let owner = router.owner else { return nil }
      let frame = CallbackFrame(TreeMachine.Frame(node: node, isLoad: true), .load(router, owner))
      self[node].load = frame
      return .load(frame, by: waiter(for: .attach, at: node))
    case .place(let node): return .place(lifecycle(node), by: waiter(for: .detach, at: node))
    case .attached(let child, let parent):
      guard let node = router(child), let owner = node.owner, let parent = router(parent) else { return nil }
      return .attached(node, owner, to: parent)
    case .detached(let child, let parent): return .detached(lifecycle(child), router(child), from: router(parent))
    case .resume(let request): return waiters[Int(request)].take().map { .resume($0, isFulfilled: true) }
    case .refuse(let request): return waiters[Int(request)].take().map { .resume($0, isFulfilled: false) }
    case .rest(let node): return dropMotion(of: node).map { .drop($0) }
    }
  }

  /// A caller that waits at a node, on the main actor, for a call of a router.
  private func waiter(for call: TreeMachine.Call, at node: TreeMachine.Node) -> Waiter? {
    var id = machine[node].requests
    while id >= 0, machine.requests[Int(id)].call != call { id = machine.requests[Int(id)].next }
    return id < 0 ? nil : waiters[Int(id)]
  }

  private func lifecycle(_ node: TreeMachine.Node) -> InteractorLifecycle {
    self[node].lifecycle.unsafelyUnwrapped.takeUnretainedValue()
  }

  func router(_ node: TreeMachine.Node) -> RouterNode? { self[node].router?.takeUnretainedValue() }

  private mutating func begin(_ callback: TreeMachine.Callback, of node: TreeMachine.Node, _ steps: inout [Step]) {
    let (lifecycle, extras) = (lifecycle(node), self[node].extras)
    let activates = callback == .didBecomeActive
    let skips = machine[node].marks.contains(activates ? .skipsActivation : .skipsResignation)
    var body: TreeDriver.Body?
    if let closure = activates ? extras?.didBecomeActive : extras?.willResignActive {
      body = .closure(closure)
    } else if !skips, let interactor = router(node)?.interactable ?? extras?.interactor {
      self[node].isVisited = !self[node].defaults.contains(activates ? .activate : .deactivate)
      body = self[node].isVisited ? .visit(interactor) : .interactor(interactor)
    }
    if activates, !self[node].isVisited, extras != nil || machine.isObserved {
      steps.append(.activated(lifecycle, extras?.streams ?? []))
    }
    guard let body else { return steps.append(.skip(lifecycle, callback)) }
    let id = TreeMachine.Frame(node: node, isLoad: false)
    let frame = CallbackFrame(id, .callback(lifecycle, callback, body))
    self[node].frame = frame
    steps.append(.start(frame))
  }

  /// Ends a callback or a load that has returned.
  mutating func end(_ frame: CallbackFrame, onMain: Bool) -> TreeDriver.Work {
    let node = frame.id.node
    frame.isRunning.store(false, ordering: .relaxed)
    if frame.id.isLoad {
      self[node].load = nil
      return decide(.loadEnded(node), onMain: onMain)
    }
    let isRefused = self[node].isVisited
    self[node].frame = nil
    self[node].isVisited = false
    return decide(isRefused ? .refused(node) : .callbackReturned(node), onMain: onMain)
  }

  /// Whether a load that was decided off the main actor still has to begin.
  mutating func confirmLoad(_ frame: CallbackFrame) -> Bool {
    if machine.confirmLoad(frame.id.node) { return true }
    self[frame.id.node].load = nil
    return false
  }

  /// Whether a call is the one for which the tree has called the interactor's own method, and what it has to notify.
  mutating func answerVisit(
    active: Bool, at node: TreeMachine.Node, in frame: CallbackFrame?
  ) -> (streams: [LifecycleExtras.Stream], isCancelled: Bool)? {
    guard let frame, self[node].isVisited, self[node].frame === frame, frame.isOwnTask,
      (machine[node].phase == .activating) == active
    else { return nil }
    // The resignation that follows an interrupted activation is carried out.
    let isCancelled = active && machine[node].marks.contains(.isInterrupted)
    self[node].isVisited = isCancelled
    return (active ? self[node].extras?.streams ?? [] : [], isCancelled)
  }

  /// From before `didBecomeActive()` until after `willResignActive()` (L1).
  func isActive(_ node: TreeMachine.Node) -> Bool {
    machine[node].isActive && !(self[node].isVisited && machine[node].phase == .activating)
  }
}
