// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Keeps one interactor's active state, its bound tasks and the streams of its state.
///
/// An interactor owns one as a `nonisolated let`, and the defaults of `Interactable` drive it:
///
///     final actor TimerInteractor: Interactable {
///       nonisolated let lifecycle = InteractorLifecycle()
///     }
///
/// What is to happen is decided by a pure state machine, of which this is one node; the lock around it is never held
/// across an `await`, nor while anything of the caller's runs.
public final class InteractorLifecycle: Sendable {
  let node: TreeMachine.Node
  /// The task in which the tree is calling `activate()` or `deactivate()`.
  private let visitor = Atomic<Int>(0)

  /// Starts inactive; the owner is only for the eyes of test tools, and names the type that a property stands in.
  public init(owner: StaticString = #function) {
    node = TreeDriver.state.withLock { $0.machine.makeNode() }
    TreeDriver.state.withLock { $0.enter(self) }
    LifecycleObservation.tell(.lifecycleCreated(ObjectIdentifier(self), owner: "\(owner)"))
  }

  deinit {
    let (remainder, streams) = TreeDriver.state.withLock { $0.removeNode(node) }
    remainder?.cancel()
    for stream in streams {
      stream.continuation.finish()
      LifecycleObservation.tell(.streamClosed(ObjectIdentifier(self), stream: stream.number))
    }
    LifecycleObservation.tell(.lifecycleDeinit(ObjectIdentifier(self)))
  }

  /// True from before `didBecomeActive()` starts until after `willResignActive()` has ended.
  public var isActive: Bool {
    get async { TreeDriver.state.withLock { $0.machine[node].isActive } }
  }

  /// The present value, then every change once, in order, until the lifecycle is released.
  ///
  /// Each read makes a stream of its own; one that is dropped, or whose consumer stops, is forgotten.
  public var isActiveStream: AsyncStream<Bool> {
    let (stream, continuation) = AsyncStream<Bool>.makeStream()
    let (number, isActive) = TreeDriver.state.withLock { state in
      // No task can be waiting yet, so this resumes none; and it has to precede whatever a transition yields.
      let isActive = state.machine[node].isActive
      continuation.yield(isActive)
      return (state.withExtras(of: node) { $0.add(continuation) }, isActive)
    }
    LifecycleObservation.tell(.streamOpened(ObjectIdentifier(self), stream: number, isActive: isActive))
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      TreeDriver.state.withLock { $0[node].extras?.removeStream(number) }
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

  /// Registers a request before anything suspends, so that requests count in the order of their calls (L10).
  nonisolated(nonsending) func request(
    active: Bool, of interactor: (any Interactable)?, callback: (@Sendable () async -> Void)? = nil
  ) async {
    let isVisit = isVisit()
    let frame = CallbackFrame.current
    let work = TreeDriver.state.withLock { state in
      state.request(active: active, at: node, of: interactor, callback, isVisit: isVisit, in: frame)
    }
    LifecycleObservation.tell(.requested(ObjectIdentifier(self), active: active))
    let visit = isVisit && frame?.id.node == node ? frame : nil
    TreeDriver.carryOut(work.steps, onMain: Self.isMain(#isolation), within: visit)
    if let waiter = work.waiter { await waiter.wait() }
    LifecycleObservation.tell(.requestReturned(ObjectIdentifier(self), active: active))
  }

  /// Lets the tree call an interactor's `activate()` or `deactivate()`, whose call here is then known as the tree's own.
  nonisolated(nonsending) func visit(_ interactable: any Interactable, wakes: Bool) async {
    LifecycleObservation.tell(.visited(ObjectIdentifier(self), wakes: wakes))
    visitor.store(Self.currentTask, ordering: .relaxed)
    if wakes { await interactable.activate() } else { await interactable.deactivate() }
    // An interactor that has not handed the call on must not have a later one taken for it.
    visitor.store(0, ordering: .relaxed)
  }

  private func isVisit() -> Bool {
    let visitor = visitor.load(ordering: .relaxed)
    guard visitor != 0, visitor == Self.currentTask else { return false }
    self.visitor.store(0, ordering: .relaxed)
    return true
  }

  /// A function of its own, since Swift 6.3.1 makes no valid code of the comparison where it is inlined in `request`.
  @inline(never)
  private static func isMain(_ isolation: (any Actor)?) -> Bool { isolation === MainActor.shared }

  private static var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

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
    let bond = TreeDriver.state.withLock { state in
      state.machine[node].isActive ? state.withExtras(of: node) { $0.admit(to: ObjectIdentifier(self)) } : nil
    }
    if let bond { return bond.start(priority: priority, site: site, work) }
    LifecycleObservation.tell(.taskRefused(ObjectIdentifier(self)))
    let refused = Task(priority: priority) {}
    refused.cancel()
    return refused
  }

  /// How many streams are being kept up to date.
  package var watcherCount: Int { TreeDriver.state.withLock { $0[node].extras?.streams.count ?? 0 } }
}
