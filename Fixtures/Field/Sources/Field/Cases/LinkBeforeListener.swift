// SPDX-License-Identifier: Apache-2.0

// A coordinator listens for deep links after its screen is presented. A link that was opened before is kept by the
// service, where the coordinator does not look: the screen shows the default server, and the link is without effect.
//
// The repair looks at the service when the coordinator begins to listen.
extension Case {
  static let linkBeforeListener = Case(
    "link-before-listener", of: "element-hq/element-ios 6440", .plain, .lifecycle, decides: "start open"
  ) {
    let service = await AuthenticationService()
    let coordinator = await LoginCoordinator(Version.current, service)
    async let shown: Void = coordinator.start()
    async let opened: Void = service.open("matrix.example.org")
    _ = await (shown, opened)
    let server = await coordinator.server
    try expect(server == "matrix.example.org", "a login is for the server of the link: \(server)")
  }
}

@MainActor private final class AuthenticationService {
  private(set) var link: String?
  private var listeners: [(String) -> Void] = []

  func open(_ server: String) {
    link = server
    for listener in listeners { listener(server) }
  }

  func listen(_ listener: @escaping (String) -> Void) { listeners.append(listener) }
}

@MainActor private final class LoginCoordinator {
  private let version: Case.Version
  private let service: AuthenticationService
  private(set) var server = "matrix.org"

  init(_ version: Case.Version, _ service: AuthenticationService) {
    self.version = version
    self.service = service
  }

  func start() async {
    await present()
    service.listen { [weak self] in self?.server = $0 }
    if version == .after, let link = service.link { server = link }
  }

  /// Ends when the screen has been animated in.
  private func present() async { await Task.yield() }
}
