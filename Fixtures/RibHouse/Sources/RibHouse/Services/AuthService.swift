// SPDX-License-Identifier: Apache-2.0

/// Somebody who has a table.
struct Guest: Equatable, Sendable {
  var name: String
}

/// Whether anybody is logged in, and who.
enum Session: Equatable, Sendable {
  case loggedOut
  case loggedIn(Guest)
}

/// Thrown when the house does not let somebody in.
struct HouseIsFull: Error, Equatable {}

/// Knows who is logged in, and is the only one who does.
protocol AuthService: Sendable {
  /// The present session, then each one after it.
  func sessions() -> AsyncStream<Session>
  func login() async throws
  func logout() async
}

/// Lets everybody in, after a moment at the door.
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
