// SPDX-License-Identifier: Apache-2.0

// A socket that reconnects gets the late callback of its old connection, takes it for one of the new connection, and
// reports that it is disconnected while it is not.
//
// The repair counts the connections, and ignores callbacks of older ones.
extension Case {
  static let staleConnectionCloses = Case(
    "stale-connection-closes", of: "pusher/NWWebSocket 66", .plain, decides: "closed"
  ) {
    let version = Version.current
    let socket = WebSocketClient(version)
    await socket.connect()
    await socket.reconnect()
    await socket.settled()
    let isConnected = await socket.isConnected
    try expect(isConnected, "a socket that has connected anew is connected")
  }
}

private actor Transport {
  /// Takes the connection down, which ends later.
  func tearDown() async { await Task.yield() }
}

private actor WebSocketClient {
  private let version: Case.Version
  private let transport = Transport()
  private(set) var isConnected = false
  private var (generation, callbacks): (Int, [Task<Void, Never>]) = (0, [])

  init(_ version: Case.Version) { self.version = version }

  func connect() {
    generation += 1
    isConnected = true
  }

  func reconnect() async {
    let old = generation
    callbacks.append(
      Task {
        await transport.tearDown()
        closed(old)
      })
    await Task.yield()
    connect()
  }

  private func closed(_ connection: Int) {
    if version == .before || connection == generation { isConnected = false }
  }

  func settled() async { for callback in callbacks { await callback.value } }
}
