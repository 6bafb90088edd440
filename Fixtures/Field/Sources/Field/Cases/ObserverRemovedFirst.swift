// SPDX-License-Identifier: Apache-2.0

// Adding an observer and removing it are a task each, since the calls are not async. The removal may come first, finds
// nothing, and the observer that is added then stays for ever.
//
// The repair sends both through one stream, in the order of the calls.
extension Case {
  static let observerRemovedFirst = Case(
    "observer-removed-first", of: "customerio/customerio-ios 1200 (11c6f828 ← ed5d6f5c)",
    .plain, decides: "remove", "add"
  ) {
    let version = Version.current
    let bus = EventBus()
    let handle = BusHandle(version, bus)
    handle.add("in-app")
    handle.remove("in-app")
    await handle.finish()
    let observers = await bus.observers
    try expect(observers.isEmpty, "no observer is left: \(observers)")
  }
}

private actor EventBus {
  private(set) var observers: Set<String> = []
  func add(_ name: String) { observers.insert(name) }
  func remove(_ name: String) { observers.remove(name) }
}

private final class BusHandle: Sendable {
  private let version: Case.Version
  private let bus: EventBus
  private let calls = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
  private let worker: Task<Void, Never>

  init(_ version: Case.Version, _ bus: EventBus) {
    self.version = version
    self.bus = bus
    worker = Task { [stream = calls.stream] in
      switch version {
      case .before: await withTaskGroup { group in for await call in stream { group.addTask { await call() } } }
      case .after: for await call in stream { await call() }
      }
    }
  }

  func add(_ name: String) { calls.continuation.yield { [bus] in await bus.add(name) } }
  func remove(_ name: String) { calls.continuation.yield { [bus] in await bus.remove(name) } }

  func finish() async {
    calls.continuation.finish()
    await worker.value
  }
}
