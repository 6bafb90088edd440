// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What the driver does under its lock: it has the machine decide, and gathers the objects that the effects need.
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

  /// The router is gone; what resigns below is the interactor's to wait for, and the interactor is kept until then.
  mutating func end(_ router: RouterNode, _ interactable: any Interactable) -> TreeDriver.Work? {
    let node = router.number
    guard self.router(node) === router else { return nil }
    self[node].router = nil
    withExtras(of: node) { $0.interactor = interactable }
    return decide(.routerEnded(node, isReleased: true))
  }

  /// False if a routing that is no `Router` still has to do with one.
  mutating func leave(_ router: RouterNode) -> Bool {
    let node = router.number
    guard machine[node].parent == .none, machine[node].nextParent == .none else { return false }
    var child = machine[node].first
    while child != .none {
      let next = machine[child].next
      _ = machine.handle(.disown(child))
      child = next
    }
    self[node].router = nil
    _ = machine.handle(.routerEnded(node, isReleased: false))
    return true
  }

  /// Brings what a routing that is no `Router` says of its children up to date.
  mutating func adopt(_ children: [TreeMachine.Node], by parent: TreeMachine.Node) {
    var child = machine[parent].first
    while child != .none {
      let next = machine[child].next
      if !children.contains(child) { _ = machine.handle(.disown(child)) }
      child = next
    }
    for child in children { _ = machine.handle(.adopt(child, by: parent)) }
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
    if let replaced { work.steps.append(Step { withExtendedLifetime(replaced) {} }) }
    return work
  }

  mutating func decide(_ event: TreeMachine.Event, onMain: Bool = false) -> TreeDriver.Work {
    machine.isObserved = LifecycleObservation.isWatched
    var answer = machine.handle(event, onMain: onMain)
    var work = TreeDriver.Work(mistake: answer.mistake, isRefused: answer.isRefused)
    if let request = answer.request {
      let waiter = Waiter(request)
      while waiters.count <= Int(request) { waiters.append(nil) }
      waiters[Int(request)] = waiter
      work.waiter = waiter
      lendPriority(to: machine.requests[Int(request)].node, &work.steps)
    }
    if !answer.effects.isEmpty {
      work.steps.reserveCapacity(work.steps.count + answer.effects.count)
      for effect in answer.effects { if let step = step(effect) { work.steps.append(step) } }
      machine.reuse(answer.takeEffects())
    }
    return work
  }

  /// Has the callbacks that a new request waits for raised to the caller's priority.
  private mutating func lendPriority(to node: TreeMachine.Node, _ steps: inout [Step]) {
    guard self[node].frame != nil || machine[node].restlessBelow > 0 || machine[node].cursor != .none else { return }
    let priority = Task.currentPriority
    var open = [node]
    while let next = open.popLast() {
      if let frame = self[next].frame { steps.append(Step { frame.raise(to: priority) }) }
      let record = machine[next]
      if record.restlessBelow == 0 {
        if record.marks.contains(.isWaking), record.cursor != .none { open.append(record.cursor) }
        continue
      }
      var child = record.first
      while child != .none {
        if machine[child].marks.contains(.isRestless) { open.append(child) }
        child = machine[child].next
      }
    }
  }

  /// Withdraws a request, unless it was answered.
  mutating func withdraw(_ waiter: Waiter) -> TreeDriver.Work {
    guard waiters[Int(waiter.request)] === waiter else { return TreeDriver.Work() }
    return decide(.withdraw(waiter.request))
  }

  private mutating func step(_ effect: TreeMachine.Effect) -> Step? {
    switch effect {
    case .begin(let node, let callback): return begin(node, callback)
    case .close(let node):
      let (lifecycle, streams, bound) = (lifecycle(node), self[node].extras?.streams ?? [], self[node].extras?.bound)
      let tasks = bound?.close() ?? []
      return Step(startsTask: false) { onMain in
        for stream in streams { stream.yield(false, of: lifecycle) }
        LifecycleObservation.tell(.deactivated(ObjectIdentifier(lifecycle)))
        bound?.cancel(all: tasks)
        return TreeDriver.decide(.closed(lifecycle.node), onMain: onMain).steps
      }
    case .cancel(let node): return self[node].frame.map { frame in Step { frame.cancel() } }
    case .load(let node):
      guard let router = router(node), let owner = router.owner else { return nil }
      return Step(startsTask: true) { onMain in
        if onMain { return router.beginLoad(owner) }
        Task { @MainActor in
          if TreeDriver.state.withLock({ $0.machine.confirmLoad(node) }) {
            TreeDriver.carryOut(router.beginLoad(owner), onMain: true)
          }
        }
        return []
      }
    case .place(let node):
      let lifecycle = lifecycle(node)
      return Step(startsTask: false) { onMain in
        if onMain { return TreeDriver.decide(.place(lifecycle.node), onMain: true).steps }
        Task { @MainActor in
          TreeDriver.carryOut(TreeDriver.decide(.place(lifecycle.node), onMain: true).steps, onMain: true)
        }
        return []
      }
    case .attached(let child, let parent):
      guard let node = router(child), let owner = node.owner, let parent = router(parent) else { return nil }
      return Step { parent.append(owner, node) }
    case .detached(let child, let parent):
      let (lifecycle, node, parent) = (lifecycle(child), router(child), router(parent))
      return Step { RouterNode.remove(lifecycle.node, node, from: parent) }
    case .resume(let request):
      return waiters[Int(request)].take().map { waiter in Step { waiter.resume(isFulfilled: true) } }
    case .refuse(let request):
      return waiters[Int(request)].take().map { waiter in Step { waiter.resume(isFulfilled: false) } }
    // Released outside the lock, since a `deinit` of the user's may follow.
    case .rest(let node): return dropMotion(of: node).map { dropped in Step { withExtendedLifetime(dropped) {} } }
    }
  }

  private func lifecycle(_ node: TreeMachine.Node) -> InteractorLifecycle {
    self[node].lifecycle.unsafelyUnwrapped.takeUnretainedValue()
  }

  func router(_ node: TreeMachine.Node) -> RouterNode? { self[node].router?.takeUnretainedValue() }

  private mutating func begin(_ node: TreeMachine.Node, _ callback: TreeMachine.Callback) -> Step {
    let (extras, defaults) = (self[node].extras, self[node].defaults)
    let activates = callback == .didBecomeActive
    let body: TreeDriver.Body =
      if let closure = activates ? extras?.didBecomeActive : extras?.willResignActive {
        .closure(closure)
      } else if machine[node].marks.contains(activates ? .skipsActivation : .skipsResignation) {
        .none
      } else if let interactor = router(node)?.interactable ?? extras?.interactor {
        defaults.contains(activates ? .activate : .deactivate) ? .interactor(interactor) : .visit(interactor)
      } else {
        .none
      }
    let (lifecycle, streams) = (lifecycle(node), activates ? extras?.streams ?? [] : [])
    let job = TreeDriver.Job.callback(lifecycle, callback, body, streams)
    if case .none = body {
      return Step(startsTask: false) { onMain in
        lifecycle.began(callback, streams)
        lifecycle.ended(callback)
        return job.end(nil, onMain: onMain)
      }
    }
    if case .visit = body { self[node].isVisited = true }
    let frame = CallbackFrame(TreeMachine.Frame(node: node, isLoad: false))
    self[node].frame = frame
    return Step(startsTask: true) { frame.start(job, onMain: $0) }
  }

  /// Whether a call is the one for which the tree has called the interactor's own method, and what it has to notify.
  mutating func answerVisit(
    active: Bool, at node: TreeMachine.Node, in frame: CallbackFrame?
  ) -> (streams: [LifecycleExtras.Stream], isCancelled: Bool)? {
    guard let frame, self[node].isVisited, self[node].frame === frame, frame.isOwnTask,
      (machine[node].phase == .activating) == active
    else { return nil }
    let isCancelled = machine[node].marks.contains(.isInterrupted)
    self[node].isVisited = isCancelled
    return (active ? self[node].extras?.streams ?? [] : [], isCancelled)
  }

  /// From before `didBecomeActive()` until after `willResignActive()` (L1).
  func isActive(_ node: TreeMachine.Node) -> Bool {
    machine[node].isActive && !(self[node].isVisited && machine[node].phase == .activating)
  }
}
