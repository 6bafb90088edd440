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
    var lifecycle: Unmanaged<InteractorLifecycle>
    var router: Unmanaged<RouterNode>?
    var frame: CallbackFrame?
    var extras: LifecycleExtras?
    /// A caller on the main actor deactivates it, and places it after that.
    var isAttended = false
  }

  struct State {
    var machine = TreeMachine()
    fileprivate var sides: ContiguousArray<Side?> = []
    fileprivate var waiters: [Waiter?] = []

    subscript(node: Node) -> Side {
      get { sides[Int(node.index)].unsafelyUnwrapped }
      _modify { yield &sides[Int(node.index)]! }
    }

    mutating func withExtras<R>(of node: Node, _ body: (LifecycleExtras) -> R) -> R {
      if let extras = self[node].extras { return body(extras) }
      let extras = LifecycleExtras()
      self[node].extras = extras
      return body(extras)
    }
  }

  /// An effect with the objects that it needs.
  enum Step: Sendable {
    case begin(RunningCallback)
    case close(InteractorLifecycle, [LifecycleExtras.Stream], BoundTasks.Remainder?)
    case cancel(CallbackFrame)
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
      case .begin, .close, .cancel, .place, .attached, .detached, .resume, .drop: false
      }
    }
  }

  /// What an event leaves to be done outside the lock.
  struct Work: Sendable {
    var steps: [Step] = []
    var waiter: Waiter?
    var mistake: TreeMachine.Mistake?

    var startsTasks: Bool { steps.contains { if case .begin = $0 { true } else { $0.calls } } }

    /// Takes out the visit to a node, for a caller that makes it in its own task.
    mutating func takeVisit(of lifecycle: InteractorLifecycle) -> (any Interactable, wakes: Bool)? {
      for index in steps.indices {
        if case .visit(let own, let interactable, let wakes) = steps[index], own === lifecycle {
          steps.remove(at: index)
          return (interactable, wakes)
        }
      }
      return nil
    }
  }

  static let state = Mutex(State())

  static func makeNode() -> Node { state.withLock { $0.machine.makeNode() } }

  /// The machine's decision about an event.
  static func decide(_ event: TreeMachine.Event) -> Work {
    state.withLock { $0.decide(event) }
  }

  /// The callback in whose name a call is made, as long as it runs.
  static func name(_ frame: CallbackFrame?) -> TreeMachine.Frame? {
    guard let frame, frame.isRunning.load(ordering: .relaxed) else { return nil }
    return frame.id
  }

  /// Carries steps out, and what follows from them at once.
  ///
  /// What starts a task is left to the starter of a visit, if it is that visit's call that is carried out.
  static func carryOut(_ work: Work, onMain: Bool, within visit: CallbackFrame? = nil) {
    var steps = work.steps
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
    case .begin(let callback): return callback.begin()
    case .close(let lifecycle, let streams, let remainder):
      for stream in streams { stream.yield(false, of: lifecycle) }
      LifecycleObservation.tell(.deactivated(ObjectIdentifier(lifecycle)))
      remainder?.cancel()
      return decide(.closed(lifecycle.node)).steps
    case .cancel(let frame): frame.cancel()
    case .visit(let lifecycle, let interactable, let wakes):
      return visit(lifecycle, interactable, wakes: wakes, onMain)
    case .load(let node, let owner):
      if onMain { return MainActor.assumeIsolated { node.beginLoad(owner, isConfirmed: true) } }
      Task { @MainActor in carryOut(Work(steps: node.beginLoad(owner, isConfirmed: false)), onMain: true) }
    case .place(let lifecycle):
      if onMain { return decide(.place(lifecycle.node)).steps }
      Task { @MainActor in carryOut(decide(.place(lifecycle.node)), onMain: true) }
    case .attached(let node, let child, let parent): MainActor.assumeIsolated { parent.append(child, node) }
    case .detached(let lifecycle, let node, let parent):
      MainActor.assumeIsolated { RouterNode.remove(lifecycle.node, node, from: parent) }
    case .resume(let waiter): waiter.resume()
    case .drop: break
    }
    return []
  }

  /// Calls an interactor's `activate()` or `deactivate()` for the tree, in a task of its own.
  private static func visit(
    _ lifecycle: InteractorLifecycle, _ interactable: any Interactable, wakes: Bool, _ onMain: Bool
  ) -> [Step] {
    let frame = CallbackFrame(TreeMachine.Frame(node: lifecycle.node, isLoad: false), isRunning: false)
    let hasReturned =
      if onMain {
        MainActor.assumeIsolated {
          frame.runOnMain {
            await lifecycle.visit(interactable, wakes: wakes)
          } returned: {
            carryOut(Work(steps: endVisit(lifecycle, frame)), onMain: true)
          }
        }
      } else {
        frame.run {
          await lifecycle.visit(interactable, wakes: wakes)
        } returned: {
          carryOut(Work(steps: endVisit(lifecycle, frame)), onMain: false)
        }
      }
    return hasReturned ? endVisit(lifecycle, frame) : []
  }

  private static func endVisit(_ lifecycle: InteractorLifecycle, _ frame: CallbackFrame) -> [Step] {
    frame.takeDeferred() + decide(.visitEnded(lifecycle.node)).steps
  }
}

