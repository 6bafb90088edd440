// SPDX-License-Identifier: Apache-2.0
public import Napkin
public import Testing

/// Expects that an idle tree keeps the rules of the contract that can be checked from outside.
///
/// Each router and each interactor has one position, every router is below its own parent, every child of an active
/// router is active and loaded, and nothing is active below a deactivated router.
///
///     await router.routeToProfile()
///     await expectInvariants(of: router)
///
/// A child that a direct `deactivate()` has put to sleep on purpose is an issue, too: compare such a tree with
/// ``expectTree(of:is:sourceLocation:)``.
///
/// It waits up to a second for transitions to finish, of virtual time in an exploration; one that goes on then is the issue.
///
/// - Parameters:
///   - root: The root of the tree to check.
///   - sourceLocation: Where the issue is reported, this call by default.
/// - Returns: Whether all rules are kept.
@MainActor
@discardableResult
public func expectInvariants(
  of root: any Routing,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> Bool {
  guard await comesToRest(root) else { return recordUnrest(of: root, at: sourceLocation) }
  let found = Tree(root).violations
  guard !found.isEmpty else { return true }
  let description = TreeObserver.Snapshot(of: root).description
  return recordUnmet(
    "\(found.joined(separator: "; ")).\n\(description)",
    likelyCause:
      "a router was attached twice or without `attachChild`, or an interactor was activated without its router.",
    suggestion: "move routers with `attachChild` and `detachChild` only, and await them; the contract has the rule.",
    at: sourceLocation)
}
