// SPDX-License-Identifier: Apache-2.0

// A login is under way when its user goes on to the registration. It ends then, and dismisses the whole onboarding with the
// registration in it.
//
// The repair ties the tasks of a view model to its screen, and cancels them when that disappears.
extension Case {
  static let lateLoginDismisses = Case(
    "late-login-dismisses", of: "MateeDevs/devstack-native-app 18",
    .plain, .lifecycle, decides: "logIn"
  ) {
    let version = Version.current
    let flow = Onboarding()
    let login = await LoginModel(version, flow)
    await login.didTapLogIn()
    let registers = await login.didTapRegister()
    await login.settled()
    let shown = await flow.shown
    try expect(!registers || shown == "registration", "a user that registers sees the registration")
  }
}

private actor AccountServer {
  func logIn() async { await Task.yield() }
}

@MainActor private final class Onboarding {
  private(set) var shown: String? = "login"
  func show(_ screen: String) { shown = screen }
  func dismiss() { shown = nil }
}

@MainActor private final class LoginModel {
  private let version: Case.Version
  private let flow: Onboarding
  private let server = AccountServer()
  private var task: Task<Void, Never>?

  init(_ version: Case.Version, _ flow: Onboarding) {
    self.version = version
    self.flow = flow
  }

  func didTapLogIn() { task = Task { await logIn() } }

  private func logIn() async {
    await server.logIn()
    if version == .after, Task.isCancelled { return }
    flow.dismiss()
  }

  /// Returns whether the button was still there.
  func didTapRegister() -> Bool {
    guard flow.shown == "login" else { return false }
    flow.show("registration")
    if version == .after { task?.cancel() }
    return true
  }

  func settled() async { await task?.value }
}
