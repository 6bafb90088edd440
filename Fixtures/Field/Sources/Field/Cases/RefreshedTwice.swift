// SPDX-License-Identifier: Apache-2.0

// Requests that find their token expired each spend the refresh token. The server revokes it with the first use, so the
// second refresh is refused, and the client, which takes that for the end of the session, deletes all credentials.
//
// The repair lets all requests wait for one refresh.
extension Case {
  static let refreshedTwice = Case(
    "refreshed-twice", of: "tuist/tuist 10276",
    .plain, decides: "token"
  ) {
    let version = Version.current
    let controller = AuthenticationController(version)
    async let previews = controller.token()
    async let projects = controller.token()
    _ = await (previews, projects)
    let credentials = await controller.credentials
    try expect(credentials != nil, "the user is still logged in")
  }
}

private struct Credentials: Sendable { var (access, refresh): (String?, String) }

private actor TokenServer {
  private var (valid, count) = ("refresh 0", 0)

  func refresh(_ token: String) -> Credentials? {
    guard token == valid else { return nil }
    count += 1
    valid = "refresh \(count)"
    return Credentials(access: "access \(count)", refresh: valid)
  }
}

private actor AuthenticationController {
  private let version: Case.Version
  private let server = TokenServer()
  private(set) var credentials: Credentials? = Credentials(access: nil, refresh: "refresh 0")
  private var refreshing: Task<String?, Never>?

  init(_ version: Case.Version) { self.version = version }

  func token() async -> String? {
    if let access = credentials?.access { return access }
    if version == .before { return await refresh() }
    if let refreshing { return await refreshing.value }
    let task = Task { await refresh() }
    refreshing = task
    defer { refreshing = nil }
    return await task.value
  }

  private func refresh() async -> String? {
    guard let credentials else { return nil }
    self.credentials = await server.refresh(credentials.refresh)
    return self.credentials?.access
  }
}
