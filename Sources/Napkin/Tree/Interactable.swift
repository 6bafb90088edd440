// SPDX-License-Identifier: Apache-2.0

/// What others may know of an interactor's life: whether it is active now, and when that changes.
public protocol InteractorScope: AnyObject, Sendable {
  /// True from before `didBecomeActive()` starts until after `willResignActive()` has ended.
  var isActive: Bool { get async }

  /// The present value, then every change once, in order, until the interactor is released.
  nonisolated var isActiveStream: AsyncStream<Bool> { get }
}

/// The business logic of one napkin: an actor whose active life is driven by its router.
///
///     final actor TimerInteractor: Interactable {
///       nonisolated let lifecycle = InteractorLifecycle()
///
///       func didBecomeActive() async {
///         task { for await tick in ticks() { await show(tick) } }
///       }
///     }
///
/// The four requirements run on their caller's executor until they meet the actor, so a request is registered at the
/// moment of the call, and a default callback costs no hop. Witnesses that are isolated to the actor stay as they are.
public protocol Interactable: Actor, InteractorScope {
  /// The helper that keeps this interactor's state, one for each interactor and never shared.
  nonisolated var lifecycle: InteractorLifecycle { get }

  /// Asks for the active state and returns once it is reached, or a later call has superseded the request.
  nonisolated(nonsending) func activate() async

  /// Asks for the inactive state and returns once it is reached, or a later call has superseded the request.
  nonisolated(nonsending) func deactivate() async

  /// Called after each activation; bind the work of the active scope here, with `task { }`.
  nonisolated(nonsending) func didBecomeActive() async

  /// Called before each deactivation, while the bound tasks are still running.
  nonisolated(nonsending) func willResignActive() async
}

extension Interactable {
  /// True from before `didBecomeActive()` starts until after `willResignActive()` has ended.
  public var isActive: Bool {
    get async { await lifecycle.isActive }
  }

  /// The present value, then every change once, in order, until the interactor is released.
  public nonisolated var isActiveStream: AsyncStream<Bool> { lifecycle.isActiveStream }

  /// Asks for the active state and returns once it is reached, or a later call has superseded the request.
  public nonisolated(nonsending) func activate() async {
    await lifecycle.request(active: true, of: self)
  }

  /// Asks for the inactive state and returns once it is reached, or a later call has superseded the request.
  public nonisolated(nonsending) func deactivate() async {
    await lifecycle.request(active: false, of: self)
  }

  /// Does nothing, for an interactor that binds no work.
  public nonisolated(nonsending) func didBecomeActive() async {
    TreeDriver.note(.didBecomeActive, of: self)
  }

  /// Does nothing, for an interactor that has nothing to put in order.
  public nonisolated(nonsending) func willResignActive() async {
    TreeDriver.note(.willResignActive, of: self)
  }

  /// Binds work without a place to name it by, for what is given this method as a function.
  @_disfavoredOverload
  @discardableResult
  public nonisolated func task(
    priority: TaskPriority? = nil,
    _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    lifecycle.register(priority: priority, site: nil, work)
  }

  /// Binds work to the active scope: it is cancelled after `willResignActive()`, and never begins while inactive.
  ///
  /// The place of the call is only for the eyes of test tools, which name it when the work outlives its scope.
  @discardableResult
  public nonisolated func task(
    priority: TaskPriority? = nil,
    fileID: String = #fileID, line: Int = #line,
    _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    lifecycle.register(priority: priority, site: BindingSite(fileID: fileID, line: line), work)
  }
}

/// An interactor that shows what it knows through a presenter.
public protocol PresentableInteractable: Interactable {
  /// What the interactor presents to, most often `any SomePresentable`.
  associatedtype PresenterType

  /// Handed over at construction and never exchanged.
  nonisolated var presenter: PresenterType { get }
}