extension TreeDriver.State {
  mutating func enter(_ lifecycle: InteractorLifecycle) {
    let side = TreeDriver.Side(lifecycle: .passUnretained(lifecycle))
    while sides.count <= Int(lifecycle.node.index) { sides.append(nil) }
    sides[Int(lifecycle.node.index)] = side
  }

  mutating func removeNode(_ node: TreeMachine.Node) -> (BoundTasks.Remainder?, [LifecycleExtras.Stream]) {
    machine.removeNode(node)
    let extras = self[node].extras
    sides[Int(node.index)] = nil
    return (extras?.bound?.close(forGood: true), extras?.streams ?? [])
  }

  /// False if another router has the interactor (M1).
  mutating func enter(_ router: RouterNode) -> Bool {
    guard self[router.number].router == nil else { return false }
    self[router.number].router = .passUnretained(router)
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
    guard machine[node].parent == .none, machine.pending[node] == nil else { return false }
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

  mutating func attend(_ node: TreeMachine.Node, _ isAttended: Bool) { self[node].isAttended = isAttended }

  mutating func removeStream(_ number: UInt64, of node: TreeMachine.Node) { self[node].extras?.removeStream(number) }

  /// A call of `activate()` or `deactivate()` that has come to its lifecycle.
  mutating func request(
    active: Bool, at node: TreeMachine.Node, of interactor: (any Interactable)?,
    _ callback: (@Sendable () async -> Void)?, isVisit: Bool, in frame: CallbackFrame?
  ) -> TreeDriver.Work {
    var brings: TreeMachine.Marks = .knowsActivation | .knowsResignation
    var replaced: [any Sendable] = []
    if let callback {
      brings = active ? .knowsActivation : .knowsResignation
      withExtras(of: node) { extras in
        if active {
          if let old = extras.didBecomeActive { replaced.append(old) }
          extras.didBecomeActive = callback
        } else {
          if let old = extras.willResignActive { replaced.append(old) }
          extras.willResignActive = callback
        }
      }
    } else if self[node].router == nil, let interactor {
      withExtras(of: node) { $0.interactor = interactor }
    }
    let name = isVisit ? nil : TreeDriver.name(frame)
    var work = decide(
      active
        ? .activate(node, isVisit: isVisit, brings: brings, in: name)
        : .deactivate(node, isVisit: isVisit, brings: brings, in: name))
    if !machine.isInMotion(node), machine[node].marks.contains(.hasRouter) || machine[node].first == .none,
      let brought = dropMotion(of: node)
    {
      replaced += brought
    }
    if !replaced.isEmpty { work.steps.append(.drop(replaced)) }
    return work
  }

  mutating func decide(_ event: TreeMachine.Event) -> TreeDriver.Work {
    let answer = machine.handle(event)
    var work = TreeDriver.Work(mistake: answer.mistake)
    if let request = answer.request {
      let waiter = Waiter(request)
      while waiters.count <= Int(request) { waiters.append(nil) }
      waiters[Int(request)] = waiter
      work.waiter = waiter
    }
    if !answer.effects.isEmpty {
      work.steps.reserveCapacity(answer.effects.count)
      for effect in answer.effects { if let step = step(effect) { work.steps.append(step) } }
    }
    return work
  }

  /// Withdraws a request, unless it was answered.
  mutating func withdraw(_ waiter: Waiter) -> TreeDriver.Work {
    guard waiters[Int(waiter.request)] === waiter else { return TreeDriver.Work() }
    return decide(.withdraw(waiter.request))
  }

  private mutating func step(_ effect: TreeMachine.Effect) -> TreeDriver.Step? {
    switch effect {
    case .begin(let node, let callback): .begin(begin(node, callback))
    case .close(let node):
      .close(lifecycle(node), self[node].extras?.streams ?? [], self[node].extras?.bound?.close())
    case .cancel(let node): self[node].frame.map { .cancel($0) }
    case .visit(let node, let wakes): interactable(node).map { .visit(lifecycle(node), $0, wakes: wakes) }
    case .load(let node): router(node).flatMap { router in router.strongOwner.map { .load(router, $0) } }
    case .place(let node): self[node].isAttended ? nil : .place(lifecycle(node))
    case .attached(let child, let parent):
      router(child).flatMap { node in
        node.strongOwner.flatMap { owner in router(parent).map { .attached(node, owner, to: $0) } }
      }
    case .detached(let child, let parent): .detached(lifecycle(child), router(child), from: router(parent))
    case .resume(let request): waiters[Int(request)].take().map { .resume($0) }
    case .rest(let node): dropMotion(of: node).map { .drop($0) }
    }
  }

  private func lifecycle(_ node: TreeMachine.Node) -> InteractorLifecycle { self[node].lifecycle.takeUnretainedValue() }

  func router(_ node: TreeMachine.Node) -> RouterNode? { self[node].router?.takeUnretainedValue() }

  private func interactable(_ node: TreeMachine.Node) -> (any Interactable)? {
    router(node)?.interactable ?? self[node].extras?.interactor
  }

  private mutating func begin(_ node: TreeMachine.Node, _ callback: TreeMachine.Callback) -> RunningCallback {
    let (lifecycle, extras) = (lifecycle(node), self[node].extras)
    let closure = callback == .didBecomeActive ? extras?.didBecomeActive : extras?.willResignActive
    let isDefault = closure == nil && lifecycle.isDefault(callback)
    let frame = isDefault ? nil : CallbackFrame(TreeMachine.Frame(node: node, isLoad: false))
    self[node].frame = frame
    return RunningCallback(
      lifecycle: lifecycle, callback: callback, interactor: isDefault ? nil : interactable(node), closure: closure,
      streams: callback == .didBecomeActive ? extras?.streams ?? [] : [], frame: frame)
  }

  mutating func callbackReturned(_ node: TreeMachine.Node) -> TreeDriver.Work {
    self[node].frame?.isRunning.store(false, ordering: .relaxed)
    self[node].frame = nil
    return decide(.callbackReturned(node))
  }

  private mutating func dropMotion(of node: TreeMachine.Node) -> [any Sendable]? {
    guard let extras = self[node].extras else { return nil }
    let dropped = extras.takeMotion()
    if extras.isEmpty { self[node].extras = nil }
    return dropped.isEmpty ? nil : dropped
  }
}

/// A callback of an interactor that is to run.
struct RunningCallback: Sendable {
  let lifecycle: InteractorLifecycle
  let callback: TreeMachine.Callback
  let interactor: (any Interactable)?
  /// What `activate(invoking:)` or `deactivate(invoking:)` brought in place of the interactor's own.
  let closure: (@Sendable () async -> Void)?
  let streams: [LifecycleExtras.Stream]
  /// Nil if the callback is the default, which does nothing.
  let frame: CallbackFrame?

