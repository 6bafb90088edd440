// SPDX-License-Identifier: Apache-2.0

/// What a double was told, in order: written from any isolation, read at once or awaited without polling.
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
/// Under an exploration a wait is part of the schedule, and one that cannot end is a deadlock. Outside it, a wait that
/// takes longer than it may records one issue that names what did arrive, and goes on.
public final class Recorder<Event: Sendable>: Sendable {
  struct Log: Sendable {
    var entries: [Recorded<Event>] = []
    /// How many entries `reset()` has forgotten: positions count from the first event ever recorded.
    var forgotten = 0
    /// The position of the entry that `next()` hands out.
    var cursor = 0

    var end: Int { forgotten + entries.count }
    subscript(position: Int) -> Recorded<Event> { entries[position - forgotten] }
  }

  /// By this name failures and timelines know the double that records here.
  public let name: String

  let log = Monitored(Log())
  private let lifetime: Lifetime?

  /// Starts empty, named after the type that its events are nested in, unless another name is given.
  public convenience init(_ name: String? = nil) {
    let name = name ?? Self.ownerName
    self.init(name, lifetime: Lifetime(of: name))
  }

  /// Is told apart from its owner by a leak check only if it has a lifetime of its own.
  init(_ name: String, lifetime: Lifetime?) {
    self.name = name
    self.lifetime = lifetime
  }

  deinit {
    log.abandon()
  }

  /// Adds an event, and ends the waits for it.
  public func record(_ event: Event) {
    log.update { $0.entries.append(Recorded(event: event, moment: .next())) }
    CurrentExecution.scope?.note("\(name): \(event)")
  }

  /// Everything recorded so far, oldest first.
  public var events: [Event] { log.read { $0.entries.map(\.event) } }

  /// Everything recorded so far with its moments, oldest first.
  public var entries: [Recorded<Event>] { log.read { $0.entries } }

  /// How many events have been recorded so far.
  public var count: Int { log.read { $0.entries.count } }

  /// Forgets what has been recorded; waits and streams go on with what comes.
  public func reset() {
    log.update { log in
      let end = log.end
      log.entries = []
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
