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

  /// The routers that live, and the interactors that are left without one.
  package var leftovers: [(id: ID, name: String)] {
    let lone = interactors.filter { $0.value.router == nil }.sorted { $0.value.number < $1.value.number }
    return nodes.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.name) }
      + lone.map { ($0.key, $0.value.name) }
  }

  /// Whether an event is about an object that was made in this execution, wherever it is now.
  package func concerns(_ event: LifecycleEvent) -> Bool {
    switch event {
    case .lifecycleCreated, .routerCreated: true
    case .misuse(let misuse): misuse.child.map { nodes[$0] != nil } ?? true
    case .orphanFinished(let scope, _): orphans[scope] != nil
    case .slot(let step): nodes[step.parent] != nil || changingSlots.contains(step.slot)
    default: event.subject.map { interactors[$0] != nil || nodes[$0] != nil } ?? false
    }
  }

  /// Whether bound tasks have begun and not ended.
  var hasBoundTasks: Bool {
    interactors.values.contains { $0.tasks.contains { $0.value.hasStarted } }
      || orphans.values.contains { $0.tasks.contains { $0.value.hasStarted } }
  }

  package func name(of id: ID) -> String { interactors[id]?.name ?? nodes[id]?.name ?? "a router" }

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
    isExact ? interactor.directlyRequestedState == true || interactor.isAskedByBoth : interactor.wasAskedDirectly
  }

  /// Whether the last call about an interactor was certainly one of the tree's own, or there was none.
  package func isTheTreesOwn(_ interactor: Interactor) -> Bool {
    isExact ? interactor.directlyRequestedState == nil && !interactor.isAskedByBoth : !interactor.wasAskedDirectly
  }

  /// Whether the number of a bound task certainly means one of this lifecycle, not of another that is released.
  package func ownsItsTasks(_ interactor: Interactor) -> Bool { isExact || !interactor.isIdentityUsedAgain }

  /// Whether a router, or one above it, has left its place, and had by a moment.
  func leftBefore(_ moment: Int, from router: ID, _ leavings: [ID: Int]) -> Bool {
    var next: ID? = router
    return !chain(from: router) { node in
      defer { next = node.parent }
      return interactors[node.lifecycle]?.hasLeft != true || next.flatMap { leavings[$0] }.map { $0 > moment } ?? true
    }
  }

  /// Whether a router, or one above it, has left its place, and nothing from there down to it is active, where all is at
  /// rest.
  func hasLeftAtRest(_ router: ID) -> Bool {
    var hasLeft = false
    let isInactive = chain(from: router) { node in
      hasLeft = node.parent == nil && (node.mayLeave || interactors[node.lifecycle]?.hasLeft == true)
      return interactors[node.lifecycle]?.isActive != true
    }
    return isInactive && hasLeft
  }

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
      if own.isActive, own.directlyRequestedState != nil || own.isAskedByBoth, !own.calls.areLeftAlone { continue }
      if own.isActive || own.callback != nil { return own }
      pending.append(contentsOf: node.children.reversed())
    }
    return nil
  }
}

/// The requests that can have caused an event, for rules about an order or a cause.
extension ObservedTree {
  /// Whether no request was made about a router, or about one above it, since a call was made.
  package func hasNoCalls(at router: ID, since call: Call) -> Bool {
    chain(from: router) { node in
      node.calls.hasNone(since: call.moment)
        && interactors[node.lifecycle]?.calls.hasNone(since: call.moment) != false
    }
  }

  /// Whether there is no request about a router itself, except that its parent was deactivated.
  package func isLeftAlone(_ node: Node) -> Bool {
    node.calls.areLeftAlone && interactors[node.lifecycle]?.calls.areLeftAlone != false
  }

  /// Whether a router resigns for one reason alone: a single call about it or an ancestor, or the end of an ancestor.
  ///
  /// With several calls, an activation may supersede a deactivation.
  package func hasOneReason(_ router: ID) -> Bool {
    var reasons = 0
    let isKnown = chain(from: router) { node in
      guard let moving = node.calls.actors, let asking = interactors[node.lifecycle].map(\.calls.actors) ?? 0 else {
        return false
      }
      reasons += moving + asking
      return true
    }
    return isKnown && reasons == 1
  }

  /// Whether something holds of a router and all above it.
  func chain(from router: ID, _ holds: (Node) -> Bool) -> Bool {
    var next: ID? = router
    // A cycle violates another rule; this loop has to end all the same.
    for _ in 0...nodes.count {
      guard let id = next, let node = nodes[id] else { return true }
      guard holds(node) else { return false }
      next = node.parent
    }
    return false
  }
}
