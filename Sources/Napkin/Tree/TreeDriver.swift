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
    /// Another task that it has started has, which the tree does not wait for.
    var isCalledElsewhere = false
    /// The parent that the router has left last, if any.
    var formerParent = Node.none
    var extras: LifecycleExtras?
  }

  struct State {
    var machine = TreeMachine()
    var sides: ContiguousArray<Side> = []
    var waiters: ContiguousArray<Waiter?> = []
    /// The number of callbacks and loads that run.
    var runningCount = 0
    /// None of them has begun with a lower priority.
    var lowestPriority = UInt8.max
    /// The default methods of each type, which suffice since an actor has no subclasses.
    var defaults: [ObjectIdentifier: TreeMachine.Defaults] = [:]
    /// The same for the calling code alone, where a test kit has it so.
    var findDefaults: (@Sendable () -> KnownDefaults?)?

    subscript(node: Node) -> Side {
      _read { yield sides[Int(node.index)] }
      _modify { yield &sides[Int(node.index)] }
    }
  }

  /// The rest of a decision, which is done outside the lock, in order.
  struct Work: Sendable {
    /// A step; those of every attach and detach are cases of their own, since each closure is an allocation.
    enum Step: Sendable {
      case attached(RouterNode, any Routing, to: RouterNode)
      case detached(Node, RouterNode?, from: RouterNode?, of: [LifecycleExtras.WeakSlot])
      case resume(Waiter, isFulfilled: Bool)
      case run(@Sendable (inout Work) -> Void)
    }

    let onMain: Bool
    private var steps: [Step] = []
    /// The caller's wait.
    var waiter: Waiter?
    var mistake: TreeMachine.Mistake?
    var isRefused = false
    /// The child has to leave before it joins.
    var isPending = false
    /// The child of a call is attached, and neither to the router that was called nor, before, as the last one there.
    var isElsewhere = false
    /// The router that was called stands below no other, and no call has asked for its activation.
    var isBelowUnlaunched = false
    /// Whether a step calls an interactor or a router in a task of its own.
    var startsTask = false

    init(onMain: Bool) { self.onMain = onMain }

    mutating func add(_ step: Step) {
      if steps.isEmpty { steps.reserveCapacity(4) }
      steps.append(step)
    }

    mutating func add(_ step: @escaping @Sendable (inout Work) -> Void) { add(.run(step)) }

    /// Adds the steps that follow from an event.
    mutating func decide(_ event: TreeMachine.Event) { TreeDriver.state.withLock { $0.decide(event, &self) } }

    /// Adds the steps that follow from the end of a callback or a load.
    mutating func end(_ frame: CallbackFrame) { TreeDriver.state.withLock { $0.end(frame, &self) } }

    /// Carries out the steps, and those that they add.
    ///
    /// - Parameter mayStartTasks: Whether a task of the user's may start on this stack; else a task of the main actor
    ///   goes on with the first steps among which one does. The lists of children are up to date even then, since calls
    ///   may come before that task.
    mutating func carryOut(mayStartTasks: Bool = true) {
      while !steps.isEmpty {
        let postpones = startsTask && !mayStartTasks
        let present = steps
        steps = []
        for step in present {
          switch step {
          case .attached(let child, let owner, let parent): parent.append(owner, child)
          case .detached(let number, let child, let parent, let slots):
            RouterNode.remove(number, child, from: parent, of: slots)
          case .resume where postpones, .run where postpones: steps.append(step)
          case .resume(let waiter, let isFulfilled): waiter.resume(isFulfilled: isFulfilled)
          case .run(let step): step(&self)
          }
        }
        if postpones { return goOnInTask() }
      }
    }

    private func goOnInTask() {
      Task { @MainActor in
        var work = self
        work.carryOut()
      }
    }
  }

  static let state = Mutex(State())

  /// Handles an event, and carries out its effects.
  @discardableResult
  static func handle(_ event: TreeMachine.Event, onMain: Bool) -> Work {
    var work = Work(onMain: onMain)
    work.decide(event)
    work.carryOut()
    return work
  }

  /// The decision about a call of a router; nil if the tree does not know the child or the parent.
  static func decide(
    _ call: (TreeMachine.Frame?) -> TreeMachine.Event, about child: any Routing, _ number: Node,
    under parent: RouterNode
  ) -> Work? {
    let frame = CallbackFrame.currentName
    var work = Work(onMain: true)
    let isKnown = state.withLock { state in
      guard state.router(parent.number) === parent, state.router(number)?.owner === child else { return false }
      work.isElsewhere = state.isElsewhere(number, than: parent.number)
      state.decide(call(frame), &work)
      work.isPending = state.machine[number].nextParent == parent.number
      let above = state.machine[parent.number]
      work.isBelowUnlaunched = above.wantedState == .none && above.parent == .none && !work.isElsewhere
      return true
    }
    return isKnown ? work : nil
  }

  /// Records a default method of an interactor's type.
  static func note(_ method: TreeMachine.Method, of interactor: any Interactable) {
    // A property of the user's, which may itself ask the tree.
    let node = interactor.lifecycle.node
    state.withLock { $0.note(method, of: type(of: interactor), at: node) }
  }

  /// Withdraws a request whose caller is cancelled, unless it was answered.
  static func withdraw(_ waiter: Waiter) {
    var work = Work(onMain: false)
    state.withLock { if $0.waiters[Int(waiter.request)] === waiter { $0.decide(.withdraw(waiter.request), &work) } }
    work.carryOut()
  }

  /// Has a caller wait on behalf of the callback that has bound its task, since that waits for the task.
  static func tie(_ waiter: Waiter, to frame: CallbackFrame) {
    var work = Work(onMain: false)
    state.withLock { state in
      let side = state[frame.id.node]
      let isRunning = (frame.id.isLoad ? side.load : side.frame) === frame
      guard isRunning, state.waiters[Int(waiter.request)] === waiter else { return }
      state.decide(.tie(waiter.request, to: frame.id), &work)
    }
    // The runtime may hold a lock of the task.
    work.carryOut(mayStartTasks: false)
  }

  /// Has the main actor go on at a node: the caller that waits there or, if there is none, a task.
  static func goOnOnMain(_ lifecycle: InteractorLifecycle, by waiter: Waiter?) {
    if waiter?.call() != true { startTask { @MainActor in handle(.onMain(lifecycle.node), onMain: true) } }
  }
}

/// Starts a task that prefers the executor which the current task prefers (L9).
@discardableResult @inline(__always)
func startTask(
  immediately: Bool = false, priority: TaskPriority? = nil,
  _ body: @escaping @Sendable @isolated(any) () async -> Void
) -> Task<Void, Never> {
  // A preference, even one of nil, makes every hop of the task search for it.
  guard let preferred = preferredExecutor else {
    return immediately ? .immediate(priority: priority, operation: body) : Task(priority: priority, operation: body)
  }
  return immediately
    ? .immediate(priority: priority, executorPreference: preferred, operation: body)
    : Task(executorPreference: preferred, priority: priority, operation: body)
}

/// The executor that the current task prefers, which unstructured tasks do not inherit by themselves.
///
/// Nil where there is none, before Apple's 26.4, the first release that has it, and where Swift 6.2 compiles, which has no
/// such function.
var preferredExecutor: (any TaskExecutor)? {
  #if compiler(>=6.3)
  guard #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) else { return nil }
  return withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
  #else
  return nil
  #endif
}
