// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A running callback, for all that it calls: a call from inside is known, and never waits for itself (L4, T8).
///
/// It travels as a task-local, through children and unstructured tasks alike. It refers to the callback by its number
/// alone, because a bound task that inherited it must not keep the interactor alive (L8).
final class CallbackFrame: Sendable {
  /// The innermost callback around the present task, which may have returned since.
  @TaskLocal static var current: CallbackFrame?

  private struct State {
    var task: Task<Void, Never>?
    /// Knows the callback's own task before its creator can store it.
    var taskHash = 0
    var isCancelled = false
    var hasStarted = false
    var hasReturned = false
    /// What follows from a visit, for its starter to carry out: carried out within it, it would nest.
    var deferred: [TreeDriver.Step]?
  }

  /// Immediate tasks start on their creator's stack: every so often one starts on a stack of its own.
  ///
  /// A level of routers that nest in `didLoad()` takes 5.5 KiB of stack in a debug build, so 48 of them leave half of
  /// a stack of 512 KiB to the levels' own code.
  private static let immediateDepth = 48

  let id: TreeMachine.Frame
  /// Changes under the driver's lock only.
  let isRunning: Atomic<Bool>
  private let depth: Int
  private let state = Mutex(State())

  init(_ id: TreeMachine.Frame, isRunning: Bool = true) {
    self.id = id
    self.isRunning = Atomic(isRunning)
    depth = (Self.current?.depth ?? 0) + 1
    if !isRunning { state.withLock { $0.deferred = [] } }
  }

  var mayStartHere: Bool { depth % Self.immediateDepth != 0 }

  /// Runs a body in a task of its own, so that only a deactivation can cancel it, never its caller's end (L3).
  ///
  /// True if the body has returned already, so that its starter goes on; else the body goes on with `returned`.
  func run(_ body: @escaping @Sendable () async -> Void, returned: @escaping @Sendable () -> Void) -> Bool {
    let task = Self.$current.withValue(self) {
      guard mayStartHere else {
        return Task(executorPreference: preferredExecutor) { [self] in
          enter()
          await body()
          if leave() { returned() }
        }
      }
      // Naming no preference is cheaper than naming none.
      if let preferredExecutor {
        return Task.immediate(executorPreference: preferredExecutor) { [self] in
          enter()
          await body()
          if leave() { returned() }
        }
      }
      return Task.immediate { [self] in
        enter()
        await body()
        if leave() { returned() }
      }
    }
    return store(task)
  }

  /// The same on the main actor, where an immediate task of another isolation would have to leave it first.
  @MainActor
  func runOnMain(_ body: @escaping @MainActor () async -> Void, returned: @escaping @MainActor () -> Void) -> Bool {
    let whole: @MainActor @Sendable () async -> Void = { [self] in
      enter()
      await body()
      if leave() { returned() }
    }
    let task = Self.$current.withValue(self) {
      mayStartHere
        ? Task.immediate(executorPreference: preferredExecutor) { await whole() }
        : Task(executorPreference: preferredExecutor) { await whole() }
    }
    return store(task)
  }

  private func enter() {
    let hash = withUnsafeCurrentTask { $0?.hashValue ?? 0 }
    state.withLock { $0.taskHash = hash }
  }

  /// True if its starter has gone.
  private func leave() -> Bool {
    let (hasStarted, task) = state.withLock { state in
      state.hasReturned = true
      return (state.hasStarted, state.task.take())
    }
    _ = task
    return hasStarted
  }

  private func store(_ task: Task<Void, Never>) -> Bool {
    let (hasReturned, isCancelled) = state.withLock { state in
      state.hasStarted = true
      if !state.hasReturned { state.task = task }
      return (state.hasReturned, state.isCancelled)
    }
    if isCancelled { task.cancel() }
    return hasReturned
  }

  /// False if it is no visit, or has ended.
  func leaves(_ step: TreeDriver.Step) -> Bool { state.withLock { $0.deferred?.append(step) } != nil }

  func takeDeferred() -> [TreeDriver.Step] {
    state.withLock { state in
      defer { state.deferred = nil }
      return state.deferred ?? []
    }
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
}

/// A caller that waits for what it asked for.
final class Waiter: Sendable {
  private enum State {
    case pending, done
    case waiting(UnsafeContinuation<Void, Never>)
  }

  let request: Int32
  private let state = Mutex(State.pending)

  init(_ request: Int32) { self.request = request }

  func resume() {
    let continuation = state.withLock { state in
      defer { state = .done }
      return if case .waiting(let continuation) = state { continuation } else { UnsafeContinuation<Void, Never>?.none }
    }
    continuation?.resume()
  }

  nonisolated(nonsending) func wait() async {
    if state.withLock({ if case .done = $0 { true } else { false } }) { return }
    await withUnsafeContinuation { continuation in
      let isDone = state.withLock { state in
        if case .done = state { return true }
        state = .waiting(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }
}
