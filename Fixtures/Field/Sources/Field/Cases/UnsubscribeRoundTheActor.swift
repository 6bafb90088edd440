// SPDX-License-Identifier: Apache-2.0

// A poller is an actor, and keeps its handlers in a dictionary. A subscription that is cancelled changes the dictionary on
// the thread that cancels, as a closure of Swift 5 calls the actor without waiting for it: a subscription that is made at
// the same time changes it, too, and the process ends.
//
// The repair has the cancellation come to the actor in a task.
extension Case {
  static let unsubscribeRoundTheActor = Case(
    "unsubscribe-round-the-actor", of: "doordash-oss/PropertyTestingKit (GenericTimerPoller, by its test of 69b926c)",
    .split, decides: "unsubscribe subscribe"
  ) {
    let poller = HandlerPoller(Version.current)
    let (first, second) = (await poller.subscribe {}, await poller.subscribe {})
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        first()
        second()
      }
      group.addTask {
        _ = await poller.subscribe {}
        _ = await poller.subscribe {}
      }
    }
    await poller.stopPolling()
  }
}

private actor HandlerPoller {
  private let version: Case.Version
  /// Before the repair, other threads change it, too.
  private nonisolated(unsafe) var handlers: [Int: @Sendable () async -> Void] = [:]
  private var lastID = 0

  init(_ version: Case.Version) { self.version = version }

  func subscribe(_ handler: @escaping @Sendable () async -> Void) -> @Sendable () -> Void {
    lastID += 1
    let id = lastID
    handlers[id] = handler
    if version == .before { return { self.unsubscribe(id) } }
    return { Task { await self.isolatedUnsubscribe(id) } }
  }

  private nonisolated func unsubscribe(_ id: Int) { handlers[id] = nil }
  private func isolatedUnsubscribe(_ id: Int) { unsubscribe(id) }
  func stopPolling() { handlers = [:] }
}
