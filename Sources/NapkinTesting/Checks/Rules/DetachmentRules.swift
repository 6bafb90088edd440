// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// T4 to T10: a router leaves its parent, a subtree is deactivated, and the tree is released.
extension RuleCheck {
  /// Judges a subtree that one call, or the end of one parent, deactivates.
  ///
  /// Another call meanwhile may activate a part of it again, and takes precedence. A node with a request
  /// of its own is outside the order, and so is, among siblings, one whose activation was still running and is cut short
  /// (L5), or one below which a call goes on: an attach in a callback waits for it, and no callback waits for a sibling.
  static func resignationOrder() -> RuleCheck {
    /// The children of a deactivated parent, in the order of attachment.
    var orphanedSiblings: [ObservedTree.ID: [ObservedTree.Node]] = [:]
    return RuleCheck(.resignationOrder) { event, tree in
      switch event {
      case .willResignActiveBegan(let id): return outOfOrder(id, orphanedSiblings, tree)
      case .routerDeinit(let id):
        orphanedSiblings[id] = nil
        guard let node = tree.nodes[id], node.children.count > 1 else { return nil }
        let siblings = node.children.compactMap { tree.nodes[$0] }
        for child in node.children { orphanedSiblings[child] = siblings }
      case .attached(let child, _):
        guard orphanedSiblings.removeValue(forKey: child) != nil else { return nil }
        for id in orphanedSiblings.keys { orphanedSiblings[id]?.removeAll { $0 === tree.nodes[child] } }
      default: break
      }
      return nil
    }
  }

  private static func outOfOrder(
    _ id: ObservedTree.ID, _ orphanedSiblings: [ObservedTree.ID: [ObservedTree.Node]], _ tree: ObservedTree
  ) -> String? {
    // Not certain: the end of a resignation may be recorded after the beginning of the next.
    guard tree.isExact, let interactor = tree.interactors[id], let router = interactor.router,
      let node = tree.nodes[router], tree.hasOneReason(router)
    else { return nil }
    let children = node.children.compactMap { tree.nodes[$0] }
    if let below = lastActive(of: children, tree) {
      return "willResignActive() of \(interactor.name) began while \(below.name) below it was active."
    }
    guard interactor.wasAskedAtRest, interactor.lastDirectRequest == nil,
      let later = lastActive(of: siblings(after: router, node, orphanedSiblings, tree), tree),
      tree.subtree(of: router).allSatisfy({ tree.nodes[$0].map(tree.isLeftAlone) != false })
    else { return nil }
    return "willResignActive() of \(interactor.name) began before that of \(later.name), which was attached after it."
  }

  /// A direct activation takes precedence, wherever the node is.
  private static func lastActive(
    of nodes: some BidirectionalCollection<ObservedTree.Node>, _ tree: ObservedTree
  ) -> ObservedTree.Interactor? {
    for node in nodes.reversed() {
      if let own = tree.interactors[node.lifecycle], own.isActive, own.directlyRequestedState != true,
        !own.isAskedByBoth,
        tree.isLeftAlone(node)
      {
        return own
      }
    }
    return nil
  }

  private static func siblings(
    after router: ObservedTree.ID, _ node: ObservedTree.Node,
    _ orphanedSiblings: [ObservedTree.ID: [ObservedTree.Node]],
    _ tree: ObservedTree
  ) -> [ObservedTree.Node] {
    if let parent = node.parent {
      let all = tree.nodes[parent]?.children ?? []
      return all.drop { $0 != router }.dropFirst().compactMap { tree.nodes[$0] }
    }
    // An identity may be another's by now, a node is itself.
    return (orphanedSiblings[router] ?? []).drop { $0 !== node }.dropFirst().filter { sibling in
      sibling.parent == nil && tree.interactors[sibling.lifecycle]?.router.map { tree.nodes[$0] === sibling } == true
    }
  }

  /// An interactor that is activated directly meanwhile, or joins the subtree later, even before the detach returns, belongs to
  /// another call.
  static var detachment: RuleCheck {
    RuleCheck(.detachment) { event, tree in
      guard case .detached(let child, let parent) = event, tree.nodes[child]?.parent == parent else { return nil }
      return tree.firstActive(below: child).map {
        "\(tree.name(of: child)) has left \(tree.name(of: parent)), and \($0.name) is still active."
      }
    }
  }

