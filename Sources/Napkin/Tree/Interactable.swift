// SPDX-License-Identifier: Apache-2.0

/// The observable part of an interactor's lifecycle: whether it is active, and each change.
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
    get async { lifecycle.isActive }
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

  /// Does nothing; the default of an interactor that binds no work.
  public nonisolated(nonsending) func didBecomeActive() async {
    TreeDriver.note(.didBecomeActive, of: self)
  }

  /// Does nothing; the default of an interactor that has nothing to save.
  public nonisolated(nonsending) func willResignActive() async {
    TreeDriver.note(.willResignActive, of: self)
  }

  /// Binds work without recording the place of the call, for uses of this method as a function value.
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
  /// The closure of a `Task { }` is isolated to the actor around it, and this one is not: it calls the interactor with `await`.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; nil is that of the caller.
  ///   - fileID: The file of the call, which test tools report when the work outlives its scope.
  ///   - line: The line of the call.
  ///   - work: The work.
  /// - Returns: The task, already cancelled while the interactor is inactive.
  @discardableResult
  public nonisolated func task(
    priority: TaskPriority? = nil,
    fileID: String = #fileID, line: Int = #line,
    _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    lifecycle.register(priority: priority, site: BindingSite(fileID: fileID, line: line), work)
  }
}

/// An interactor with a presenter.
public protocol PresentableInteractable: Interactable {
  /// The type of the presenter, most often `any SomePresentable`.
  associatedtype PresenterType

  /// The presenter, which never changes.
  nonisolated var presenter: PresenterType { get }
}
