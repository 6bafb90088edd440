// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Carries out what the machine decides: one lock for the decisions of a process, and never an effect under it.
///
/// The call that brings an event carries out what follows from it. What takes time runs in tasks that bring the next event.
enum TreeDriver {
  typealias Node = TreeMachine.Node

  /// What belongs to a node and is no part of a decision.
  struct Side {
    // The lifecycle takes its entry along as it goes, and the router its node.
    var lifecycle: Unmanaged<InteractorLifecycle>?
    var router: Unmanaged<RouterNode>?
    var frame: CallbackFrame?
    var extras: LifecycleExtras?
  }

  struct State {
    var machine = TreeMachine()
    fileprivate var sides: ContiguousArray<Side> = []
    fileprivate var waiters: ContiguousArray<Waiter?> = []
    /// Which types keep a default, whose call does nothing or can be left out.
    private var defaults: [ObjectIdentifier: TreeMachine.Marks] = [:]

    subscript(node: Node) -> Side {
      _read { yield sides[Int(node.index)] }
      _modify { yield &sides[Int(node.index)] }
    }
  }

  /// What is run in a task of its own.
  enum Job: Sendable {
    /// A callback of an interactor, or what `activate(invoking:)` or `deactivate(invoking:)` brought in its place.
    case callback(
      InteractorLifecycle, TreeMachine.Callback, of: (any Interactable)?, inPlace: (@Sendable () async -> Void)?)
    /// A call of `activate()` or `deactivate()` for the tree.
    case visit(InteractorLifecycle, any Interactable, wakes: Bool)
    case load(RouterNode, any Routing)

    var isCallback: Bool { if case .callback = self { true } else { false } }

    @inline(__always)
    nonisolated(nonsending) func run() async {
      switch self {
      case .callback(_, _, _, let closure?): await closure()
      case .callback(_, .didBecomeActive, let interactor, nil): await interactor?.didBecomeActive()
      case .callback(_, .willResignActive, let interactor, nil): await interactor?.willResignActive()
      case .visit(let lifecycle, let interactable, let wakes): await lifecycle.visit(interactable, wakes: wakes)
      case .load(_, let owner): await RouterNode.load(owner)
      }
    }

    /// Tells of its end, and answers with what follows.
    func end(_ frame: CallbackFrame?, onMain: Bool) -> [Step] {
      switch self {
      case .callback(let lifecycle, let callback, _, _):
        let id = ObjectIdentifier(lifecycle)
        LifecycleObservation.tell(
          callback == .didBecomeActive ? .didBecomeActiveEnded(id) : .willResignActiveEnded(id))
        return state.withLock { $0.callbackReturned(lifecycle, callback, onMain) }.steps
      case .visit(let lifecycle, _, _):
        return (frame?.takeDeferred() ?? []) + decide(.visitEnded(lifecycle.node), onMain: onMain).steps
      case .load(let node, let owner):
        LifecycleObservation.tell(.loadEnded(ObjectIdentifier(owner)))
        return state.withLock { state in
          frame?.isRunning.store(false, ordering: .relaxed)
          return state.decide(.loadEnded(node.number), onMain: onMain)
        }.steps
      }
    }
  }

  /// An effect with the objects that it needs.
  enum Step: Sendable {
    /// Without a frame, if the callback is the default, which does nothing.
    indirect case begin(Job, CallbackFrame?, [LifecycleExtras.Stream])
    case close(InteractorLifecycle, [LifecycleExtras.Stream], BoundTasks.Remainder?)
    case cancel(CallbackFrame)
    case raise(CallbackFrame, UInt8)
    case visit(InteractorLifecycle, any Interactable, wakes: Bool)
    case load(RouterNode, any Routing)
    case place(InteractorLifecycle)
    case attached(RouterNode, any Routing, to: RouterNode)
    case detached(InteractorLifecycle, RouterNode?, from: RouterNode?)
    case resume(Waiter)
    /// Released outside the lock, since a `deinit` of the user's may follow.
    case drop([any Sendable])

    /// Whether it calls an interactor or a router in a task of its own.
    var calls: Bool {
      switch self {
      case .visit, .load: true
      default: false
      }
    }
  }

  /// What an event leaves to be done outside the lock.
  struct Work: Sendable {
    var steps: [Step] = []
    var waiter: Waiter?
    var mistake: TreeMachine.Mistake?

    var startsTasks: Bool { steps.contains { if case .begin = $0 { true } else { $0.calls } } }
  }

  static let state = Mutex(State())

  /// The machine's decision about an event.
  static func decide(_ event: TreeMachine.Event, onMain: Bool) -> Work {
    state.withLock { $0.decide(event, onMain: onMain) }
  }

