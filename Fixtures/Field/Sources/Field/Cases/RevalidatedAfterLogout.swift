// SPDX-License-Identifier: Apache-2.0

// An inbox revalidates its templates while the user logs out. The logout clears them and begins a new session, and what
// was fetched for the old user is written afterwards, for the next one to see.
//
// It was found by a review of the pull request. The repair compares the session before it writes.
extension Case {
  static let revalidatedAfterLogout = Case(
    "revalidated-after-logout", of: "customerio/customerio-ios 1181",
    .plain, .lifecycle, decides: "logOut"
  ) {
    let version = Version.current
    let inbox = InboxRepository(version)
    await inbox.logIn("ada")
    async let revalidation: Void = inbox.revalidate()
    async let logout: Void = inbox.logOut()
    _ = await (revalidation, logout)
    await inbox.logIn("bob")
    let templates = await inbox.templates
    try expect(!templates.contains("for ada"), "no template is of the user before: \(templates)")
  }
}

private actor TemplateServer {
  func templates(for user: String) async -> [String] {
    await Task.yield()
    return ["for \(user)"]
  }
}

private actor InboxRepository {
  private let version: Case.Version
  private let server = TemplateServer()
  private(set) var templates: [String] = []
  private var (user, session): (String?, Int) = (nil, 0)

  init(_ version: Case.Version) { self.version = version }

  func logIn(_ name: String) { user = name }

  func logOut() {
    user = nil
    session += 1
    templates = []
  }

  func revalidate() async {
    guard let user else { return }
    let sessionAtStart = session
    let fetched = await server.templates(for: user)
    if version == .before || session == sessionAtStart { templates = fetched }
  }
}
