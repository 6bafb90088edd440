// SPDX-License-Identifier: Apache-2.0

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
  private func chain(from router: ID, _ holds: (Node) -> Bool) -> Bool {
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
