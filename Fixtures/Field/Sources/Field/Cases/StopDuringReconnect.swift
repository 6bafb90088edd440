// SPDX-License-Identifier: Apache-2.0

// A client that reconnects waits until its old socket is closed, and starts anew. Where it is stopped while it waits, it
// starts all the same, and a connection that the user has stopped is open again.
//
// The repair looks again, after the socket has closed, whether a connection is still wanted.
extension Case {
  static let stopDuringReconnect = Case(
    "stop-during-reconnect", of: "pingdotgg/t3code 10742", .plain, decides: "reconnect stop"
  ) {
    let client = SocketClient(Version.current)
    await client.start()
    async let reconnect: Void = client.reconnect()
    async let stop: Void = client.stop()
    _ = await (reconnect, stop)
    let isOpen = await client.isOpen
    try expect(!isOpen, "a client that was stopped has no socket")
  }
}

private actor Socket {
  private var isClosed = false
  func close() { isClosed = true }
}

private actor SocketClient {
  private let version: Case.Version
  private var isWanted = false
  private var socket: Socket?

  init(_ version: Case.Version) { self.version = version }

  var isOpen: Bool { socket != nil }

  func start() {
    isWanted = true
    if socket == nil { socket = Socket() }
  }

  func stop() async {
    isWanted = false
    await disconnect()
  }

  func reconnect() async {
    guard isWanted else { return }
    await disconnect()
    if version == .after && !isWanted { return }
    start()
  }

  private func disconnect() async {
    let old = socket
    socket = nil
    await old?.close()
  }
}
