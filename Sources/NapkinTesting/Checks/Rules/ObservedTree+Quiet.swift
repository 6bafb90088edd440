// SPDX-License-Identifier: Apache-2.0

/// Which requests can have caused an event: monitors that judge an order or a cause ask here first.
extension ObservedTree {
  /// Whether no request was made about a router, or about one above it, since a call was made.
  package func isQuiet(at router: ID, since call: Call) -> Bool {
    chain(from: router) { node in
      node.calls.areQuiet(since: call.moment)
        && interactors[node.lifecycle]?.calls.areQuiet(since: call.moment) != false
    }
  }

  /// Whether there is no request about a router itself, except that its parent was deactivated.
  package func isLeftAlone(_ node: Node) -> Bool {
    node.calls.areLeftAlone && interactors[node.lifecycle]?.calls.areLeftAlone != false
  }

  /// Whether a router resigns for what one call asks about it or about another above it, or since one above it has
  /// ended, and for no other reason; a call that wakes may supersede one that puts to sleep.
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
  private func chain(from router: ID, _ holds: (Node) -> Bool) -> Bool {
    var next: ID? = router
    // A circle is another monitor's business, and must not be one for this loop.
    for _ in 0...nodes.count {
      guard let id = next, let node = nodes[id] else { return true }
      guard holds(node) else { return false }
      next = node.parent
    }
    return false
  }
}
