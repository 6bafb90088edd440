// SPDX-License-Identifier: Apache-2.0

/// The calls of a double, in order: recorded from any isolation, read at once or awaited without polling.
///
///     final class HomeListenerMock: HomeListener, RecordingListener {
///       enum Event: Equatable { case didRequestLogout }
///       let recorder = Recorder<Event>()
///       func homeDidRequestLogout() async { record(.didRequestLogout) }
///     }
///
///     await interactor.didTapLogout()
///     #expect(listener.events == [.didRequestLogout])
///
/// Under an exploration a wait is part of the schedule, and one that cannot end is a deadlock. Outside an exploration, a
/// wait that exceeds its timeout records one issue with the events received so far, and returns.
public final class Recorder<Event: Sendable>: Sendable {
  struct Log: Sendable {
    var events: [Event] = []
    /// How many events `reset()` has forgotten: positions count from the first event ever recorded.
    var forgotten = 0
    /// The position of the event that `next()` hands out.
    var cursor = 0
    var name: String

    var end: Int { forgotten + events.count }
    subscript(position: Int) -> Event { events[position - forgotten] }
  }

  let log: Monitored<Log>
  private let lifetime: Lifetime?

  /// Makes an empty recorder, by default with the name of the type that its events are nested in.
  public convenience init(_ name: String? = nil) {
    let name = name ?? Self.ownerName
    self.init(name, lifetime: Lifetime(of: name))
  }

  /// Makes a recorder; a leak check reports it apart from its owner only if it has a lifetime of its own.
  init(_ name: String, lifetime: Lifetime?) {
    log = Monitored(Log(name: name))
    self.lifetime = lifetime
  }

  deinit {
    log.abandon()
  }

  /// The name of the double in failures and timelines.
  public var name: String { log.read { $0.name } }

  /// Adds an event, and ends the waits for it.
  public func record(_ event: Event) {
    announce(event, by: nil)
    record(event, by: nil)
  }

  /// Has a call judged that is made now, and is recorded now or later.
  func announce(_ event: Event, by name: String?) {
    guard let scope = CurrentExecution.scope, let judge = DoubleCalls.judges[scope] else { return }
    judge(ObjectIdentifier(self)) { (name ?? self.name) + (Event.self == Void.self ? "" : ": \(event)") }
  }

  /// Adds an event, and renames the double if a name is given.
  func record(_ event: Event, by name: String?) {
    log.update { log in
      log.events.append(event)
      if let name { log.name = name }
    }
    CurrentExecution.scope?.note("\(self.name): \(event)")
    if Event.self == Void.self { return }
    for recorded in RecordedObjects.current {
      recorded.enter(ObjectIdentifier(self)) { [weak self] in self?.forgetObjects() }
    }
  }

  /// Forgets the events that keep an object or a closure alive.
  private func forgetObjects() {
    let before = log.update { log in
      let (events, end) = (log.events, log.end)
      log.events.removeAll { RecordedObjects.isHeld(by: $0) }
      log.forgotten = end - log.events.count
      log.cursor = max(log.cursor, log.forgotten)
      return events
    }
    // A release runs code of the test, and so happens outside the lock.
    withExtendedLifetime(before) {}
  }

  /// The recorded events, oldest first.
  public var events: [Event] { log.read { $0.events } }

  /// The number of recorded events.
  public var count: Int { log.read { $0.events.count } }

  /// Removes all recorded events; waits and streams continue with later ones.
  public func reset() {
    log.update { log in
      let end = log.end
      log.events = []
      log.forgotten = end
      log.cursor = end
    }
  }

  // "Home.ListenerMock.Event" says more about the double than "Event" does.
  private static var ownerName: String {
    let path = String(reflecting: Event.self).split(separator: ".")
    guard path.count > 2, path.last == "Event" else { return String(describing: Event.self) }
    return String(path[path.count - 2])
  }
}
