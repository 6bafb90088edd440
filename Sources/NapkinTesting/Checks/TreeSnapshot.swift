// SPDX-License-Identifier: Apache-2.0
public import Napkin

/// A tree of routers at one moment, to be printed or compared with a literal.
///
///     #expect(await TreeSnapshot(of: root) == """
///       RootRouter (active)
///       ├─ HomeRouter (active, 1 bound task)
///       │  └─ ProfileRouter (inactive)
///       └─ FeedRouter (active)
///       """)
///
/// It visits each router and each interactor. Take it when the tree is idle, since nothing is locked meanwhile.
public struct TreeSnapshot: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The tree, a line a router.
  public let description: String

  /// Makes a snapshot of a router and everything below it.
  @MainActor
  public init(of root: any Routing) async {
    description = TreeObserver.Snapshot(of: root).description
  }

  /// Makes the snapshot that a literal shows.
  public init(stringLiteral value: String) {
    description = value
  }
}
