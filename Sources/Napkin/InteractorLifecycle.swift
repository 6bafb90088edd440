// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Keeps one interactor's active state, its bound tasks and those who watch it.
///
/// An interactor owns one as a `nonisolated let`, and the defaults of `Interactable` drive it.
public final class InteractorLifecycle: Sendable {
  private struct State {
    var isActive = false
    var tasks: [Task<Void, Never>] = []
    var watchers: [AsyncStream<Bool>.Continuation] = []
  }

  private let state = Mutex(State())

  /// Starts inactive; the owner is only for the eyes of test tools, and names the type that a property stands in.
  public init(owner: StaticString = #function) {
    LifecycleObservation.tell(.lifecycleCreated(ObjectIdentifier(self), owner: "\(owner)"))
  }

  deinit {
    state.withLock { $0.tasks.forEach { $0.cancel() }; $0.watchers.forEach { $0.finish() } }
    LifecycleObservation.tell(.lifecycleDeinit(ObjectIdentifier(self)))
  }

  /// True from before `didBecomeActive()` starts until after `willResignActive()` has ended.
  public var isActive: Bool {
    get async { state.withLock { $0.isActive } }
  }

  /// The present value, then every change once, in order, until the lifecycle is released.
  public var isActiveStream: AsyncStream<Bool> {
    let (stream, continuation) = AsyncStream<Bool>.makeStream()
    state.withLock {
      continuation.yield($0.isActive)
      $0.watchers.append(continuation)
    }
    return stream
  }

  /// Asks for the active state; the callback runs if this call is what brings it about.
  public nonisolated(nonsending) func activate(invoking didBecomeActive: () async -> Void) async {
    let begins = state.withLock { state in
      guard !state.isActive else { return false }
      state.isActive = true
      state.watchers.forEach { $0.yield(true) }
      return true
    }
    guard begins else { return }
    LifecycleObservation.tell(.activated(ObjectIdentifier(self)))
    LifecycleObservation.tell(.didBecomeActiveBegan(ObjectIdentifier(self)))
    await didBecomeActive()
    LifecycleObservation.tell(.didBecomeActiveEnded(ObjectIdentifier(self)))
  }

  /// Asks for the inactive state; the callback runs if this call is what brings it about.
  public nonisolated(nonsending) func deactivate(invoking willResignActive: () async -> Void) async {
    guard state.withLock({ $0.isActive }) else { return }
    LifecycleObservation.tell(.willResignActiveBegan(ObjectIdentifier(self)))
    await willResignActive()
    LifecycleObservation.tell(.willResignActiveEnded(ObjectIdentifier(self)))
    let tasks = state.withLock { state in
      state.isActive = false
      state.watchers.forEach { $0.yield(false) }
      defer { state.tasks = [] }
      return state.tasks
    }
    LifecycleObservation.tell(.deactivated(ObjectIdentifier(self)))
    tasks.forEach { $0.cancel() }
  }

  /// Binds work to the active scope; while inactive, the body never runs and the task is cancelled from the start.
  @discardableResult
  public func register(
    priority: TaskPriority? = nil,
    _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    let admitted = state.withLock { $0.isActive }
    let task = Task(priority: priority) { if admitted { await work() } }
    if admitted { state.withLock { $0.tasks.append(task) } }
    return task
  }
}
