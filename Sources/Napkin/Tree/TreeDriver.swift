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
    /// The interactor's own `activate()` or `deactivate()` was called, and has not called the lifecycle.
    var isVisited = false
    var extras: LifecycleExtras?
    var defaults = Defaults()
  }

  struct State {
    var machine = TreeMachine()
    var sides: ContiguousArray<Side> = []
    var waiters: ContiguousArray<Waiter?> = []
    /// What is known of each type, since an actor has no subclasses.
    var defaults: [ObjectIdentifier: TreeDriver.Defaults] = [:]

    subscript(node: Node) -> Side {
      _read { yield sides[Int(node.index)] }
      _modify { yield &sides[Int(node.index)] }
    }
  }

  /// What is run in a task of its own.
  enum Job: Sendable {
    /// A callback of an interactor, or what `activate(invoking:)` or `deactivate(invoking:)` brought in its place.
    case callback(InteractorLifecycle, TreeMachine.Callback, Body, [LifecycleExtras.Stream])
    case load(RouterNode, any Routing)

    @inline(__always)
    nonisolated(nonsending) func run() async {
      switch self {
      case .callback(let lifecycle, let callback, let body, let streams): await lifecycle.run(callback, body, streams)
      case .load(_, let owner): await RouterNode.load(owner)
      }
    }

    /// Notifies of its end, and answers with what follows.
    func end(_ frame: CallbackFrame?, onMain: Bool) -> [Step] {
      if case .load(_, let owner) = self { LifecycleObservation.tell(.loadEnded(ObjectIdentifier(owner))) }
      return state.withLock { state in
        frame?.isRunning.store(false, ordering: .relaxed)
        switch self {
        case .callback(let lifecycle, _, _, _):
          let node = lifecycle.node
          let isRefused = state[node].isVisited
          state[node].frame = nil
          state[node].isVisited = false
          return state.decide(isRefused ? .refused(node) : .callbackReturned(node), onMain: onMain)
        case .load(let node, _): return state.decide(.loadEnded(node.number), onMain: onMain)
        }
      }.steps
    }
  }

  /// What is run for a callback.
  enum Body: Sendable {
    /// The default, which does nothing.
    case none
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

  /// An effect with the objects that it needs; carried out outside the lock, it answers with what follows from it.
  struct Step: Sendable {
    /// It calls an interactor or a router in a task of its own.
    var startsTask = false
    let carryOut: @Sendable (_ onMain: Bool) -> [Step]

    init(startsTask: Bool, _ carryOut: @escaping @Sendable (_ onMain: Bool) -> [Step]) {
      self.startsTask = startsTask
      self.carryOut = carryOut
    }

    init(_ body: @escaping @Sendable () -> Void) {
      carryOut = { _ in
        body()
        return []
      }
    }
  }

  /// What an event leaves to be done outside the lock.
  struct Work: Sendable {
    var steps: [Step] = []
    var waiter: Waiter?
    var mistake: TreeMachine.Mistake?
    var isRefused = false
  }

  static let state = Mutex(State())

  /// The machine's decision about an event.
  static func decide(_ event: TreeMachine.Event, onMain: Bool) -> Work {
    state.withLock { $0.decide(event, onMain: onMain) }
  }

  /// The place of a new bound task; nil outside the active scope.
  static func admitTask(to lifecycle: InteractorLifecycle) -> (BoundTasks, BoundTasks.Ticket)? {
    state.withLock { $0.admitTask(to: lifecycle) }
  }

  /// A default has been called, which need not happen again.
  static func note(_ method: Defaults, of interactor: any Interactable) {
    state.withLock { $0.note(method, of: interactor) }
  }

  /// The callback in whose name a call is made, as long as it runs.
  @inline(__always)
  static func name(_ frame: CallbackFrame?) -> TreeMachine.Frame? { frame?.running?.id }

  /// Carries steps out, and what follows from them at once.
  static func carryOut(_ work: [Step], onMain: Bool) {
    guard !work.isEmpty else { return }
    var steps = work
    var index = 0
    while index < steps.count {
      let step = steps[index]
      index += 1
      let next = step.carryOut(onMain)
      if index == steps.count {
        steps = next
        index = 0
      } else if !next.isEmpty {
        steps.append(contentsOf: next)
      }
    }
  }
}
