// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Keeps one interactor's active state, its bound tasks and those who watch it.
///
/// An interactor owns one as a `nonisolated let`, and the defaults of `Interactable` drive it:
///
///     final actor TimerInteractor: Interactable {
///       nonisolated let lifecycle = InteractorLifecycle()
///     }
///
/// What is to happen is decided by a pure state machine, under a lock that is never held across an `await`; this shell
/// carries it out.
public final class InteractorLifecycle: Sendable {
  struct State {
    var machine = LifecycleMachine()
    var defaults: DefaultCallbacks = []
    /// Set once the router has had a child, whose state then follows this one (T7).
    var hasBelow = false
    /// The node of the router that owns the interactor; the router breaks this cycle when it ends.
    var node: RouterNode?
    /// What most lifecycles need for moments only, or never.
    var extras: LifecycleExtras?

    mutating func withExtras<R>(_ body: (LifecycleExtras) -> R) -> R {
      if let extras { return body(extras) }
      let extras = LifecycleExtras()
      self.extras = extras
      return body(extras)
    }
  }

  let state = Mutex(State())

  /// Starts inactive; the owner is only for the eyes of test tools, and names the type that a property stands in.
  public init(owner: StaticString = #function) {
    LifecycleObservation.tell(.lifecycleCreated(ObjectIdentifier(self), owner: "\(owner)"))
  }

  deinit {
    let (remainder, streams) = state.withLock { ($0.extras?.bound?.close(forGood: true), $0.extras?.streams ?? []) }
    remainder?.cancel()
    for stream in streams {
      stream.continuation.finish()
      LifecycleObservation.tell(.streamClosed(ObjectIdentifier(self), stream: stream.number))
    }
    LifecycleObservation.tell(.lifecycleDeinit(ObjectIdentifier(self)))
  }

  /// True from before `didBecomeActive()` starts until after `willResignActive()` has ended.
  public var isActive: Bool {
    get async { isActiveNow }
  }

  var isActiveNow: Bool { state.withLock { $0.machine.isActive } }

  /// The present value, then every change once, in order, until the lifecycle is released.
  ///
  /// Each read makes a stream of its own; one that is dropped, or whose consumer stops, is forgotten.
  public var isActiveStream: AsyncStream<Bool> {
    let (stream, continuation) = AsyncStream<Bool>.makeStream()
    let (number, isActive) = state.withLock { state in
      // Nobody can be waiting yet, so this resumes nothing; and it has to precede whatever a transition yields.
      continuation.yield(state.machine.isActive)
      return (state.withExtras { $0.add(continuation) }, state.machine.isActive)
    }
    LifecycleObservation.tell(.streamOpened(ObjectIdentifier(self), stream: number, isActive: isActive))
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      state.withLock { $0.extras?.removeStream(number) }
      LifecycleObservation.tell(.streamClosed(ObjectIdentifier(self), stream: number))
    }
    return stream
  }

  /// Asks for the active state and returns once it is reached, or a later call has superseded the request.
  ///
  /// The callback runs in a task of its own, which only a deactivation cancels.
  public nonisolated(nonsending) func activate(
    invoking didBecomeActive: @escaping @Sendable () async -> Void
  ) async {
    await request(active: true, of: nil, callback: didBecomeActive)
  }

  /// Asks for the inactive state and returns once it is reached, or a later call has superseded the request.
  ///
  /// A callback of `activate(invoking:)` that is still suspended is cancelled, and waited for, first.
  public nonisolated(nonsending) func deactivate(
    invoking willResignActive: @escaping @Sendable () async -> Void
  ) async {
    await request(active: false, of: nil, callback: willResignActive)
  }

  /// Binds work to the active scope: it is cancelled when the scope ends, in the order of registration.
  ///
  /// While inactive the work is refused: its body never runs, and the returned task is cancelled. Otherwise the task
  /// inherits priority, task-locals and, where the system tells it, the task-executor preference of the caller.
  @discardableResult
  public func register(
    priority: TaskPriority? = nil,
    _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    register(priority: priority, site: nil, work)
  }

  /// The same, with the place in the caller's source for the eyes of test tools.
  func register(
    priority: TaskPriority?, site: BindingSite?, _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    let bond = state.withLock { state in
      state.machine.isActive ? state.withExtras { $0.admit(to: ObjectIdentifier(self)) } : nil
    }
    if let bond { return bond.start(priority: priority, site: site, work) }
    LifecycleObservation.tell(.taskRefused(ObjectIdentifier(self)))
    let refused = Task(priority: priority) {}
    refused.cancel()
    return refused
  }
}
