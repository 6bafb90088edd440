// SPDX-License-Identifier: Apache-2.0

// An observer copies the status of the connection in a task of its own. Code that runs right after `connect()` has returned
// may still see the old status, and leaves without joining its channel.
//
// The repair sets the status before the call returns.
extension Case {
  static let statusBehindConnect = Case(
    "status-behind-connect", of: "supabase/supabase-swift 855",
    .plain, decides: "observe"
  ) {
    let version = Version.current
    let client = RealtimeClient(version)
    let observer = Task { await client.observe() }
    let joined = await client.subscribe("room")
    await client.stop()
    await observer.value
    try expect(joined, "a channel is joined after the connect")
  }
}

private actor Connection {
  nonisolated let states = AsyncStream.makeStream(of: Bool.self)
  func open() { states.continuation.yield(true) }
  func close() { states.continuation.finish() }
}

private actor RealtimeClient {
  private let version: Case.Version
  private let connection = Connection()
  private var isConnected = false

  init(_ version: Case.Version) { self.version = version }

  func observe() async { for await state in connection.states.stream { isConnected = state } }

  func subscribe(_ channel: String) async -> Bool {
    await connection.open()
    if version == .after { isConnected = true }
    await Task.yield()
    return isConnected
  }

  func stop() async { await connection.close() }
}
