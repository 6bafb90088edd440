// SPDX-License-Identifier: Apache-2.0
import Synchronization

// A poller is an actor, and a subscription that is cancelled goes round it: behind a lock, it takes out its handler, and the
// polling task with the last one. A new interval looks in one locked region whether there is a task, and stores the next
// in another: a cancellation in between is without effect, and the poller calls no handler for ever.
//
// The repair has the cancellation come to the actor.
extension Case {
  static let cancelRoundTheActor = Case(
    "cancel-round-the-actor", of: "doordash-oss/PropertyTestingKit (GenericTimerPoller, 0eb69ab ← 69b926c)",
    .split, .lock, decides: "cancel"
  ) {
    let poller = TimerPoller(Version.current)
    let subscription = await poller.subscribe {}
    await poller.startPolling()
    let update = Task { await poller.updateInterval(.seconds(5)) }
    let cancel = Task { subscription.cancel() }
    await update.value
    await cancel.value
    await subscription.removal?.value
    let polls = await poller.isPolling
    await poller.stopPolling()
    try expect(!polls, "a poller without subscribers does not poll")
  }
}

private struct Subscription: Sendable {
  let cancel: @Sendable () -> Void
  /// Ends when a cancellation has come to the actor.
  var removal: Task<Void, Never>?
}

private actor TimerPoller {
  private typealias State = (handlers: [Int: @Sendable () async -> Void], polling: Task<Void, any Error>?)
  private let version: Case.Version
  private let shared = Mutex<State>(([:], nil))
  private var (interval, lastID): (Duration, Int) = (.seconds(60), 0)

  init(_ version: Case.Version) { self.version = version }

  var isPolling: Bool { shared.withLock { $0.polling != nil } }

  func subscribe(_ handler: @escaping @Sendable () async -> Void) -> Subscription {
    lastID += 1
    let id = lastID
    shared.withLock { $0.handlers[id] = handler }
    guard version == .after else { return Subscription(cancel: { self.remove(id) }) }
    let (alive, continuation) = AsyncStream.makeStream(of: Void.self)
    let removal = Task {
      for await _ in alive {}
      isolatedRemove(id)
    }
    return Subscription(cancel: { continuation.finish() }, removal: removal)
  }

  private func isolatedRemove(_ id: Int) { remove(id) }

  private nonisolated func remove(_ id: Int) {
    let polling = shared.withLock { state in
      state.handlers[id] = nil
      return state.handlers.isEmpty ? state.polling.take() : nil
    }
    polling?.cancel()
  }

  func startPolling() { configureTimer() }

  func updateInterval(_ interval: Duration) {
    self.interval = interval
    if shared.withLock({ $0.polling != nil }) { configureTimer() }
  }

  func stopPolling() { shared.withLock { $0.polling.take() }?.cancel() }

  private func configureTimer() {
    shared.withLock { $0.polling.take() }?.cancel()
    let interval = interval
    let polling = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: interval)
        for handler in shared.withLock({ Array($0.handlers.values) }) { await handler() }
      }
    }
    shared.withLock { $0.polling = polling }
  }
}
