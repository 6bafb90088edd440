// SPDX-License-Identifier: Apache-2.0

/// One node of the tree of napkins: it owns an interactor and the children that are attached to it.
@MainActor
public protocol Routing: AnyObject, Sendable {
  /// The interactor of this node.
  var interactable: any Interactable { get }

  /// The attached children, in the order in which they were attached.
  var children: [any Routing] { get }

  /// Runs `didLoad()` unless it has run already.
  func load() async

  /// Returns once `didLoad()` has completed, or the waiting task is cancelled.
  func loaded() async

  /// Adds a child, activates its interactor and loads it.
  func attachChild(_ child: any Routing) async

  /// Deactivates a child's whole subtree, deepest first, and removes the child.
  func detachChild(_ child: any Routing) async
}
