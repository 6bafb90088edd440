// SPDX-License-Identifier: Apache-2.0
import Napkin

protocol LoggedOutListener: AnyObject, Sendable {
  /// Returns once the guest is in; throws if there is no way in.
  func loggedOutDidRequestLogin() async throws
}

/// The steps of a login.
enum LoginState: Equatable, Sendable {
  case asking
  case waiting
  case refused
}

protocol LoggedOutPresentable: Presentable, Sendable {
  var listener: (any LoggedOutPresentableListener)? { get set }
  func present(_ state: LoginState) async
}

/// The door of the house.
final actor LoggedOutInteractor: PresentableInteractable, LoggedOutPresentableListener {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let presenter: any LoggedOutPresentable
  private weak var listener: (any LoggedOutListener)?
  private var isLoggingIn = false

  init(presenter: any LoggedOutPresentable) {
    self.presenter = presenter
  }

  func wire(listener: (any LoggedOutListener)?) {
    self.listener = listener
  }

  func didTapLogin() async {
    // Taken before the first suspension, so that a second tap finds it. It is given back only when there was no way in:
    // else this napkin's time is over, and a late tap must not log in again.
    guard !isLoggingIn else { return }
    isLoggingIn = true
    await presenter.present(.waiting)
    do {
      try await listener?.loggedOutDidRequestLogin()
    } catch {
      isLoggingIn = false
      await presenter.present(.refused)
    }
  }
}
