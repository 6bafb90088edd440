// SPDX-License-Identifier: Apache-2.0

// A channel takes the filters of its changes when it joins. A method that is not async adds one in a task that no caller
// awaits, and the join, called next, may come first: the server sends nothing of that filter.
//
// The repair adds the filter before the method returns.
extension Case {
  static let filterAfterJoin = Case(
    "filter-after-join", of: "supabase/supabase-swift 974 (81307624 ← 52db0621)",
    .plain, decides: "join"
  ) {
    let version = Version.current
    let socket = Socket()
    let channel = await RealtimeChannel(version, socket)
    await channel.onChange(of: "rooms")
    await channel.join()
    let joined = await socket.filters
    try expect(joined == ["rooms"], "the server knows the filter, not \(joined)")
  }
}

private actor Socket {
  private(set) var filters: [String] = []
  func join(_ filters: [String]) { self.filters = filters }
}

private actor Filters {
  private var all: [String] = []
  func add(_ filter: String) { all.append(filter) }
  func snapshot() -> [String] { all }
}

@MainActor private final class RealtimeChannel {
  private let version: Case.Version
  private let socket: Socket
  private let filters = Filters()
  private var synchronous: [String] = []

  init(_ version: Case.Version, _ socket: Socket) {
    self.version = version
    self.socket = socket
  }

  func onChange(of table: String) {
    switch version {
    case .before: Task { await filters.add(table) }
    case .after: synchronous.append(table)
    }
  }

  func join() async { await socket.join(await filters.snapshot() + synchronous) }
}
