// SPDX-License-Identifier: Apache-2.0

// A refresh of the session is under way when the user signs out. Its answer is stored afterwards, and the user is signed
// in again.
//
// The repair, which is open, discards the answer of a refresh that has outlived its session.
extension Case {
  static let refreshOutlivesSession = Case(
    "refresh-outlives-session", of: "supabase/supabase-swift 1374",
    .plain, .lifecycle, decides: "signOut"
  ) {
    let version = Version.current
    let manager = SessionManager(version)
    await manager.signIn("token 1")
    async let refresh: Void = manager.refresh()
    async let signOut: Void = manager.signOut()
    _ = await (refresh, signOut)
    let session = await manager.session
    try expect(session == nil, "a user that has signed out stays so: \(session ?? "")")
  }
}

private actor AuthServer {
  func refreshed(_ token: String) -> String { token + "+" }
}

private actor SessionManager {
  private let version: Case.Version
  private let server = AuthServer()
  private(set) var session: String?

  init(_ version: Case.Version) { self.version = version }

  func signIn(_ token: String) { session = token }
  func signOut() { session = nil }

  func refresh() async {
    guard let old = session else { return }
    let new = await server.refreshed(old)
    if version == .before || session == old { session = new }
  }
}
