// SPDX-License-Identifier: Apache-2.0

/// Observes the napkins of a running app: which are attached and active, and which stay alive after their detach.
///
///     let observer = TreeObserver()
///     let root = await RootBuilder(dependency: AppComponent()).build()
///     Task { for await event in observer.events { log.debug("\(event)") } }
///     …
///     print(observer.snapshot(of: root))
///
/// While there is no observer, an event of a tree costs one relaxed load of an integer. With one, each event takes a lock,
/// and default callbacks are called as well. Create the observer before the tree: it knows the name of an older napkin
/// only after ``snapshot(of:)`` has included it.
@MainActor
public final class TreeObserver {
  private let log: TreeLog
  private var watches: [Task<Void, Never>] = []

  /// Observes all trees of the process, until the observer is released.
  public convenience init() { self.init(of: nil) }

  /// Observes the routers of some types only, beside tests that make others.
  package init(of names: Set<String>?) {
    log = TreeLog(of: names)
    LifecycleObservation.add(log)
  }

  deinit {
    LifecycleObservation.remove(log)
    log.finish()
    for watch in watches { watch.cancel() }
  }

  /// The events from now on, in order, until the observer is released.
  ///
  /// Each read makes a new stream. A stream keeps the newest 1,000 events that are not read yet.
  public var events: AsyncStream<Event> { log.makeStream() }

  /// Returns the present state of a router and of everything below it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of routers.
  public func snapshot(of root: any Routing) -> Snapshot {
    let walk = TreeWalk(root)
    log.enter(walk.routers)
    return walk.picture
  }

  /// Reports each router that is still alive some time after its detach, and each interactor that outlives its router,
  /// with the properties that hold it.
  ///
  ///     #if DEBUG
  ///     observer.watchLeaks()
  ///     #endif
  ///
  /// A router that is kept to be attached again is reported like any other: name its type in `ignored`. A report reads the
  /// properties of all live routers, interactors and view controllers of the tree, so it is for debug builds.
  ///
  /// - Parameters:
  ///   - grace: The time that a detached router has to be released.
  ///   - ignored: The names of the types of routers that are not reported.
  ///   - report: Receives each leak; prints it by default.
  public func watchLeaks(
    after grace: Duration = .seconds(3), ignoring ignored: Set<String> = [],
    report: @escaping @MainActor @Sendable (Leak) -> Void = { print("Napkin: \($0)") }
  ) {
    let suspects = log.makeSuspects()
    watches.append(
      Task { [log] in
        await withDiscardingTaskGroup { group in
          for await suspect in suspects {
            group.addTask {
              guard (try? await Task.sleep(for: grace)) != nil else { return }
              if let leak = await log.leak(of: suspect, after: grace, ignoring: ignored) { await report(leak) }
            }
          }
        }
      })
  }
}

extension TreeObserver {
  /// The identity of a napkin: the type of its router and, from the second of that type on, a number: `HomeRouter #2`.
  public struct Napkin: Sendable, Hashable, CustomStringConvertible {
    /// The name of the router's type.
    public let name: String

    /// The number of the router among those of its name that the observer has seen, from 1 on.
    public let number: Int

    /// The name, with the number from the second on.
    public var description: String { number == 1 ? name : "\(name) #\(number)" }
  }

  /// An event of a tree.
  ///
  /// More cases may be added, so a `switch` needs a default.
  public enum Event: Sendable, Hashable {
    /// The napkin was added to the children of another.
    case attached(Napkin, to: Napkin)
    /// The napkin was removed from the children of another, or that was released.
    case detached(Napkin, from: Napkin)
    /// The interactor became active.
    case activated(Napkin)
    /// The interactor became inactive.
    case deactivated(Napkin)
    /// The router's `didLoad()` returned.
    case loaded(Napkin)
    /// The router was released.
    case released(Napkin)
    /// A call violated a rule for callers; the text is the message that stops a debug build.
    case misuse(String)
  }
}

extension TreeObserver.Event: CustomStringConvertible {
  /// The event as a line of a log.
  public var description: String {
    switch self {
    case .attached(let napkin, let parent): "\(napkin) is attached to \(parent)"
    case .detached(let napkin, let parent): "\(napkin) has left \(parent)"
    case .activated(let napkin): "\(napkin) is active"
    case .deactivated(let napkin): "\(napkin) is inactive"
    case .loaded(let napkin): "\(napkin) is loaded"
    case .released(let napkin): "\(napkin) is released"
    case .misuse(let message): "misuse: \(message)"
    }
  }
}
