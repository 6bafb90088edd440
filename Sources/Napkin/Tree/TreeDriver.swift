// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Carries out the machine's decisions: one lock guards all decisions of a process, and no effect happens under it.
///
/// The call that brings an event carries out its effects. Those that take time run in tasks that bring the next event.
enum TreeDriver {
  typealias Node = TreeMachine.Node

  /// The objects of a node that are no part of a decision.
  struct Side {
    // The lifecycle removes its entry in its `deinit`, and the router its node.
    var lifecycle: Unmanaged<InteractorLifecycle>?
    var router: Unmanaged<RouterNode>?
    var frame: CallbackFrame?
    var load: CallbackFrame?
    /// The interactor's own `activate()` or `deactivate()` was called, and has not called the lifecycle.
    var isVisited = false
    var extras: LifecycleExtras?
    var defaults = Defaults()
  }

  struct State {
    var machine = TreeMachine()
    var sides: ContiguousArray<Side> = []
    var waiters: ContiguousArray<Waiter?> = []
    /// The default methods of each type, which suffice since an actor has no subclasses.
    var defaults: [ObjectIdentifier: TreeDriver.Defaults] = [:]

    subscript(node: Node) -> Side {
      _read { yield sides[Int(node.index)] }
      _modify { yield &sides[Int(node.index)] }
    }
  }

  /// A job that runs in a task of its own.
  enum Job: Sendable {
    /// A callback of an interactor, or what `activate(invoking:)` or `deactivate(invoking:)` brought in its place.
    case callback(InteractorLifecycle, TreeMachine.Callback, Body)
    case load(RouterNode, any Routing)
    case none

    @inline(__always)
    nonisolated(nonsending) func run() async {
      switch self {
      case .callback(let lifecycle, let callback, let body): await lifecycle.run(callback, body)
      case .load(_, let owner): await RouterNode.load(owner)
      case .none: break
      }
    }
  }

  /// The body of a callback.
  enum Body: Sendable {
    case closure(@Sendable () async -> Void)
    /// Its `activate()` and `deactivate()` are the defaults, so that the tree need not call them.
    case interactor(any Interactable)
    /// Its own `activate()` or `deactivate()`, which is to call the lifecycle.
    case visit(any Interactable)
  }

  /// The methods of `Interactable` whose defaults a type keeps.
  struct Defaults {
    static let activate = Defaults(bits: 1)
    static let deactivate = Defaults(bits: 2)
    static let didBecomeActive = Defaults(bits: 4)
    static let willResignActive = Defaults(bits: 8)
    var bits: UInt8 = 0

    func contains(_ other: Defaults) -> Bool { bits & other.bits == other.bits }
  }

  /// An effect with the objects that it needs.
  enum Step: Sendable {
    /// It is active from here on, for whatever has to learn of that.
    case activated(InteractorLifecycle, [LifecycleExtras.Stream])
    case start(CallbackFrame)
    /// Begins a load on the main actor: at once, or by the caller that waits for it there, if there is one.
    case load(CallbackFrame, by: Waiter?)
    /// Begins a load that was decided off the main actor, if it is still to begin.
    case confirmLoad(CallbackFrame)
    /// A default callback, which does nothing, for whatever has to learn of it.
    case skip(InteractorLifecycle, TreeMachine.Callback)
    indirect case close(InteractorLifecycle, [LifecycleExtras.Stream], BoundTasks?, [BoundTasks.Ticket])
    case cancel(CallbackFrame)
    // Not a `TaskPriority`, of unknown size to the compiler: the whole type would be of that.
    case raise(CallbackFrame, to: UInt8)
    /// Lets a child leave or join, on the main actor likewise.
    case place(InteractorLifecycle, by: Waiter?)
    case attached(RouterNode, any Routing, to: RouterNode)
    case detached(InteractorLifecycle, RouterNode?, from: RouterNode?)
    case resume(Waiter, isFulfilled: Bool)
    /// Released outside the lock, since a `deinit` of the user's may follow.
    case drop([any Sendable])

    /// Whether it calls an interactor or a router in a task of its own.
    var startsTask: Bool {
      switch self {
      case .start, .load, .confirmLoad: true
      default: false
      }
    }
  }

