// SPDX-License-Identifier: Apache-2.0
public import Napkin
public import Testing

/// Expects that a tree at rest keeps those rules of the contract that can be seen from outside.
///
/// Each router and each interactor stands at one place, every router under the parent that it belongs to, every active
/// child is loaded, and nothing is active below what was deactivated.
///
///     await router.routeToProfile()
///     await expectInvariants(of: router)
///
/// A transition in flight is waited for, for up to a second of real time.
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
  _ = await settles(within: .seconds(1)) { isAtRest(root) }
  let found = breaches(in: root)
  guard !found.isEmpty else { return true }
  let description = await TreeSnapshot(of: root).description
  Diagnostic(
    .expectation,
    "\(found.joined(separator: "; ")).\n\(description)",
    likelyCause: "a router was attached twice or past `attachChild`, or an interactor was driven past its router.",
    suggestion: "let `attachChild` and `detachChild` do every move, and await them; see the contract for the rule."
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
