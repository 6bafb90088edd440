// SPDX-License-Identifier: Apache-2.0

/// What every `Router` has in common, whatever its interactor's type.
///
/// A test kit's mock is one too, so that it keeps the contract without being a `Router`.
@MainActor
package protocol NodeOwner: Routing {
  /// Does what the router is asked to.
  var node: RouterNode { get }

  /// Called once, after the first activation.
  func didLoad() async
}

/// One node of the tree, of a `Router` or of another `Routing` while a router is its parent.
///
/// A child's node refers to its parent's and a lifecycle to its node; these cycles end with the `Router`, which nothing
/// in them keeps alive and whose `deinit` breaks them.
///
/// What every call touches is `@exclusivity(unchecked)`: all of it happens on the main actor, no access lasts while other
/// code runs, and looking whether one does costs a tenth of an attach.
@MainActor
package final class RouterNode {
  struct Marks: OptionSet {
    let rawValue: UInt8
    /// While this node slept, something below was activated on its own, or has yet to resign.
    static let hasStirredBelow = Marks(rawValue: 2)
    static let isLoading = Marks(rawValue: 4)
    static let isLoaded = Marks(rawValue: 8)
    /// It belongs to another routing than a `Router`, which alone knows what stands below it.
    static let isForeign = Marks(rawValue: 16)
    static let joinedAwake = Marks(rawValue: 32)
  }

  /// The interactor of this node.
  package let interactable: any Interactable
  let type: Any.Type
  var id: ObjectIdentifier?
  /// The attached children, in the order in which they were attached.
  @exclusivity(unchecked) package internal(set) var children: [any Routing] = []
  @exclusivity(unchecked) var placement = Placement<RouterNode>()
  @exclusivity(unchecked) var marks: Marks = []
  /// What a node needs only while somebody waits.
  @exclusivity(unchecked) var traffic: RouterTraffic?

  /// Makes the node of a router that is being made itself; `begin(of:)` follows, and `end()` with the router's `deinit`.
  package init(interactable: any Interactable, type: Any.Type) {
    self.interactable = interactable
    self.type = type
  }

  var lifecycle: InteractorLifecycle { interactable.lifecycle }

  func withTraffic<R>(_ body: (RouterTraffic) -> R) -> R {
    let traffic = self.traffic ?? RouterTraffic()
    self.traffic = traffic
    return body(traffic)
  }

  /// The nodes of the routings that are no `Router` and stand under one, or are on their way.
  private static var foreign: [ObjectIdentifier: RouterNode] = [:]

  /// The node of a router; of another routing, while a router is its parent.
  static func known(of routing: any Routing) -> RouterNode? {
    if let owner = routing as? any NodeOwner { return owner.node }
    return foreign.isEmpty ? nil : foreign[ObjectIdentifier(routing)]
  }

  /// The node of any routing; another routing than a `Router` is entered until `forgetForeign()`.
  static func of(_ routing: any Routing) -> RouterNode {
    if let node = known(of: routing) { return node }
    let node = RouterNode(interactable: routing.interactable, type: Swift.type(of: routing))
    node.id = ObjectIdentifier(routing)
    node.marks = .isForeign
    foreign[ObjectIdentifier(routing)] = node
    node.lifecycle.connect(to: node)
    return node
  }

  /// Drops the entry of a routing that no router has to do with any more.
  func forgetForeign() {
    guard marks.contains(.isForeign), let id, Self.foreign[id] === self else { return }
    Self.foreign[id] = nil
    lifecycle.disconnect(from: self)
  }

  /// True if one of these lifecycles belongs to this node or to one below it: their callbacks must not wait for it.
  ///
  /// What is on its way here counts, too, unless it has to wait for somebody's departure first: whoever is inside that
  /// callback may have to see the departure through (T4).
  func encloses(_ lifecycles: [InteractorLifecycle]) -> Bool {
    var visited: Set<ObjectIdentifier> = []
    for lifecycle in lifecycles {
      if lifecycle === self.lifecycle { return true }
      var next = lifecycle.node
      while let node = next, visited.insert(ObjectIdentifier(node)).inserted {
        if node === self { return true }
        next = node.placement.parent ?? node.nextParent
      }
    }
    return false
  }

  /// Where it is about to stand; nil if it joins only once somebody on that path has left, and so has left the path.
  private var nextParent: RouterNode? {
    guard let wanted = placement.wanted, departing(between: wanted) == nil else { return nil }
    return wanted
  }

  /// True if the caller is inside a callback of this node or of one below it.
  var enclosesCaller: Bool {
    guard let token = CallbackToken.current else { return false }
    // A leaf at rest has no callback that could be waiting, which spares the search.
    if children.isEmpty, !marks.contains(.isForeign), !marks.contains(.isLoading), !placement.isMoving,
      !lifecycle.isInTransition
    {
      return false
    }
    let running = token.running
    return !running.isEmpty && encloses(running)
  }

  /// This interactor is active under sleepers, so none of them may be taken for quiet.
  func hasStirred() {
    var next = placement.parent
    while let node = next, !node.marks.contains(.hasStirredBelow) {
      node.marks.insert(.hasStirredBelow)
      next = node.placement.parent
    }
  }
}