  /// The work of an event that remains to be done outside the lock.
  struct Work: Sendable {
    var steps: [Step] = []
    var waiter: Waiter?
    var mistake: TreeMachine.Mistake?
    var isRefused = false
    /// The child has to leave before it joins.
    var isPending = false
  }

  static let state = Mutex(State())

  /// The machine's decision about an event.
  static func decide(_ event: TreeMachine.Event, onMain: Bool) -> Work {
    state.withLock { $0.decide(event, onMain: onMain) }
  }

  /// The decision about a call of a router; nil if the tree does not know the child or the parent.
  static func decide(
    _ call: (TreeMachine.Frame?) -> TreeMachine.Event, about child: any Routing, _ number: Node,
    under parent: RouterNode
  ) -> Work? {
    let frame = CallbackFrame.current
    return state.withLock { state in
      guard state.router(parent.number) === parent, state.router(number)?.owner === child else { return nil }
      var work = state.decide(call(name(frame)), onMain: true)
      work.isPending = state.machine[number].nextParent == parent.number
      return work
    }
  }

  /// The place of a new bound task; nil outside the active scope.
  static func admitTask(to lifecycle: InteractorLifecycle) -> (BoundTasks, BoundTasks.Ticket)? {
    state.withLock { $0.admitTask(to: lifecycle) }
  }

  /// Records that a type uses a default method, which need not be called again.
  static func note(_ method: Defaults, of interactor: any Interactable) {
    state.withLock { $0.note(method, of: interactor) }
  }

  /// The callback on whose behalf a call is made, while it runs.
  @inline(__always)
  static func name(_ frame: CallbackFrame?) -> TreeMachine.Frame? { frame?.running?.id }

  /// Carries out steps, and those that follow from them at once.
  static func carryOut(_ work: [Step], onMain: Bool) {
    guard !work.isEmpty else { return }
    var steps = work
    var index = 0
    while index < steps.count {
      let step = steps[index]
      index += 1
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
    case .start(let frame): return frame.start(onMain: onMain)
    case .load(let frame, let waiter):
      return onMain ? frame.start(onMain: true) : carryOutOnMain(.confirmLoad(frame), by: waiter)
    case .confirmLoad(let frame):
      return state.withLock { $0.confirmLoad(frame) } ? frame.start(onMain: true) : []
    case .activated(let lifecycle, let streams): lifecycle.noteActivation(streams)
    case .skip(let lifecycle, let callback):
      lifecycle.noteBeginning(of: callback)
      lifecycle.noteEnd(of: callback)
      return decide(.callbackReturned(lifecycle.node), onMain: onMain).steps
    case .close(let lifecycle, let streams, let bound, let tasks):
      for stream in streams { stream.yield(false, of: lifecycle) }
      LifecycleObservation.notify(.deactivated(ObjectIdentifier(lifecycle)))
      bound?.cancel(all: tasks)
      return decide(.closed(lifecycle.node), onMain: onMain).steps
    case .cancel(let frame): frame.cancel()
    case .raise(let frame, let priority): frame.raise(to: TaskPriority(rawValue: priority))
    case .place(let lifecycle, let waiter):
      return onMain ? decide(.place(lifecycle.node), onMain: true).steps : carryOutOnMain(step, by: waiter)
    case .attached(let node, let child, let parent): parent.append(child, node)
    case .detached(let lifecycle, let node, let parent): RouterNode.remove(lifecycle.node, node, from: parent)
    case .resume(let waiter, let isFulfilled): waiter.resume(isFulfilled: isFulfilled)
    case .drop: break
    }
    return []
  }

  /// Has the main actor carry a step out: the caller that waits there or, if there is none, a task.
  private static func carryOutOnMain(_ step: Step, by waiter: Waiter?) -> [Step] {
    if waiter?.carryOut(step) == true { return [] }
    if let preferred = preferredExecutor {
      Task(executorPreference: preferred) { await carryOutOnMain(step) }
    } else {
      Task { @MainActor in carryOutOnMain(step) }
    }
    return []
  }

  @MainActor
  private static func carryOutOnMain(_ step: Step) { carryOut([step], onMain: true) }
}
