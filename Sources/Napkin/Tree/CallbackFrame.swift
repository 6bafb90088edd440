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
    /// The job to run, until it begins.
    var job: TreeDriver.Job?
    var task: Task<Void, Never>?
    /// The identity of the callback's own task, known before its creator can store the task.
    var taskHash = 0
    var isCancelled = false
    var hasStarted = false
    var hasReturned = false
  }

  /// The number of immediate tasks that start on one stack; the next one starts on a stack of its own.
  ///
  /// A level of routers that nest in `didLoad()` takes 5.5 KiB of stack in a debug build, so 48 of them leave half of
  /// a stack of 512 KiB to the levels' own code.
  private static let immediateDepth = 48

  let id: TreeMachine.Frame
  /// Changed under the driver's lock only.
  let isRunning = Atomic(true)
  private let depth: Int
  private let state: Mutex<State>

  init(_ id: TreeMachine.Frame, _ job: TreeDriver.Job) {
    self.id = id
    let current = Self.current
    depth = (current?.depth ?? 0) + 1
    // Callbacks that have returned are dropped; else a chain of tasks that create tasks would grow without limit.
    state = Mutex(State(outer: current?.running, job: job))
  }

  // A long chain is taken apart link by link: released at once it would exhaust the stack.
  deinit {
    var next = state.withLock { $0.outer.take() }
    // Bound to a name, the link would be referred to twice, and never be seen as the last reference.
    while isKnownUniquelyReferenced(&next) { next = next?.state.withLock { $0.outer.take() } }
  }

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

  /// Runs the job in a task of its own, so that only a deactivation can cancel it, never its caller's end (L3).
  ///
  /// Returns the next steps if the job has returned already; else the task carries them out.
  func start(onMain: Bool) -> [TreeDriver.Step] {
    let task = Self.$current.withValue(self) { id.isLoad ? startLoad() : startCallback(onMain: onMain) }
    let (hasReturned, isCancelled) = state.withLock { state in
      state.hasStarted = true
      if !state.hasReturned { state.task = task }
      return (state.hasReturned, state.isCancelled)
    }
    if isCancelled { task.cancel() }
    return hasReturned ? finish(onMain: onMain) : []
  }

  private var isDeep: Bool { depth % Self.immediateDepth == 0 }

  /// Starts a callback; one that is begun on the main actor leaves it, and does not return there.
  ///
  /// So the main actor's queue has one job for a callback: the caller that waits for it.
  private func startCallback(onMain: Bool) -> Task<Void, Never> {
    let isImmediate = !onMain && !isDeep
    // A preference, even one of nil, makes every hop of the task search for it.
    guard let preferred = preferredExecutor else {
      return isImmediate ? Task.immediate { await self.run() } : Task { await self.run() }
    }
    return isImmediate
      ? Task.immediate(executorPreference: preferred) { await self.run() }
      : Task(executorPreference: preferred) { await self.run() }
  }

  private func startLoad() -> Task<Void, Never> {
    guard let preferred = preferredExecutor else {
      return isDeep
        ? Task { @MainActor in await self.runOnMain() } : Task.immediate { @MainActor in await self.runOnMain() }
    }
    return isDeep
      ? Task(executorPreference: preferred) { await self.runOnMain() }
      : Task.immediate(executorPreference: preferred) { await self.runOnMain() }
  }

  private func run() async {
    await enter().run()
    leave(onMain: false)
  }

  @MainActor
  private func runOnMain() async {
    await enter().run()
    leave(onMain: true)
  }

  private static var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  /// Whether the current task is the callback's own, not one that has inherited its task-locals.
  var isOwnTask: Bool { state.withLock { $0.taskHash } == Self.currentTask }

  private func enter() -> TreeDriver.Job {
    let hash = Self.currentTask
    return state.withLock { state in
      state.taskHash = hash
      return state.job.take() ?? .none
    }
  }

  /// Carries out the next steps, unless the starter does.
  private func leave(onMain: Bool) {
    let (hasStarted, task) = state.withLock { state in
      state.hasReturned = true
      return (state.hasStarted, state.task.take())
    }
    _ = task
    if hasStarted { TreeDriver.carryOut(finish(onMain: onMain), onMain: onMain) }
  }

  /// Records the end, and returns the next steps.
  private func finish(onMain: Bool) -> [TreeDriver.Step] {
    TreeDriver.state.withLock { $0.end(self, onMain: onMain) }.steps
  }

  /// Lends a waiting caller's priority, where the system offers it.
  func raise(to priority: TaskPriority) {
    guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else { return }
    state.withLock { $0.task }?.escalatePriority(to: priority)
  }

  /// Cancels the callback's task, at once or as soon as it is known.
  func cancel() {
    let (task, hash) = state.withLock {
      $0.isCancelled = true
      return ($0.task, $0.taskHash)
    }
    if let task {
      task.cancel()
    } else {
      withUnsafeCurrentTask { if let own = $0, own.hashValue == hash { own.cancel() } }
    }
  }
}

/// A caller that waits for its request to be fulfilled.
final class Waiter: Sendable {
  private struct State {
    var continuation: UnsafeContinuation<TreeDriver.Step?, Never>?
    var isOver = false
    var isFulfilled = false
    /// Steps that the caller is to carry out on the main actor, and has not taken.
    var errands: [TreeDriver.Step] = []
  }

  let request: Int32
  private let state = Mutex(State())

  init(_ request: Int32) { self.request = request }

  /// Resumes the caller; `isFulfilled` if its request is.
  func resume(isFulfilled: Bool) {
    let continuation = state.withLock { state in
      (state.isOver, state.isFulfilled) = (true, isFulfilled)
      return state.continuation.take()
    }
    continuation?.resume(returning: nil)
  }

  /// Resumes the caller, which waits on the main actor, to carry a step out there; false if its wait is over.
  func carryOut(_ step: TreeDriver.Step) -> Bool {
    let (isOver, continuation) = state.withLock { state in
      let continuation = state.continuation.take()
      if continuation == nil, !state.isOver { state.errands.append(step) }
      return (state.isOver, continuation)
    }
    continuation?.resume(returning: step)
    return !isOver
  }

  /// Whether the request was fulfilled, once the caller is resumed.
  var isFulfilled: Bool { state.withLock { $0.isFulfilled } }

  /// Waits on the main actor, and carries out the steps there that need it.
  @MainActor @inline(__always)
  func waitOnMain() async {
    while let step = await withUnsafeContinuation({ park($0) }) { TreeDriver.carryOut([step], onMain: true) }
  }

  @inline(__always)
  nonisolated(nonsending) func wait() async { _ = await withUnsafeContinuation { park($0) } }

  /// Resumes with nil once the wait is over, or before that with a step to carry out on the main actor.
  private func park(_ continuation: UnsafeContinuation<TreeDriver.Step?, Never>) {
    let (errand, isOver) = state.withLock { state in
      let errand = state.errands.isEmpty ? nil : state.errands.removeFirst()
      if errand == nil, !state.isOver { state.continuation = continuation }
      return (errand, state.isOver)
    }
    if errand != nil || isOver { continuation.resume(returning: errand) }
  }
}

/// The executor that the current task prefers, so that a task which it starts can prefer the same one (L9).
///
/// Unstructured tasks do not inherit it by themselves. Nil where there is none, and before Apple's 26.4, the first release
/// that has it.
var preferredExecutor: (any TaskExecutor)? {
  guard #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) else { return nil }
  return withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
}
