// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

// A server starts its accept loop on a queue, and sets its state to running in the next line. A loop that begins before that
// line finds a server that does not run, and ends: the server never answers.
//
// The repair sets the state before it starts the loop.
extension Case {
  static let serverNeverListens = Case(
    "server-never-listens", of: "httpswift/swifter 317",
    .split, decides: "start"
  ) {
    let version = Version.current
    let server = HTTPServer(version)
    server.start()
    await server.settled()
    try expect(server.hasListened, "a server that was started listens")
  }
}

private final class HTTPServer: Sendable {
  private let version: Case.Version
  private let isRunning = Atomic(false)
  private let listened = Atomic(false)
  private let queue = DispatchQueue(label: "accept")

  init(_ version: Case.Version) { self.version = version }

  var hasListened: Bool { listened.load(ordering: .acquiring) }

  func start() {
    if version == .after { isRunning.store(true, ordering: .releasing) }
    queue.async { [self] in
      guard isRunning.load(ordering: .acquiring) else { return }
      listened.store(true, ordering: .releasing)
    }
    if version == .before { isRunning.store(true, ordering: .releasing) }
  }

  func settled() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
