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
    while let token = next, isKnownUniquelyReferenced(&next) {
      next = token.state.withLock { $0.outer.take() }
    }
  }

  /// Runs a callback in a task of its own, so that only a `deactivate()` can cancel it, never the caller's end (L3).
  ///
  /// A callback that never suspends has returned when the immediate task is created, and nothing waits. `started` is
  /// told of the others, before anybody waits for them.
  nonisolated(nonsending) static func run(
    _ lifecycle: InteractorLifecycle,
    kind: Kind,
    started: (CallbackToken) -> Void,
    body: @escaping @Sendable () async -> Void
  ) async {
    let token = CallbackToken(lifecycle, kind: kind)
    let task = $current.withValue(token) { token.start(body) }
    guard token.isRunning else { return }
    token.store(task)
    started(token)
    await token.wait()
  }

  private func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    if depth % Self.immediateDepth == 0 {
      return Task(executorPreference: preferredExecutor) { [self] in
        enter()
        await body()
        end()
      }
    }
    // Naming no preference is cheaper than naming none.
    if let preferredExecutor {
      return Task.immediate(executorPreference: preferredExecutor) { [self] in
        enter()
        await body()
        end()
      }
    }
    return Task.immediate { [self] in
      enter()
      await body()
      end()
    }
  }

  /// The same on the main actor, where an immediate task of another isolation would have to leave it first.
  @MainActor
  static func runOnMain(_ lifecycle: InteractorLifecycle, kind: Kind, body: @escaping @MainActor () async -> Void) async
  {
    let token = CallbackToken(lifecycle, kind: kind)
    _ = $current.withValue(token) {
      if token.depth % immediateDepth == 0 {
        Task { @MainActor in
          await body()
          token.end()
        }
      } else {
        Task.immediate { @MainActor in
          await body()
          token.end()
        }
      }
    }
    await token.wait()
  }

  private nonisolated(nonsending) func wait() async {
    guard isRunning else { return }
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

  private func store(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock {
      $0.task = task
      return $0.isCancelled
    }
    if isCancelled { task.cancel() }
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

  private func enter() {
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
