// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// An interactor without any business logic, that writes down how its lifecycle goes.
///
///     let interactor = MockInteractor(didBecomeActive: { $0.task { await gate.pass() } })
///     await interactor.activate()
///     #expect(interactor.events == [.didBecomeActive])
///
/// A call is written down before the closure runs.
public actor MockInteractor: Interactable, Recording {
  /// A callback, which is handed the interactor itself.
  public typealias Callback = @Sendable (MockInteractor) async -> Void

  /// The real thing: only the callbacks are doubles.
  public nonisolated let lifecycle = InteractorLifecycle()
  /// Holds the callbacks that have begun.
  public nonisolated let recorder = Recorder<LifecycleCall>("MockInteractor", lifetime: nil)
  private let becoming: Callback
  private let resigning: Callback

  /// Takes what the callbacks do besides being written down.
  public init(
    didBecomeActive: @escaping Callback = { _ in },
    willResignActive: @escaping Callback = { _ in }
  ) {
    becoming = didBecomeActive
    resigning = willResignActive
  }

  /// Is written down, then does what it was given.
  public func didBecomeActive() async {
    record(.didBecomeActive)
    await CurrentExecution.schedulingPoint()
    await becoming(self)
  }

  /// Is written down, then does what it was given.
  public func willResignActive() async {
    record(.willResignActive)
    await CurrentExecution.schedulingPoint()
    await resigning(self)
  }
}
