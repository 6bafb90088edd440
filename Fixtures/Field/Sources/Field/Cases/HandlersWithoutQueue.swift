// SPDX-License-Identifier: Apache-2.0
import Dispatch

// A manager of sockets keeps its handlers in a dictionary. Connections add to it and idle ones are removed from threads of
// their own, without exclusive access, and the process crashes now and then.
//
// The repair guards the dictionary by a queue.
extension Case {
  static let handlersWithoutQueue = Case(
    "handlers-without-queue", of: "Kitura/Kitura-net 284",
    .split, .lock, decides: "handle"
  ) {
    let version = Version.current
    let manager = SocketManager(version)
    let first = Task { manager.handle(1) }
    let second = Task { manager.handle(2) }
    let idle = Task { manager.removeIdle() }
    await first.value
    await second.value
    await idle.value
    try expect(manager.count <= 2, "no handler is there twice")
  }
}

private final class SocketManager: @unchecked Sendable {
  private let version: Case.Version
  private let queue = DispatchQueue(label: "handlers")
  private var handlers: [Int: String] = [:]

  init(_ version: Case.Version) { self.version = version }

  var count: Int { exclusively { handlers.count } }

  func handle(_ socket: Int) { exclusively { handlers[socket] = "handler \(socket)" } }
  func removeIdle() { exclusively { handlers = handlers.filter { $0.key > 1 } } }

  private func exclusively<Value>(_ body: () -> Value) -> Value {
    version == .after ? queue.sync(execute: body) : body()
  }
}
