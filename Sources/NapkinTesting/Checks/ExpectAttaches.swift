// SPDX-License-Identifier: Apache-2.0
public import Napkin
public import Testing

/// Expects that an action attaches `count` children to a router and detaches none; returns the attached ones.
///
///     let children = await expectAttaches(to: router) { await interactor.didTapProfile() }
@MainActor
@discardableResult
public func expectAttaches(
  _ count: Int = 1,
  to router: any Routing,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ action: () async throws -> Void
) async rethrows -> [any Routing] {
  let before = router.children
  try await action()
  let attached = router.children.filter { child in !before.contains { $0 === child } }
  let detached = before.filter { child in !router.children.contains { $0 === child } }
  if attached.count == count, detached.isEmpty { return attached }
  Diagnostic(
    .expectation,
    """
    \(count) child\(count == 1 ? "" : "ren") of \(type(of: router)) \(count == 1 ? "was" : "were") expected to be \
    attached; attached: \(names(attached)); detached: \(names(detached)).
    """,
    likelyCause: "a guard let the action through twice or not at all, or the attach is not awaited.",
    suggestion: "await `attachChild` in the routing method, and take the child's slot before the first suspension."
  ).record(at: sourceLocation)
  return attached
}

/// Expects that an action detaches one child from a router, and that the child and everything below it is inactive.
///
///     await expectDetaches(profile, from: router) { await interactor.profileDidFinish() }
@MainActor
@discardableResult
public func expectDetaches(
  _ child: any Routing,
  from router: any Routing,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ action: () async throws -> Void
) async rethrows -> Bool {
  guard router.children.contains(where: { $0 === child }) else {
    Diagnostic(
      .expectation,
      "\(type(of: child)) is not a child of \(type(of: router)) before the action that is expected to detach it.",
      likelyCause: "it was never attached, or an earlier action detached it.",
      suggestion: "attach it first, or check another child."
    ).record(at: sourceLocation)
    return false
  }
  let others = router.children.filter { $0 !== child }
  try await action()
  let remaining = router.children
  let lost = others.filter { other in !remaining.contains { $0 === other } }
  let isAttached = remaining.contains { $0 === child }
  let active = Tree(child).nodes.filter(\.lifecycle.isActive).map(\.name)
  if !isAttached, lost.isEmpty, active.isEmpty { return true }
  var violations: [String] = []
  if isAttached { violations.append("\(type(of: child)) is still a child of \(type(of: router))") }
  if !lost.isEmpty { violations.append("also detached: \(names(lost))") }
  if !active.isEmpty { violations.append("\(active.listed()) stayed active") }
  Diagnostic(
    .expectation,
    "After the action that was expected to detach \(type(of: child)): \(violations.joined(separator: "; ")).",
    likelyCause: "the routing method keeps another router than the one it attached, or the detach is not awaited.",
    suggestion: "await `detachChild` with the router that was attached, and look at `TreeSnapshot(of: root)`."
  ).record(at: sourceLocation)
  return false
}

@MainActor
private func names(_ routers: [any Routing]) -> String {
  routers.map { String(describing: type(of: $0)) }.listed()
}