  /// A call from inside a callback promises nothing, and one that another call may have superseded is left out.
  static var detachReturn: RuleCheck {
    RuleCheck(.detachReturn) { event, tree in
      guard case .detachReturned(let child, let parent) = event, let node = tree.nodes[child],
        let call = node.calls.returning(.detach(from: parent)), call.hasEffect, !call.isInside
      else { return nil }
      let subtree = tree.subtree(of: child)
      guard !tree.isDisturbed(call, within: subtree) else { return nil }
      let name = "\(tree.name(of: parent)).detachChild(\(node.name))"
      if node.parent == parent { return "\(name) returned, and it is still in its children." }
      return tree.firstActive(below: child).map { "\(name) returned, and \($0.name) is still active." }
    }
  }

  /// This is the sequential model of a tree: the newest accepted call about a child decides.
  static var callOrder: RuleCheck {
    func place(_ parent: ObservedTree.ID?, _ tree: ObservedTree) -> String {
      parent.map { "is under \(tree.name(of: $0))" } ?? "is detached"
    }
    return RuleCheck(
      .callOrder,
      atRest: { tree in
        tree.ofNodes { id, node in
          let wanted = tree.wantedParent(of: id)
          guard wanted != node.parent else { return nil }
          return "\(node.name) \(place(node.parent, tree)), and by the order of the calls it \(place(wanted, tree))."
        }
      })
  }

  /// A router that never had a place may be a root of its own, and what lives without its router is not known to have had one.
  static func strayActivity() -> RuleCheck {
    /// The parents that routers have left, by their names.
    var left: [ObservedTree.ID: String] = [:]
    var stray: [String] = []
    return RuleCheck(
      .strayActivity,
      observe: { event, tree in
        switch event {
        case .detached(let child, let parent): left[child] = tree.name(of: parent)
        case .attached(let child, _), .routerCreated(let child, _, _), .routerDeinit(let child): left[child] = nil
        default: break
        }
        return nil
      },
      atRest: { tree in
        stray = tree.ofNodes { id, node in
          guard let parent = left[id], let own = tree.interactors[node.lifecycle], own.isActive, own.wasAskedDirectly
          else { return nil }
          return """
            \(own.name) is active in the end, and \(node.name) has left \(parent): a direct activate() has woken it, and \
            nothing deactivates it.
            """
        }
        return []
      },
      // The last rest was that of the tree whose root is inactive.
      atEnd: { _ in stray })
  }

  static var dormancy: RuleCheck {
    RuleCheck(
      .dormancy,
      atRest: { tree in
        tree.ofNodes { _, node in
          guard let parent = node.parent, let above = tree.interactor(ofRouter: parent), above.wasActive,
            !above.isActive, let own = tree.interactors[node.lifecycle], own.isActive,
            !tree.mayHaveBeenActivated(own)
          else { return nil }
          return "\(own.name) is active, and \(above.name) above it is not."
        }
      })
  }

  static var release: RuleCheck {
    RuleCheck(
      .release,
      atEnd: { $0.leaks.map(\.message) })
  }
}

extension ObservedTree {
  /// An object that was not released, in words, and what holds it, where that is known.
  package struct Leak: Sendable {
    let id: ID
    let name: String
    var holder: String?
    var message: String
  }

  /// The objects that were not released; without those that follow from another one, which would go with it.
  var leaks: [Leak] {
    if let knownLeaks { return knownLeaks }
    guard let holders else { return leftovers.map { Leak(id: $0, name: $1, message: "\($1) was never released.") } }
    let causes = leftovers.filter { isCause($0.id, holders) }
    let own = causes.filter { holders[$0.id]?.isAttachment != true }
    return (own.isEmpty ? causes.isEmpty ? leftovers : causes : own).map { id, name in
      let holder = holders[id]?.path
      let words = holder.map { "\($0) holds it" } ?? "no property of what is left holds it: a closure or task may"
      return Leak(id: id, name: name, holder: holder, message: "\(name) was never released: \(words).")
    }
  }

  /// Whether an object is held by itself, or by nothing that is known; else it goes with the one that holds it.
  private func isCause(_ id: ID, _ holders: [ID: RetainPathFinder.Holder]) -> Bool {
    var origin = holders[id]?.origin
    for _ in 0..<holders.count where origin != nil && origin != id { origin = holders[origin!]?.origin }
    return holders[id] == nil || origin == id
  }
}
