// SPDX-License-Identifier: Apache-2.0
public import Napkin
public import Testing

/// Expects that a tree keeps the rules that can be seen from outside: each router and each interactor at one place, every
/// active child loaded, nothing active below what was deactivated, no bound work outside its scope.
///
///     await router.routeToProfile()
///     await expectInvariants(of: router)
///
/// Call it when the tree is at rest: a transition in flight is waited for, for up to a second of real time.
///
/// - Parameters:
///   - root: Where to begin; everything below it is looked at.
///   - sourceLocation: Where the issue is reported, this call by default.
/// - Returns: True if all rules are kept.
@MainActor
@discardableResult
public func expectInvariants(
  of root: any Routing,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> Bool {
  // Cancelled work may take some turns to end; the rest does not change by itself.
  _ = await settles(within: .seconds(1)) { breaches(in: root).isEmpty && isAtRest(root) }
  let found = breaches(in: root)
  guard !found.isEmpty else { return true }
  let description = await TreeSnapshot(of: root).description
  Complaint(
    "\(found.joined(separator: "; ")).\n\(description)",
    likely: "a router was attached twice or past `attachChild`, or an interactor was driven past its router.",
    remedy: "let `attachChild` and `detachChild` do every move, and await them; see the contract for the rule."
  ).record(at: sourceLocation)
  return false
}

@MainActor
private func breaches(in root: any Routing) -> [String] {
  let tree = Tree(root)
  return TreeInvariant.all.flatMap { invariant in
    invariant.breaches(tree).map { "\($0) (\(invariant.rule))" }
  }
}

@MainActor
private func isAtRest(_ root: any Routing) -> Bool {
  Tree(root).nodes.allSatisfy { RouterNode.isAtRest($0.router) && !$0.lifecycle.isInTransition }
}
