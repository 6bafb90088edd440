// SPDX-License-Identifier: Apache-2.0

// Two requests that find the token expired refresh it at the same time. A server accepts a refresh token once, so the
// second refresh fails, and its caller removes the tokens. By then they are those that the first one has stored.
//
// The repair has one refresh at a time, and removes the token only where it is still the one that was refused.
extension Case {
  static let failedRefreshClearsToken = Case(
    "failed-refresh-clears-token", of: "jonasman/TeslaSwift 185", .plain, decides: "refresh"
  ) {
    let client = await VehicleClient(Version.current, AccountServer())
    async let vehicles: Void = client.request("vehicles")
    async let sites: Void = client.request("energy_sites")
    _ = await (vehicles, sites)
    let token = await client.token
    try expect(token != nil, "a user is still logged in after a refresh")
  }
}

private struct AccountToken: Equatable {
  let number: Int
  var isExpired: Bool { number == 1 }
}

private struct Refused: Error {}

private actor AccountServer {
  private var current = 1

  func exchange(_ token: AccountToken) throws -> AccountToken {
    guard token.number == current else { throw Refused() }
    current += 1
    return AccountToken(number: current)
  }
}

@MainActor private final class VehicleClient {
  private let version: Case.Version
  private let server: AccountServer
  private(set) var token: AccountToken? = AccountToken(number: 1)
  private var running: Task<AccountToken, any Error>?
  private var requested: [String] = []

  init(_ version: Case.Version, _ server: AccountServer) {
    self.version = version
    self.server = server
  }

  func request(_ endpoint: String) async {
    if let token, token.isExpired { await refresh(token) }
    requested.append(endpoint)
  }

  private func refresh(_ old: AccountToken) async {
    guard version == .after else {
      do { token = try await server.exchange(old) } catch { token = nil }
      return
    }
    let task = running ?? Task { try await server.exchange(old) }
    running = task
    do { token = try await task.value } catch  where token == old { token = nil } catch {}
    running = nil
  }
}
