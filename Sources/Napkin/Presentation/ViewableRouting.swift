// SPDX-License-Identifier: Apache-2.0

/// A node of the tree that has a view.
@MainActor
public protocol ViewableRouting: Routing {
  /// The view, which a parent's router presents, pushes or embeds.
  var viewControllable: any ViewControllable { get }
}
