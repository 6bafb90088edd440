// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// What the events of one execution say about the napkins that it made: the picture that monitors judge by.
package struct ObservedTree: Sendable {
  package typealias ID = LifecycleEvent.ID

  /// An interactor, by its lifecycle.
  package struct Interactor: Sendable {
    package var name: String
    package var number: Int
    package var isActive = false
    /// Whether it has ever been active: a parent that never was does not make its children sleep (T7).
    package var wasActive = false
    package var callback: Callback?
    /// Whether the last callback to complete was `didBecomeActive()`.
    package var hasBecomeActive = false
    /// The bound tasks that were admitted and have not ended.
    package var tasks: [UInt64: BoundTask] = [:]
    package var router: ID?
  }

  package enum Callback: String, Sendable {
    case didBecomeActive = "didBecomeActive()"
    case willResignActive = "willResignActive()"
  }

  package struct BoundTask: Sendable {
    package var hasStarted = false
    package var isCancelled = false
  }

  /// A router, by itself.
  package struct Node: Sendable {
    package var name: String
    package var number: Int
    package var lifecycle: ID
    package var parent: ID?
    package var children: [ID] = []
    package var loads = 0
    package var isLoading = false
  }

  package private(set) var interactors: [ID: Interactor] = [:]
  package private(set) var nodes: [ID: Node] = [:]
  private var created = 0
  private var namesakes: [String: Int] = [:]

  package init() {}

  /// The living interactors in the order in which they were made.
  package var livingInteractors: [Interactor] { interactors.values.sorted { $0.number < $1.number } }

  /// The living routers in the order in which they were made.
  package var livingNodes: [(id: ID, node: Node)] {
    nodes.map { (id: $0.key, node: $0.value) }.sorted { $0.node.number < $1.node.number }
  }

  package func name(ofInteractor id: ID) -> String { interactors[id]?.name ?? "an interactor" }
  package func name(ofRouter id: ID) -> String { nodes[id]?.name ?? "a router" }

  /// A router and everything below it, parents before children.
  package func subtree(of id: ID) -> [ID] {
    var found: [ID] = []
    var pending = [id]
    while let next = pending.popLast(), found.count <= nodes.count {
      found.append(next)
      pending.append(contentsOf: (nodes[next]?.children ?? []).reversed())
    }
    return found
  }

  package func interactor(ofRouter id: ID) -> Interactor? { nodes[id].flatMap { interactors[$0.lifecycle] } }

  /// Brings the picture up to date.
  package mutating func apply(_ event: LifecycleEvent) {
    switch event {
    case .lifecycleCreated(let id, let owner):
      interactors[id] = Interactor(name: unique(owner), number: next())
    case .activated(let id):
      interactors[id]?.isActive = true
      interactors[id]?.wasActive = true
    case .deactivated(let id): interactors[id]?.isActive = false
    case .didBecomeActiveBegan(let id): interactors[id]?.callback = .didBecomeActive
    case .willResignActiveBegan(let id): interactors[id]?.callback = .willResignActive
    case .didBecomeActiveEnded(let id):
      interactors[id]?.callback = nil
      interactors[id]?.hasBecomeActive = true
    case .willResignActiveEnded(let id):
      interactors[id]?.callback = nil
      interactors[id]?.hasBecomeActive = false
    case .lifecycleDeinit(let id): interactors[id] = nil
    case .taskRegistered(let id, let task): interactors[id]?.tasks[task] = BoundTask()
    case .taskStarted(let id, let task): interactors[id]?.tasks[task]?.hasStarted = true
    case .taskCancelled(let id, let task): interactors[id]?.tasks[task]?.isCancelled = true
    case .taskFinished(let id, let task): interactors[id]?.tasks[task] = nil
    case .routerCreated(let id, let name, let lifecycle):
      nodes[id] = Node(name: unique(name), number: next(), lifecycle: lifecycle)
      interactors[lifecycle]?.router = id
    case .routerDeinit(let id): remove(id)
    case .loadBegan(let id):
      nodes[id]?.loads += 1
      nodes[id]?.isLoading = true
    case .loadEnded(let id): nodes[id]?.isLoading = false
    case .attached(let child, let parent):
      nodes[child]?.parent = parent
      nodes[parent]?.children.append(child)
    case .detached(let child, let parent):
      if nodes[child]?.parent == parent { nodes[child]?.parent = nil }
      nodes[parent]?.children.removeAll { $0 == child }
    case .taskRefused, .attachRequested, .attachReturned, .detachRequested, .detachReturned, .misuse: break
    }
  }

  private mutating func remove(_ id: ID) {
    guard let node = nodes.removeValue(forKey: id) else { return }
    if let parent = node.parent { nodes[parent]?.children.removeAll { $0 == id } }
    for child in node.children where nodes[child]?.parent == id { nodes[child]?.parent = nil }
    interactors[node.lifecycle]?.router = nil
  }

  private mutating func next() -> Int {
    created += 1
    return created
  }

  /// The name, with a number behind it from the second of that name on.
  private mutating func unique(_ name: String) -> String {
    namesakes[name, default: 0] += 1
    let count = namesakes[name, default: 1]
    return count == 1 ? name : "\(name) #\(count)"
  }
}
