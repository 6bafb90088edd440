// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// T1 to T3 and M1: a router gets a parent and is loaded.
extension RuleCheck {
  static var loading: RuleCheck {
    RuleCheck(
      .loading,
      observe: { event, tree in
        guard case .loadBegan(let id) = event, let node = tree.nodes[id] else { return nil }
        if node.loads > 0 { return "\(node.name) was loaded a second time." }
        if let interactor = tree.interactors[node.lifecycle], node.parent != nil, !interactor.wasActive {
          return "\(node.name) was loaded before its interactor was ever active."
        }
        if node.parent != nil, node.wanted == nil {
          return "\(node.name) was loaded, though it had been detached before that."
        }
        return nil
      },
      atRest: { tree in
        tree.ofNodes { _, node in
          // A direct request to the interactor is not the tree's business.
          guard let parent = node.parent, let above = tree.interactor(ofRouter: parent), above.isActive,
            above.callback == nil, let own = tree.interactors[node.lifecycle], tree.isTheTreesOwn(own)
          else { return nil }
          let name = tree.name(of: parent)
          if !own.isActive { return "\(node.name) is under \(name), which is active, and \(own.name) is not active." }
          if node.isLoading { return nil }
          return node.loads == 0 ? "\(node.name) is under \(name), which is active, and was never loaded." : nil
        }
      })
  }

  /// A call from inside a callback promises nothing, and one that another call may have superseded is left out.
  static var attachReturn: RuleCheck {
    RuleCheck(.attachReturn) { event, tree in
      guard case .attachReturned(let child, let parent) = event, let node = tree.nodes[child],
        let call = node.calls.returning(.attach(to: parent)), call.hasEffect, !call.isInside,
        !tree.isDisturbed(call, at: child)
      else { return nil }
      return missing(node, parent, tree).map {
        "\(tree.name(of: parent)).attachChild(\(node.name)) returned, and \($0)."
      }
    }
  }

  /// The missing state of an attached child; below an inactive parent it has to be inactive.
  static func missing(
    _ node: ObservedTree.Node, _ parent: ObservedTree.ID, _ tree: ObservedTree
  ) -> String? {
    if node.parent != parent { return "it is not in its children" }
    guard let above = tree.interactor(ofRouter: parent), let own = tree.interactors[node.lifecycle] else { return nil }
    if !above.isActive {
      return above.wasActive && own.isActive ? "\(own.name) is active, while \(above.name) above it is not" : nil
    }
    if !own.isActive { return "\(own.name) is not active" }
    if let callback = own.callback { return "\(callback.rawValue) of \(own.name) is still running" }
    if node.isLoading { return "its didLoad() is still running" }
    return node.loads == 0 ? "it is not loaded" : nil
  }

  static var placement: RuleCheck {
    RuleCheck(.placement) { event, tree in
      guard case .attached(let child, let parent) = event, let node = tree.nodes[child] else { return nil }
      if node.parent == parent { return "\(node.name) is twice under \(tree.name(of: parent))." }
      if let other = node.parent {
        return "\(node.name) is under \(tree.name(of: other)) and under \(tree.name(of: parent))."
      }
      if tree.subtree(of: child).contains(parent) {
        return "\(node.name) was attached under \(tree.name(of: parent)), which is below it."
      }
      return nil
    }
  }

  /// If anything else is under way that may deactivate the router, there is no verdict.
  static var detachOfNonChild: RuleCheck {
    RuleCheck(.detachOfNonChild) { event, tree in
      guard case .detachReturned(let child, let parent) = event, let node = tree.nodes[child],
        let call = node.calls.returning(.detach(from: parent)), !call.hasEffect,
        let interactor = tree.interactors[node.lifecycle], interactor.transitions != call.transitions,
        tree.hasNoCalls(at: child, since: call)
      else { return nil }
      let name = "\(tree.name(of: parent)).detachChild(\(node.name))"
      return
        "\(name) was called, though it is no child there, and \(interactor.name) \(interactor.isActive ? "became active" : "was deactivated")."
    }
  }

  /// An action that began when the router was in its place may come late: that is left alone.
  ///
  /// So is a child that is woken after all, or detached again.
  static func staleParent() -> RuleCheck {
    /// The moments at which routers left.
    var leavings: [ObservedTree.ID: Int] = [:]
    var stale: [ObservedTree.ID: String] = [:]
    /// The violations of children that are released.
    var found: [String] = []
    return RuleCheck(
      .staleParent,
      observe: { event, tree in
        switch event {
        case .detached(let child, _), .passedOver(let child): leavings[child] = tree.eventCount
        case .attached(let child, _), .routerCreated(let child, _, _): leavings[child] = nil
        case .attachRequested(let child, let parent):
          guard let action = tree.action, let node = tree.nodes[child], tree.mayJoin(child, parent),
            tree.leftBefore(action.begin, from: parent, leavings)
          else { break }
          stale[child] = """
            \(node.name) was attached under \(tree.name(of: parent)), which had left its place before "\(action.title)" began, \
            and was never woken.
            """
        case .detachRequested(let child, _): stale[child] = nil
        case .activated(let id): tree.interactors[id]?.router.map { stale[$0] = nil }
        case .routerDeinit(let id): stale.removeValue(forKey: id).map { found.append($0) }
        default: break
        }
        return nil
      },
      atEnd: { tree in found + tree.ofNodes { id, _ in stale[id] } })
  }

  /// An attach that breaks T2 is reported before it returns.
  static func misuseReport() -> RuleCheck {
    var reportsOfCallsUnderWay = 0
    return RuleCheck(.misuseReport) { event, tree in
      switch event {
      case .misuse(let misuse) where misuse.rule == "T2": reportsOfCallsUnderWay += 1
      case .attachReturned(let child, let parent):
        guard let node = tree.nodes[child],
          let call = node.calls.returning(.attach(to: parent)), !call.hasEffect
        else { return nil }
        if reportsOfCallsUnderWay == 0 {
          return "\(tree.name(of: parent)).attachChild(\(node.name)) was misuse, and was not reported."
        }
        reportsOfCallsUnderWay -= 1
      default: break
      }
      return nil
    }
  }
}
