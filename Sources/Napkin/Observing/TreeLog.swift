// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The record of a `TreeObserver`: the napkins of the process, and the streams that it feeds.
final class TreeLog: LifecycleObserver {
  typealias ID = LifecycleEvent.ID
  typealias Napkin = TreeObserver.Napkin
  typealias Event = TreeObserver.Event

  /// Something that may be a leak, if it is the same when the time is over.
  enum Suspect: Sendable {
    case router(ID, departure: Int, from: Napkin?)
    case interactor(ID, of: Napkin)
  }

  private struct Router {
    let napkin: Napkin
    let lifecycle: ID
    weak var object: (any Routing)?
    var parent: ID?
    /// The number of its last departure from a parent; nil if it stands below one, or never did.
    var departure: Int?
  }

  private struct Interactor {
    var napkin: Napkin
    weak var object: (any Interactable)?
    var hasRouter = true
  }

  private struct State {
    let names: Set<String>?
    var routers: [ID: Router] = [:]
    /// The routers below each that has any.
    var children: [ID: Set<ID>] = [:]
    /// By the identity of their lifecycles.
    var interactors: [ID: Interactor] = [:]
    var counts: [String: Int] = [:]
    var departures = 0
    var streams: [Int: AsyncStream<Event>.Continuation] = [:]
    var suspects: [AsyncStream<Suspect>.Continuation] = []
    var lastStream = 0
    var queue: [Event] = []
    var doubtful: [Suspect] = []
    var isDelivering = false

    /// A router that is older than the observer has no name yet; nil for one of a type that is not observed.
    func napkin(_ router: ID) -> Napkin? {
      routers[router]?.napkin ?? (names == nil ? Napkin(name: "a router", number: 1) : nil)
    }

    mutating func enter(_ id: ID, _ name: String, lifecycle: ID, _ router: any Routing, _ interactor: any Interactable)
    {
      guard routers[id] == nil, names?.contains(name) != false else { return }
      counts[name, default: 0] += 1
      let napkin = Napkin(name: name, number: counts[name, default: 1])
      routers[id] = Router(napkin: napkin, lifecycle: lifecycle, object: router)
      interactors[lifecycle] = Interactor(napkin: napkin, object: interactor)
    }

    mutating func place(_ child: ID, below parent: ID?) {
      guard let router = routers[child] else { return }
      if let old = router.parent {
        children[old]?.remove(child)
        if children[old]?.isEmpty == true { children[old] = nil }
      }
      routers[child]?.parent = parent
      if let parent { children[parent, default: []].insert(child) }
    }

    mutating func depart(_ child: ID, from parent: Napkin?) {
      guard routers[child] != nil else { return }
      departures += 1
      place(child, below: nil)
      routers[child]?.departure = departures
      if !suspects.isEmpty { doubtful.append(.router(child, departure: departures, from: parent)) }
    }

    /// Brings the picture up to date, and queues the events for the streams.
    mutating func apply(_ event: LifecycleEvent) {
      let seen = picture(of: event)
      if !streams.isEmpty { queue += seen }
    }

    private mutating func picture(of event: LifecycleEvent) -> [Event] {
      switch event {
      case .activated(let id): return interactors[id].map { [.activated($0.napkin)] } ?? []
      case .deactivated(let id): return interactors[id].map { [.deactivated($0.napkin)] } ?? []
      case .loadEnded(let id): return napkin(id).map { [.loaded($0)] } ?? []
      case .attached(let child, let parent):
        place(child, below: parent)
        routers[child]?.departure = nil
        return napkin(child).flatMap { child in napkin(parent).map { [.attached(child, to: $0)] } } ?? []
      case .detached(let child, let parent):
        depart(child, from: napkin(parent))
        return napkin(child).flatMap { child in napkin(parent).map { [.detached(child, from: $0)] } } ?? []
      case .routerDeinit(let id):
        place(id, below: nil)
        guard let router = routers.removeValue(forKey: id) else { return [] }
        let orphans = children[id, default: []].compactMap { child in routers[child].map { (child, $0.napkin) } }
          .sorted { ($0.1.name, $0.1.number) < ($1.1.name, $1.1.number) }
        for (child, _) in orphans { depart(child, from: router.napkin) }
        interactors[router.lifecycle]?.hasRouter = false
        if !suspects.isEmpty { doubtful.append(.interactor(router.lifecycle, of: router.napkin)) }
        return orphans.map { .detached($0.1, from: router.napkin) } + [.released(router.napkin)]
      case .lifecycleDeinit(let id):
        interactors[id] = nil
        return []
      case .misuse(let misuse):
        return names?.isDisjoint(with: misuse.routers) == true ? [] : [.misuse(misuse.description)]
      default: return []
      }
    }
  }

  private let state: Mutex<State>

  init(of names: Set<String>?) { state = Mutex(State(names: names)) }

