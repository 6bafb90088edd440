// SPDX-License-Identifier: Apache-2.0

/// A guest with a table.
struct Guest: Equatable, Sendable {
  var name: String
}

/// Whether a guest is logged in, and which one.
enum Session: Equatable, Sendable {
  case loggedOut
  case loggedIn(Guest)
}

/// Thrown when a login is refused.
struct HouseIsFull: Error, Equatable {}

/// Logs guests in and out; the only source of the session.
protocol AuthService: Sendable {
  /// The present session, then each one after it.
  func sessions() -> AsyncStream<Session>
  func login() async throws
  func logout() async
}

/// Accepts every login after a delay.
final class HouseAuthService: AuthService {
  private let session = Broadcast<Session>(.loggedOut)
  private let delay: Duration

  init(delay: Duration = .milliseconds(300)) {
    self.delay = delay
  }

  func sessions() -> AsyncStream<Session> { session.stream() }

  func login() async throws {
    try await Task.sleep(for: delay)
    session.send(.loggedIn(Guest(name: "Smokey Joe")))
  }

  func logout() async {
    session.send(.loggedOut)
  }
}
