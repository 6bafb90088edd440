// SPDX-License-Identifier: Apache-2.0
public import Napkin
public import Testing

/// Expects that a tree is as drawn; the issue shows both trees, and marks the lines that differ.
///
///     await basket.interactor.didTapCheckout()
///     await expectTree(of: basket.router, is: """
///       BasketRouter (active, 1 bound task)
///       └─ CheckoutRouterMock (active)
///       """)
///
/// It waits up to a second for transitions to finish, of virtual time in an exploration. Where one goes on, and the tree is
/// not the expected one, that is the issue. The tree shows every attach, detach, activation and
/// deactivation of an action, intended or not.
///
/// - Parameters:
///   - root: The root of the tree to compare.
///   - expected: The drawing, a line a napkin, as `TreeObserver.Snapshot` describes itself.
///   - sourceLocation: Where the issue is reported, this call by default.
/// - Returns: Whether both are equal.
@MainActor
@discardableResult
public func expectTree(
  of root: any Routing, is expected: String, sourceLocation: SourceLocation = #_sourceLocation
) async -> Bool {
  let isAtRest = await comesToRest(root)
  let actual = TreeObserver.Snapshot(of: root).description
  guard actual != expected else { return true }
  guard isAtRest else { return recordUnrest(of: root, at: sourceLocation) }
  let (expectedLines, actualLines) = (lines(of: expected), lines(of: actual))
  let difference = actualLines.difference(from: expectedLines)
  return recordUnmet(
    """
    The tree of \(type(of: root)) is not the expected one.
    expected:
    \(marked(expectedLines, at: difference.removals))
    is:
    \(marked(actualLines, at: difference.insertions))
    """,
    likelyCause: "a routing method was not called or not awaited, or it attached or detached another router.",
    suggestion: "await what changes the tree, or paste the second tree where it is right.", at: sourceLocation)
}

private func lines(of tree: String) -> [Substring] { tree.split(separator: "\n", omittingEmptySubsequences: false) }

private func marked(_ lines: [Substring], at changes: [CollectionDifference<Substring>.Change]) -> String {
  let offsets = changes.map { change in
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
  return lines.enumerated().map { (offsets.contains($0) ? "✘ " : "  ") + $1 }.joined(separator: "\n")
}
