// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Marks a running callback for all that it calls, so that a call from inside is known and never waits for itself.
///
/// It travels as a task-local, through children and unstructured tasks alike (L4). It holds its lifecycle while the
/// callback runs and no longer, because a bound task that inherited it must not keep the interactor alive (L8).
final class CallbackToken: Sendable {
  /// The innermost callback around the present task, which may have returned since.
  @TaskLocal static var current: CallbackToken?

  enum Kind: Sendable { case lifecycle, load }

  private struct State {
    var lifecycle: InteractorLifecycle?
    var outer: CallbackToken?
    var task: Task<Void, Never>?
    /// Knows the callback's own task before its creator can hand it over.
    var taskHash = 0
    var isCancelled = false
    var waiter: UnsafeContinuation<Void, Never>?
  }

  /// Immediate tasks start on their creator's stack, and copy its task-locals: every so often a link starts afresh.
  private static let immediateDepth = 24

  private let state: Mutex<State>
  private let kind: Kind
  private let depth: Int

  private init(_ lifecycle: InteractorLifecycle, kind: Kind) {
    var outer = Self.current
    // Callbacks that have returned are dropped, or work that is handed on and on would grow a list.
    while let finished = outer, !finished.isRunning { outer = finished.outer }
    self.kind = kind
    depth = (outer?.depth ?? 0) + 1
    state = Mutex(State(lifecycle: lifecycle, outer: outer))
  }

  // A long chain is taken apart link by link: released at once it would exhaust the stack.
  deinit {
    var next = state.withLock { $0.outer.take() }
    // Bound to a name, the link would be referred to twice, and never be seen as the last reference.
    while isKnownUniquelyReferenced(&next) { next = next?.state.withLock { $0.outer.take() } }
  }

  /// Starts a callback in a task of its own, so that only a `deactivate()` can cancel it, never the caller's end (L3).
  ///
  /// Nil if it has returned already: one that never suspends does so while the immediate task is created.
  static func run(
    _ lifecycle: InteractorLifecycle,
    _ step: LifecycleMachine.Step,
    of interactor: (any Interactable)?,
    _ callback: (@Sendable () async -> Void)?
  ) -> CallbackToken? {
    let token = CallbackToken(lifecycle, kind: .lifecycle)
    let task = $current.withValue(token) { token.start(step, of: interactor, callback) }
    return token.store(task) ? token : nil
  }

  private func start(
    _ step: LifecycleMachine.Step, of interactor: (any Interactable)?, _ callback: (@Sendable () async -> Void)?
  ) -> Task<Void, Never> {
    if depth % Self.immediateDepth == 0 {
      return Task(executorPreference: preferredExecutor) { [self] in
        enter(step)
        await Self.call(step, of: interactor, callback)
        end()
      }
    }
    // Naming no preference is cheaper than naming none.
    if let preferredExecutor {
      return Task.immediate(executorPreference: preferredExecutor) { [self] in
        enter(step)
        await Self.call(step, of: interactor, callback)
        end()
      }
    }
    return Task.immediate { [self] in
      enter(step)
      await Self.call(step, of: interactor, callback)
      end()
    }
  }

  @inline(__always)
  private nonisolated(nonsending) static func call(
    _ step: LifecycleMachine.Step, of interactor: (any Interactable)?, _ callback: (@Sendable () async -> Void)?
  ) async {
    if let callback { return await callback() }
    switch step {
    case .didBecomeActive: await interactor?.didBecomeActive()
    case .willResignActive: await interactor?.willResignActive()
    }
  }

  /// The same on the main actor, where an immediate task of another isolation would have to leave it first.
  @MainActor
  static func runOnMain(_ lifecycle: InteractorLifecycle, kind: Kind, body: @escaping @MainActor () async -> Void) async
  {
    let token = CallbackToken(lifecycle, kind: kind)
    let whole: @MainActor @Sendable () async -> Void = {
      await body()
      token.end()
    }
    _ = $current.withValue(token) {
      if token.depth % immediateDepth == 0 { return Task(executorPreference: preferredExecutor) { await whole() } }
      // Naming no preference is cheaper than naming none.
      if let preferredExecutor { return Task.immediate(executorPreference: preferredExecutor) { await whole() } }
      return Task.immediate { @MainActor in await whole() }
    }
    await token.wait()
  }

  /// Returns when the callback has.
  @inline(__always)
  nonisolated(nonsending) func wait() async {
    await withUnsafeContinuation { continuation in
      let isOver = state.withLock { state in
        guard state.lifecycle != nil else { return true }
        state.waiter = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  var isRunning: Bool { state.withLock { $0.lifecycle != nil } }

  private var outer: CallbackToken? { state.withLock { $0.outer } }

  /// False if the callback has returned, and there is nothing to wait for.
  private func store(_ task: Task<Void, Never>) -> Bool {
    let (isRunning, isCancelled) = state.withLock { state in
      guard state.lifecycle != nil else { return (false, false) }
      state.task = task
      return (true, state.isCancelled)
    }
    if isCancelled { task.cancel() }
    return isRunning
  }

  /// Cancels the callback's task: now, if it is known or is the caller itself, else as soon as it is known.
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

  /// Only an activation can be cancelled.
  private func enter(_ step: LifecycleMachine.Step) {
    guard step == .didBecomeActive else { return }
    let hash = withUnsafeCurrentTask { $0?.hashValue ?? 0 }
    state.withLock { $0.taskHash = hash }
  }

  private func end() {
    let (waiter, task) = state.withLock {
      $0.lifecycle = nil
      return ($0.waiter.take(), $0.task.take())
    }
    _ = task
    waiter?.resume()
  }

  /// This lifecycle's own callback, if it is one of those that are running around the caller.
  func callback(of lifecycle: InteractorLifecycle) -> CallbackToken? {
    var next: CallbackToken? = self
    while let token = next {
      let (running, outer) = token.state.withLock { ($0.lifecycle, $0.outer) }
      if token.kind == .lifecycle, running === lifecycle { return token }
      next = outer
    }
    return nil
  }

  /// The lifecycles of all the running callbacks around the caller, innermost first.
  var running: [InteractorLifecycle] {
    var result: [InteractorLifecycle] = []
    var next: CallbackToken? = self
    while let token = next {
      let (running, outer) = token.state.withLock { ($0.lifecycle, $0.outer) }
      if let running { result.append(running) }
      next = outer
    }
    return result
  }
}