  /// A default callback has been called, which need not happen again.
  static func note(_ isDefault: TreeMachine.Marks, of interactor: any Interactable) {
    state.withLock { $0.note(isDefault, of: interactor) }
  }

  /// The callback in whose name a call is made, as long as it runs.
  @inline(__always)
  static func name(_ frame: CallbackFrame?) -> TreeMachine.Frame? { frame?.running?.id }

  /// Carries steps out, and what follows from them at once.
  ///
  /// What starts a task is left to the starter of a visit, if it is that visit's call that is carried out.
  static func carryOut(_ work: [Step], onMain: Bool, within visit: CallbackFrame? = nil) {
    guard !work.isEmpty else { return }
    var steps = work
    var index = 0
    while index < steps.count {
      let step = steps[index]
      index += 1
      if let visit, step.calls, visit.leaves(step) { continue }
      let next = carryOut(step, onMain)
      if index == steps.count {
        steps = next
        index = 0
      } else if !next.isEmpty {
        steps.append(contentsOf: next)
      }
    }
  }

  private static func carryOut(_ step: Step, _ onMain: Bool) -> [Step] {
    switch step {
    case .begin(let job, let frame, let streams):
      guard case .callback(let lifecycle, let callback, _, _) = job else { return [] }
      let id = ObjectIdentifier(lifecycle)
      if callback == .didBecomeActive {
        LifecycleObservation.tell(.activated(id))
        for stream in streams { stream.yield(true, of: lifecycle) }
        LifecycleObservation.tell(.didBecomeActiveBegan(id))
      } else {
        LifecycleObservation.tell(.willResignActiveBegan(id))
      }
      return frame?.start(job, onMain: onMain) ?? job.end(nil, onMain: onMain)
    case .close(let lifecycle, let streams, let remainder):
      for stream in streams { stream.yield(false, of: lifecycle) }
      LifecycleObservation.tell(.deactivated(ObjectIdentifier(lifecycle)))
      remainder?.cancel()
      return decide(.closed(lifecycle.node), onMain: onMain).steps
    case .cancel(let frame): frame.cancel()
    case .raise(let frame, let priority): frame.raise(to: TaskPriority(rawValue: priority))
    case .visit(let lifecycle, let interactable, let wakes):
      let frame = CallbackFrame(TreeMachine.Frame(node: lifecycle.node, isLoad: false), isVisit: true)
      return frame.start(.visit(lifecycle, interactable, wakes: wakes), onMain: onMain)
    case .load(let node, let owner):
      if onMain { return MainActor.assumeIsolated { node.beginLoad(owner) } }
      Task { @MainActor in
        if state.withLock({ $0.machine.confirmLoad(node.number) }) { carryOut(node.beginLoad(owner), onMain: true) }
      }
    case .place(let lifecycle):
      if onMain { return decide(.place(lifecycle.node), onMain: true).steps }
      Task { @MainActor in carryOut(decide(.place(lifecycle.node), onMain: true).steps, onMain: true) }
    case .attached(let node, let child, let parent): parent.append(child, node)
    case .detached(let lifecycle, let node, let parent): RouterNode.remove(lifecycle.node, node, from: parent)
    case .resume(let waiter): waiter.resume()
    case .drop: break
    }
    return []
  }
}

extension TreeDriver.State {
  mutating func enter(_ lifecycle: InteractorLifecycle) {
    let node = lifecycle.node
    while sides.count <= Int(node.index) { sides.append(TreeDriver.Side()) }
    self[node].lifecycle = .passUnretained(lifecycle)
  }

  mutating func removeNode(_ node: TreeMachine.Node) -> (BoundTasks.Remainder?, [LifecycleExtras.Stream]) {
    machine.removeNode(node)
    let extras = self[node].extras
    self[node] = TreeDriver.Side()
    return (extras?.bound?.close(forGood: true), extras?.streams ?? [])
  }

  /// False if another router has the interactor (M1).
  mutating func enter(_ router: RouterNode) -> Bool {
    guard self[router.number].router == nil else { return false }
    self[router.number].router = .passUnretained(router)
    machine[router.number].marks.insert(
      defaults[ObjectIdentifier(type(of: router.interactable))] ?? TreeMachine.Marks())
    _ = machine.handle(.routerBegan(router.number))
    return true
  }

