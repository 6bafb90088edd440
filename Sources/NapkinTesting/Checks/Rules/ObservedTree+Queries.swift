// SPDX-License-Identifier: Apache-2.0

package import Napkin

extension ObservedTree {
  /// The living interactors in the order in which they were made.
  package var livingInteractors: [Interactor] { interactors.values.sorted { $0.number < $1.number } }

  /// The violations of the living interactors, in the order in which they were made.
  ///
  /// Mostly there is none, so the interactors are sorted only when one is found.
  package func ofInteractors(_ look: (Interactor) -> [String]) -> [String] {
    var found: [(number: Int, lines: [String])] = []
    for interactor in interactors.values {
      let lines = look(interactor)
      if !lines.isEmpty { found.append((interactor.number, lines)) }
    }
    return found.sorted { $0.number < $1.number }.flatMap(\.lines)
  }

  /// The violations of the living routers, in the order in which they were made.
  package func ofNodes(_ look: (ID, Node) -> String?) -> [String] {
    nodes.compactMap { id, node in look(id, node).map { (node.number, $0) } }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The living routers in the order in which they were made.
  package var livingNodes: [(id: ID, node: Node)] {
    nodes.map { (id: $0.key, node: $0.value) }.sorted { $0.node.number < $1.node.number }
  }

  /// The routers that live, and the interactors that are left without one.
  package var leftovers: [(id: ID, name: String)] {
    let lone = interactors.filter { $0.value.router == nil }.sorted { $0.value.number < $1.value.number }
    return livingNodes.map { ($0.id, $0.node.name) } + lone.map { ($0.key, $0.value.name) }
  }

  /// Whether an event is about an object that was made in this execution, wherever it is now.
  package func concerns(_ event: LifecycleEvent) -> Bool {
    switch event {
    case .lifecycleCreated, .routerCreated: true
    case .misuse(let misuse): misuse.child.map { nodes[$0] != nil } ?? true
    case .orphanFinished(let scope, _): orphans[scope] != nil
    default: event.subject.map { interactors[$0] != nil || nodes[$0] != nil } ?? false
    }
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

  /// Whether the last direct call about an interactor may have activated it; of several, another may have been the last.
  package func mayHaveBeenActivated(_ interactor: Interactor) -> Bool {
    isExact ? interactor.directlyRequestedState == true : interactor.wasAskedDirectly
  }

  /// Whether the last call about an interactor was certainly one of the tree's own, or there was none.
  package func isTheTreesOwn(_ interactor: Interactor) -> Bool {
    isExact ? interactor.directlyRequestedState == nil : !interactor.wasAskedDirectly
  }

  /// Whether the number of a bound task certainly means one of this lifecycle, not of another that is released.
  package func ownsItsTasks(_ interactor: Interactor) -> Bool { isExact || !interactor.isIdentityUsedAgain }

  /// The first of a subtree that is active, or has a callback that runs; a node that was activated directly, or is active
  /// for that reason alone, is left out, and so is one that still carries out a direct request.
  package func firstActive(below id: ID) -> Interactor? {
    var pending = [id]
    // A cycle violates another rule; this loop has to end all the same.
    for _ in 0...nodes.count {
      guard let next = pending.popLast(), let node = nodes[next], let own = interactors[node.lifecycle] else {
        continue
      }
      if own.isActive, mayHaveBeenActivated(own) { continue }
      if own.isActive, own.directlyRequestedState != nil, !own.calls.areLeftAlone { continue }
      if own.isActive || own.callback != nil { return own }
      pending.append(contentsOf: node.children.reversed())
    }
    return nil
  }
}
