// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The active state of one interactor, its bound tasks, and the streams of its state.
///
/// An interactor owns one as a `nonisolated let`, and the defaults of `Interactable` drive it:
///
///     final actor TimerInteractor: Interactable {
///       nonisolated let lifecycle = InteractorLifecycle()
///     }
///
/// A pure state machine, of which this is one node, decides on the transitions; the lock around it is never held
/// across an `await`, nor while the caller's code runs.
public final class InteractorLifecycle: Sendable {
  let node: TreeMachine.Node

  /// Creates an inactive lifecycle.
  ///
  /// - Parameter owner: The name of the interactor's type, for test tools; the compiler fills it in.
  public init(owner: StaticString = #function) {
    node = TreeDriver.state.withLock { $0.machine.makeNode() }
    TreeDriver.state.withLock { $0.enter(self) }
    LifecycleObservation.notify(.lifecycleCreated(ObjectIdentifier(self), owner: "\(owner)"))
  }

  /// Creates a lifecycle where a function without parameters is needed, as in `map(InteractorLifecycle.init)`.
  ///
  /// A direct call uses the other initializer, which records the name of the surrounding type.
  @_disfavoredOverload
  public convenience init() {
    self.init(owner: "an interactor")
  }

  deinit {
    let (bound, streams) = TreeDriver.state.withLock { $0.removeNode(node) }
    if let bound { bound.cancel(all: bound.close(forGood: true)) }
    for stream in streams {
      stream.continuation.finish()
      LifecycleObservation.notify(.streamClosed(ObjectIdentifier(self), stream: stream.number))
    }
    LifecycleObservation.notify(.lifecycleDeinit(ObjectIdentifier(self)))
  }

  /// True from before `didBecomeActive()` starts until after `willResignActive()` has ended.
  ///
  /// The interactor can ask and act in one step, as nothing else of the actor runs before its next `await`:
  ///
  ///     func didReceive(_ message: Message) {
  ///       guard lifecycle.isActive else { return }
  ///       unread.append(message)
  ///     }
  public var isActive: Bool { TreeDriver.state.withLock { $0.isActive(node) } }

  /// The present value, then every change once, in order, until the lifecycle is released.
  ///
  /// Each read makes a stream of its own; one that is dropped, or whose consumer stops, is forgotten.
  public var isActiveStream: AsyncStream<Bool> {
    let (stream, continuation) = AsyncStream<Bool>.makeStream()
    let (number, isActive) = TreeDriver.state.withLock { state in
      // No task can be waiting yet, so this resumes none; and it has to precede whatever a transition yields.
      let isActive = state.isActive(node)
      continuation.yield(isActive)
      return (state.withExtras(of: node) { $0.add(continuation) }, isActive)
    }
    LifecycleObservation.notify(.streamOpened(ObjectIdentifier(self), stream: number, isActive: isActive))
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      TreeDriver.state.withLock { $0[node].extras?.removeStream(number) }
      LifecycleObservation.notify(.streamClosed(ObjectIdentifier(self), stream: number))
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
  ///
  /// The call for which the tree has called the interactor's own method runs the callback itself.
  nonisolated(nonsending) func request(
    active: Bool, of interactor: (any Interactable)?, callback: (@Sendable () async -> Void)? = nil
  ) async {
    let frame = CallbackFrame.current
    // Before the decision, so that an observer knows of every request that may have been decided.
    LifecycleObservation.notify(
      .requested(ObjectIdentifier(self), active: active, mayVisit: frame?.isOwnTask(ofCallbackAt: node) ?? false))
    if let (streams, isCancelled) = TreeDriver.state.withLock({ $0.answerVisit(active: active, at: node, in: frame) }) {
      if let interactor { TreeDriver.note(active ? .activate : .deactivate, of: interactor) }
      if !isCancelled {
        if active { noteActivation(streams) }
        let body = callback.map { .closure($0) } ?? interactor.map { .interactor($0) } ?? Body.closure({})
        await run(active ? .didBecomeActive : .willResignActive, body)
      }
    } else {
      var work = TreeDriver.Work(onMain: Self.isMain(#isolation))
      let name = frame?.running?.id
      TreeDriver.state.withLock {
        $0.request(active: active, at: node, of: interactor, callback, in: name, &work)
      }
      work.carryOut()
      await work.waiter?.wait()
      LifecycleObservation.notify(.requestReturned(ObjectIdentifier(self), active: active))
    }
  }

  /// The body of a callback.
  enum Body: Sendable {
    case closure(@Sendable () async -> Void)
    /// Its `activate()` and `deactivate()` are the defaults, so that the tree need not call them.
    case interactor(any Interactable)
    /// Its own `activate()` or `deactivate()`, which is to call the lifecycle.
    case visit(any Interactable)
  }

  /// Runs a callback, or has the interactor's own `activate()` or `deactivate()` call for it.
  nonisolated(nonsending) func run(_ callback: TreeMachine.Callback, _ body: Body) async {
    let activates = callback == .didBecomeActive
    if case .visit(let interactor) = body {
      LifecycleObservation.notify(.visited(ObjectIdentifier(self), wakes: activates))
      return await activates ? interactor.activate() : interactor.deactivate()
    }
    noteBeginning(of: callback)
    switch body {
    case .closure(let closure): await closure()
    case .interactor(let interactor):
      if activates { await interactor.didBecomeActive() } else { await interactor.willResignActive() }
    case .visit: break
    }
    noteEnd(of: callback)
  }

  /// Notifies the observers and the streams, before the callback's task exists.
  func noteActivation(_ streams: [LifecycleExtras.Stream]) {
    LifecycleObservation.notify(.activated(ObjectIdentifier(self)))
    for stream in streams { stream.yield(true, of: self) }
  }

  func noteBeginning(of callback: TreeMachine.Callback) {
    let id = ObjectIdentifier(self)
    LifecycleObservation.notify(callback == .didBecomeActive ? .didBecomeActiveBegan(id) : .willResignActiveBegan(id))
  }

  func noteEnd(of callback: TreeMachine.Callback) {
    let id = ObjectIdentifier(self)
    LifecycleObservation.notify(callback == .didBecomeActive ? .didBecomeActiveEnded(id) : .willResignActiveEnded(id))
  }

  /// A function of its own, since Swift 6.3.1 makes no valid code of the comparison where it is inlined in `request`.
  @inline(never)
  private static func isMain(_ isolation: (any Actor)?) -> Bool { isolation === MainActor.shared }

  /// Binds work to the active scope: it is cancelled when the scope ends, in the order of registration.
  ///
  /// While inactive the work is refused: its body never runs, and the returned task is cancelled. Otherwise the task
  /// inherits priority, task-locals and, where the system exposes it, the task-executor preference of the caller.
  @discardableResult
  public func register(
    priority: TaskPriority? = nil,
    _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    register(priority: priority, site: nil, work)
  }

  /// Binds work with the place of the call, which test tools report.
  func register(
    priority: TaskPriority?, site: BindingSite?, _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    if let (bound, ticket) = TreeDriver.state.withLock({ $0.admitTask(to: self) }) {
      return bound.start(ticket, priority: priority, site: site, work)
    }
    LifecycleObservation.notify(.taskRefused(ObjectIdentifier(self)))
    let refused = Task(priority: priority) {}
    refused.cancel()
    return refused
  }

  /// The number of open streams.
  package var watcherCount: Int { TreeDriver.state.withLock { $0[node].extras?.streams.count ?? 0 } }
}