  /// The router is gone; what resigns below is the interactor's to wait for, and the interactor is kept until then.
  mutating func end(_ router: RouterNode, _ interactable: any Interactable) -> TreeDriver.Work? {
    let node = router.number
    guard self.router(node) === router else { return nil }
    self[node].router = nil
    withExtras(of: node) { $0.interactor = interactable }
    return decide(.routerEnded(node))
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
    _ = machine.handle(.routerEnded(node))
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

  /// Remembers a default of an interactor's type: an actor has no subclasses, so all of that type have it.
  mutating func note(_ isDefault: TreeMachine.Marks, of interactor: any Interactable) {
    machine[interactor.lifecycle.node].marks.insert(isDefault)
    defaults[ObjectIdentifier(type(of: interactor)), default: TreeMachine.Marks()].insert(isDefault)
  }

  /// A call of `activate()` or `deactivate()` that has come to its lifecycle.
  mutating func request(
    active: Bool, at node: TreeMachine.Node, of interactor: (any Interactable)?,
    _ callback: (@Sendable () async -> Void)?, isVisit: Bool, in frame: CallbackFrame?
  ) -> TreeDriver.Work {
    var brings: TreeMachine.Marks = .knowsActivation | .knowsResignation
    var replaced: [any Sendable] = []
    if let callback {
      brings = active ? .knowsActivation : .knowsResignation
      if let old = withExtras(of: node, { $0.replace(active: active, by: callback) }) { replaced.append(old) }
    } else {
      if self[node].router == nil, let interactor { withExtras(of: node) { $0.interactor = interactor } }
      if isVisit, let interactor { note(active ? .ownsActivation : .ownsResignation, of: interactor) }
    }
    let name = isVisit ? nil : TreeDriver.name(frame)
    var work = decide(
      active
        ? .activate(node, isVisit: isVisit, brings: brings, in: name)
        : .deactivate(node, isVisit: isVisit, brings: brings, in: name))
    if !replaced.isEmpty { work.steps.append(.drop(replaced)) }
    return work
  }

  mutating func decide(_ event: TreeMachine.Event, onMain: Bool = false) -> TreeDriver.Work {
    machine.isObserved = LifecycleObservation.isWatched
    var answer = machine.handle(event, onMain: onMain)
    var work = TreeDriver.Work(mistake: answer.mistake)
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
  private mutating func lendPriority(to node: TreeMachine.Node, _ steps: inout [TreeDriver.Step]) {
    guard self[node].frame != nil || machine[node].restlessBelow > 0 || machine[node].cursor != .none else { return }
    var open = [node]
    while let next = open.popLast() {
      if let frame = self[next].frame { steps.append(.raise(frame, Task.currentPriority.rawValue)) }
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

  private mutating func step(_ effect: TreeMachine.Effect) -> TreeDriver.Step? {
    switch effect {
    case .begin(let node, let callback): begin(node, callback)
    case .close(let node):
      .close(lifecycle(node), self[node].extras?.streams ?? [], self[node].extras?.bound?.close())
    case .cancel(let node): self[node].frame.map { .cancel($0) }
    case .visit(let node, let wakes): interactable(node).map { .visit(lifecycle(node), $0, wakes: wakes) }
    case .load(let node): router(node).flatMap { router in router.owner.map { .load(router, $0) } }
    case .place(let node): .place(lifecycle(node))
    case .attached(let child, let parent):
      router(child).flatMap { node in
        node.owner.flatMap { owner in router(parent).map { .attached(node, owner, to: $0) } }
      }
    case .detached(let child, let parent): .detached(lifecycle(child), router(child), from: router(parent))
    case .resume(let request): waiters[Int(request)].take().map { .resume($0) }
    case .rest(let node): dropMotion(of: node).map { .drop($0) }
    }
  }

  private func lifecycle(_ node: TreeMachine.Node) -> InteractorLifecycle {
    self[node].lifecycle.unsafelyUnwrapped.takeUnretainedValue()
  }

  func router(_ node: TreeMachine.Node) -> RouterNode? { self[node].router?.takeUnretainedValue() }

  private func interactable(_ node: TreeMachine.Node) -> (any Interactable)? {
    router(node)?.interactable ?? self[node].extras?.interactor
  }

  private mutating func begin(_ node: TreeMachine.Node, _ callback: TreeMachine.Callback) -> TreeDriver.Step {
    let (lifecycle, extras) = (lifecycle(node), self[node].extras)
    let activates = callback == .didBecomeActive
    let closure = activates ? extras?.didBecomeActive : extras?.willResignActive
    let isDefault =
      closure == nil && machine[node].marks.contains(activates ? .skipsActivation : .skipsResignation)
    let frame = isDefault ? nil : CallbackFrame(TreeMachine.Frame(node: node, isLoad: false))
    self[node].frame = frame
    return .begin(
      .callback(lifecycle, callback, of: isDefault ? nil : interactable(node), inPlace: closure),
      frame, activates ? extras?.streams ?? [] : [])
  }

  mutating func callbackReturned(
    _ lifecycle: InteractorLifecycle, _ callback: TreeMachine.Callback, _ onMain: Bool
  ) -> TreeDriver.Work {
    let node = lifecycle.node
    self[node].frame?.isRunning.store(false, ordering: .relaxed)
    self[node].frame = nil
    return decide(.callbackReturned(node), onMain: onMain)
  }
}
