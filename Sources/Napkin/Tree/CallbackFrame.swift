// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A running callback as its calls see it, so that a call from inside never waits for the callback itself (L4, T8).
///
/// It travels as a task-local, through children and unstructured tasks alike. It refers to the callback by its number
/// alone, because a bound task that inherited it must not keep the interactor alive (L8).
final class CallbackFrame: Sendable {
  /// The innermost callback that encloses the current task; it may have returned.
  @TaskLocal static var current: CallbackFrame?

  private struct State {
    var outer: CallbackFrame?
    /// The callback's own task, while it runs and once its creator knows it.
    var task: Task<Void, Never>?
    /// The same task, while it runs, known before its creator can store it.
    ///
    /// The value keeps the task, and any task may call its `cancel()`, as it may call that of a `Task`.
    nonisolated(unsafe) var ownTask: UnsafeCurrentTask?
    var isCancelled = false
    /// The raw priority that a caller has lent; zero for none.
    var lent: UInt8 = 0
  }

  /// The number of immediate tasks that start on one stack; the next one starts on a stack of its own.
  ///
  /// A level of routers that nest in `didLoad()` takes 5.5 KiB of stack in a debug build, so 48 of them leave half of
  /// a stack of 512 KiB to the levels' own code.
  private static let immediateDepth = 48

  let id: TreeMachine.Frame
  private let isRunning: Atomic<Bool>
  private let depth: Int
  private let state: Mutex<State>
  /// Of a bound task: the callback that has bound it, and that seldom waits for it.
  private let binder: CallbackFrame?

  init(_ id: TreeMachine.Frame) {
    self.id = id
    let current = Self.current
    binder = nil
    isRunning = Atomic(true)
    depth = (current?.depth ?? 0) + 1
    // Callbacks that have returned are dropped; else a chain of tasks that create tasks would grow without limit.
    state = Mutex(State(outer: current?.running))
  }

  private init(boundBy callback: CallbackFrame) {
    (id, depth, binder) = (callback.id, 0, callback)
    isRunning = Atomic(false)
    state = Mutex(State())
  }

  /// Creates a bound task, whose calls are not made on behalf of the callback that binds it.
  @inline(__always)
  static func bind(_ create: () -> Task<Void, Never>) -> Task<Void, Never> {
    guard let current else { return create() }
    let binder = current.running ?? currentBinder
    return $current.withValue(binder.map(CallbackFrame.init(boundBy:)), operation: create)
  }

  /// The callback that has bound the current task, while it runs.
  static var currentBinder: CallbackFrame? { current?.binder?.running }

  // A long chain is taken apart link by link: released at once it would exhaust the stack.
  deinit {
    var next = state.withLock { $0.outer.take() }
    // Bound to a name, the link would be referred to twice, and never be seen as the last reference.
    while isKnownUniquelyReferenced(&next) { next = next?.state.withLock { $0.outer.take() } }
  }

  /// The callback on whose behalf a call is made, while it runs.
  static var currentName: TreeMachine.Frame? { current?.running?.id }

  /// The innermost enclosing callback that is still running, this one included.
  var running: CallbackFrame? {
    var next: CallbackFrame? = self
    while let frame = next, !frame.isRunning.load(ordering: .relaxed) { next = frame.state.withLock { $0.outer } }
    return next
  }

  /// Whether this or an enclosing callback is one of a node's interactor; a load does not count.
  func isInside(_ node: TreeMachine.Node) -> Bool {
    var next = running
    while let frame = next, frame.id.node != node || frame.id.isLoad {
      next = frame.state.withLock { $0.outer }?.running
    }
    return next != nil
  }

  /// Runs a callback in a task of its own, so that only a deactivation can cancel it, never its caller's end (L3).
  ///
  /// A callback that is begun on the main actor leaves it, and does not return there: so the main actor's queue has one job for
  /// a callback, the caller that waits for it.
  func start(
    _ callback: TreeMachine.Callback, of lifecycle: InteractorLifecycle, _ body: InteractorLifecycle.Body,
    _ work: inout TreeDriver.Work
  ) {
    start(immediately: !work.onMain, &work) { [self] in
      enter()
      await lifecycle.run(callback, body)
      leave(onMain: false)
    }
  }

  /// Runs the load of a router on the main actor.
  func startLoad(of owner: any Routing, _ work: inout TreeDriver.Work) {
    start(immediately: true, &work) { @MainActor [self] in
      enter()
      await RouterNode.load(owner)
      leave(onMain: true)
    }
  }

  /// Starts the task and, if that has returned already, goes on after it; else the task does.
  @inline(__always)
  private func start(
    immediately: Bool, _ work: inout TreeDriver.Work, _ body: @escaping @Sendable @isolated(any) () async -> Void
  ) {
    let task = Self.$current.withValue(self) {
      startTask(immediately: immediately && depth % Self.immediateDepth != 0, body)
    }
    let (hasReturned, isCancelled, lent) = state.withLock { state in
      let hasReturned = !isRunning.load(ordering: .relaxed)
      if !hasReturned { state.task = task }
      return (hasReturned, state.isCancelled, state.lent)
    }
    if isCancelled { task.cancel() }
    if lent != 0 { raise(to: TaskPriority(rawValue: lent)) }
    if hasReturned { work.end(self) }
  }

  /// Whether the current task is the callback's own, not one that has inherited its task-locals.
  var isOwnTask: Bool { withUnsafeCurrentTask { task in state.withLock { $0.ownTask == task } } }

  /// Whether the current task is that of a callback of this node.
  func isOwnTask(ofCallbackAt node: TreeMachine.Node) -> Bool { id.node == node && !id.isLoad && isOwnTask }

  private func enter() {
    withUnsafeCurrentTask { task in state.withLock { $0.ownTask = task } }
  }

  private func leave(onMain: Bool) {
    let task = state.withLock { state in
      isRunning.store(false, ordering: .relaxed)
      state.ownTask = nil
      return state.task.take()
    }
    // Else the one that starts it goes on.
    guard task != nil else { return }
    var work = TreeDriver.Work(onMain: onMain)
    work.end(self)
    work.carryOut()
  }

  /// Lends a waiting caller's priority, where the system offers it.
  func raise(to priority: TaskPriority) {
    guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else { return }
    let task = state.withLock { state in
      state.lent = priority.rawValue
      return state.task
    }
    task?.escalatePriority(to: priority)
  }

  /// Cancels the callback's task, at once or, if it has not begun, as soon as it is known.
  func cancel() {
    let (task, ownTask) = state.withLock {
      $0.isCancelled = true
      return ($0.task, $0.ownTask)
    }
    if let task { task.cancel() } else { ownTask?.cancel() }
  }
}
