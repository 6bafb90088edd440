// SPDX-License-Identifier: Apache-2.0
internal import Napkin
internal import Synchronization

/// The barest program that runs an actor's two callbacks as the contract has them: no tree, no state, no decision.
///
/// Each callback has a task of its own, which can be cancelled (L5) and whose calls are known as calls from inside (L4);
/// the caller waits on the main actor until it has returned (L3).
@MainActor
final class BareCallbacks {
  /// What a task-local needs to say which callback is running.
  private final class Mark: Sendable {}
  @TaskLocal private static var mark: Mark?

  private let interactor: any Interactable
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ interactor: any Interactable) { self.interactor = interactor }

  func run(_ times: Int) async {
    let interactor = interactor
    for _ in 0..<times {
      await call { await interactor.didBecomeActive() }
      await call { await interactor.willResignActive() }
    }
  }

  private func call(_ callback: @escaping @Sendable () async -> Void) async {
    await withUnsafeContinuation { continuation in
      Self.$mark.withValue(Mark()) {
        let started = Task { @concurrent in
          await callback()
          continuation.resume()
        }
        task.withLock { $0 = started }
      }
    }
    task.withLock { $0 = nil }
  }
}