  func lifecycle(_ event: LifecycleEvent) {
    if case .routerCreated(let id, let name, let lifecycle) = event { return enter(id, name, lifecycle) }
    let delivers = state.withLock { state in
      state.apply(event)
      guard !state.isDelivering, !state.queue.isEmpty || !state.doubtful.isEmpty else { return false }
      state.isDelivering = true
      return true
    }
    if delivers { deliver() }
  }

  /// The router is being made on the main actor, and is alive while observers are notified.
  private func enter(_ id: ID, _ name: String, _ lifecycle: ID) {
    guard let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: id)),
      let router = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue() as? any Routing
    else { return }
    MainActor.assumeIsolated {
      let interactor = router.interactable
      state.withLock { $0.enter(id, name, lifecycle: lifecycle, router, interactor) }
    }
  }

  @MainActor
  func enter(_ routers: [any Routing]) {
    for router in routers {
      let interactor = router.interactable
      let lifecycle = ObjectIdentifier(interactor.lifecycle)
      state.withLock {
        $0.enter(ObjectIdentifier(router), "\(type(of: router))", lifecycle: lifecycle, router, interactor)
      }
    }
    // Children come after their parents, which know them only now.
    for router in routers {
      let children = router.children
      state.withLock { state in
        for child in children { state.place(ObjectIdentifier(child), below: ObjectIdentifier(router)) }
      }
    }
  }

  /// Hands events on outside the lock, in their order, since the consumer of a stream may run at once.
  private func deliver() {
    while true {
      let batch = state.withLock { state in
        defer { (state.queue, state.doubtful) = ([], []) }
        if state.queue.isEmpty, state.doubtful.isEmpty { state.isDelivering = false }
        return (
          events: state.queue, doubtful: state.doubtful, streams: Array(state.streams.values), suspects: state.suspects
        )
      }
      if batch.events.isEmpty, batch.doubtful.isEmpty { return }
      for event in batch.events { for stream in batch.streams { stream.yield(event) } }
      for suspect in batch.doubtful { for stream in batch.suspects { stream.yield(suspect) } }
    }
  }

  func makeStream() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(1_000))
    let number = state.withLock { state in
      state.lastStream += 1
      state.streams[state.lastStream] = continuation
      return state.lastStream
    }
    continuation.onTermination = { [weak self] _ in
      let dropped = self?.state.withLock { $0.streams.removeValue(forKey: number) }
      withExtendedLifetime(dropped) {}
    }
    return stream
  }

  func makeSuspects() -> AsyncStream<Suspect> {
    let (stream, continuation) = AsyncStream<Suspect>.makeStream()
    state.withLock { $0.suspects.append(continuation) }
    return stream
  }

  func finish() {
    let (streams, suspects) = state.withLock { state in
      defer { (state.streams, state.suspects) = ([:], []) }
      return (Array(state.streams.values), state.suspects)
    }
    for stream in streams { stream.finish() }
    for stream in suspects { stream.finish() }
  }
}

extension TreeLog {
  /// The suspect as a leak, if it is where it was and alive.
  @MainActor
  func leak(of suspect: Suspect, after grace: Duration, ignoring ignored: Set<String>) async -> TreeObserver.Leak? {
    let (napkin, object, parent): (Napkin, AnyObject, Napkin?)
    switch suspect {
    case .router(let id, let departure, let from):
      guard let router = state.withLock({ $0.routers[id] }), router.departure == departure, let alive = router.object
      else { return nil }
      (napkin, object, parent) = (router.napkin, alive, from)
    case .interactor(let id, let of):
      guard let interactor = state.withLock({ $0.interactors[id] }), !interactor.hasRouter,
        let alive = interactor.object
      else { return nil }
      (napkin, object, parent) = (of, alive, nil)
    }
    guard !ignored.contains(napkin.name) else { return nil }
    let target = ObjectIdentifier(object)
    let isRouter = object is any Routing
    return TreeObserver.Leak(
      napkin: napkin, parent: parent, type: "\(type(of: object))", isRouter: isRouter, after: grace,
      holders: await holders(of: target))
  }

  /// The properties of routers, view controllers and interactors alive that hold an object.
  @MainActor
  private func holders(of target: ObjectIdentifier) async -> [String] {
    let (routers, interactors) = state.withLock { state in
      (
        state.routers.values.sorted { ($0.napkin.name, $0.napkin.number) < ($1.napkin.name, $1.napkin.number) },
        state.interactors.values.sorted { ($0.napkin.name, $0.napkin.number) < ($1.napkin.name, $1.napkin.number) }
      )
    }
    var found: [String] = []
    for router in routers {
      guard let object = router.object else { continue }
      found += RetainPathFinder.paths(to: target, in: object, named: "\(router.napkin)")
      guard let viewable = object as? any ViewableRouting else { continue }
      found += RetainPathFinder.paths(
        to: target, in: viewable.viewControllable, named: "\(router.napkin).viewController")
    }
    for interactor in interactors {
      guard let object = interactor.object else { continue }
      found += await RetainPathFinder.paths(to: target, inActor: object, named: "\(type(of: object))")
    }
    return found
  }
}
