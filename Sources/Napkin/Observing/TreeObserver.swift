// SPDX-License-Identifier: Apache-2.0

/// Follows the napkins of a running app: what is attached and active, and what stays alive though it has left.
///
///     let observer = TreeObserver()
///     let root = await RootBuilder(dependency: AppComponent()).build()
///     Task { for await event in observer.events { log.debug("\(event)") } }
///     …
///     print(observer.snapshot(of: root))
///
/// While there is no observer, an event of a tree costs one relaxed load of an integer, and is not made. With one, each
/// event takes a lock, and callbacks that do nothing are called all the same. Make it before the tree: a napkin that is
/// older is known by its name only after ``snapshot(of:)`` has seen it.
@MainActor
public final class TreeObserver {
  private let log: TreeLog
  private var watches: [Task<Void, Never>] = []

  /// Begins to observe all trees of the process, until the observer is released.
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

  /// What happens from now on, in its order, until the observer is released.
  ///
  /// Each read makes a stream of its own. A stream keeps the newest 1,000 events that are not read yet.
  public var events: AsyncStream<Event> { log.makeStream() }

  /// A router and everything below it as it is now.
  public func snapshot(of root: any Routing) -> Snapshot {
    let walk = TreeWalk(root)
    log.enter(walk.routers)
    return walk.picture
  }

  /// Reports each router that has left its parent and is alive some time later, and each interactor that outlives its
  /// router, with the properties that hold it.
  ///
  ///     #if DEBUG
  ///     observer.watchLeaks()
  ///     #endif
  ///
  /// It reports and does nothing else. A router that is kept on purpose, to be attached again, is reported like any
  /// other: name its type in `ignored`. It looks at the properties of the routers and interactors that are alive, and of
  /// the routers' view controllers, so it is for debug builds.
  ///
  /// - Parameters:
  ///   - grace: How long what has left may take to be released.
  ///   - ignored: The names of the types of routers that are not reported.
  ///   - report: Called for each leak; prints it by default.
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
  /// A napkin by the type of its router; from the second of that type on with a number, as in `HomeRouter #2`.
  public struct Napkin: Sendable, Hashable, CustomStringConvertible {
    /// The name of the router's type.
    public let name: String

    /// Counts the routers of that name that the observer has seen, from 1 on.
    public let number: Int

    /// The name, with the number from the second on.
    public var description: String { number == 1 ? name : "\(name) #\(number)" }
  }

  /// Something that happened to a tree.
  ///
  /// More cases may come, so a `switch` has a default.
  public enum Event: Sendable, Hashable {
    /// It stands in the children of the other.
    case attached(Napkin, to: Napkin)
    /// It has left the children of the other.
    case detached(Napkin, from: Napkin)
    /// The `isActive` of its interactor has turned true, or false.
    case activated(Napkin)
    case deactivated(Napkin)
    /// Its `didLoad()` has returned.
    case loaded(Napkin)
    /// Its router was released.
    case released(Napkin)
    /// A call broke a rule for callers; what it says is the message that stops a debug build.
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