  /// Runs it, and answers with what follows if it has returned already.
  func begin() -> [TreeDriver.Step] {
    let id = ObjectIdentifier(lifecycle)
    switch callback {
    case .didBecomeActive:
      LifecycleObservation.tell(.activated(id))
      for stream in streams { stream.yield(true, of: lifecycle) }
      LifecycleObservation.tell(.didBecomeActiveBegan(id))
    case .willResignActive: LifecycleObservation.tell(.willResignActiveBegan(id))
    }
    let hasReturned =
      frame.map { frame in
        frame.run {
          await call()
        } returned: {
          TreeDriver.carryOut(TreeDriver.Work(steps: end()), onMain: false)
        }
      } ?? true
    return hasReturned ? end() : []
  }

  private nonisolated(nonsending) func call() async {
    if let closure { return await closure() }
    switch callback {
    case .didBecomeActive: await interactor?.didBecomeActive()
    case .willResignActive: await interactor?.willResignActive()
    }
  }

  private func end() -> [TreeDriver.Step] {
    let id = ObjectIdentifier(lifecycle)
    LifecycleObservation.tell(callback == .didBecomeActive ? .didBecomeActiveEnded(id) : .willResignActiveEnded(id))
    return TreeDriver.state.withLock { $0.callbackReturned(lifecycle.node) }.steps
  }
}
