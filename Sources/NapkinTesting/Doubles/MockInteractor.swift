// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// An interactor without business logic, which records its lifecycle callbacks.
///
///     let interactor = MockInteractor(didBecomeActive: { $0.task { await gate.pass() } })
///     await interactor.activate()
///     #expect(interactor.events == [.didBecomeActive])
///
/// A callback is recorded before its closure runs.
public actor MockInteractor: Interactable, Recording {
  /// A callback, which receives the interactor.
  public typealias Callback = @Sendable (MockInteractor) async -> Void

  /// A real lifecycle: only the callbacks are doubles.
  public nonisolated let lifecycle = InteractorLifecycle()
  /// The callbacks that have begun.
  public nonisolated let recorder = Recorder<LifecycleCall>("MockInteractor", lifetime: nil)
  private let onActivate: Callback
  private let onResign: Callback

  /// Makes an interactor with closures for its callbacks.
  public init(
    didBecomeActive: @escaping Callback = { _ in },
    willResignActive: @escaping Callback = { _ in }
  ) {
    onActivate = didBecomeActive
    onResign = willResignActive
  }

  /// Records the call and runs the closure.
  public func didBecomeActive() async {
    record(.didBecomeActive)
    await CurrentExecution.schedulingPoint()
    await onActivate(self)
  }

  /// Records the call and runs the closure.
  public func willResignActive() async {
    record(.willResignActive)
    await CurrentExecution.schedulingPoint()
    await onResign(self)
  }
}

/// A lifecycle callback of a `MockInteractor`.
public enum LifecycleCall: Sendable, Hashable, CaseIterable {
  /// The interactor has become active.
  case didBecomeActive
  /// The interactor is about to become inactive.
  case willResignActive
}
