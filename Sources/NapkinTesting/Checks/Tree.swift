// SPDX-License-Identifier: Apache-2.0
package import Napkin

/// A root and all routers below it at one moment, parents before children.
@MainActor
package struct Tree {
  /// A position in the tree.
  package struct Node {
    package let router: any Routing
    package let name: String
    package let depth: Int
    package let parent: Int?
    package var children: [Int] = []
    package var lifecycle: LifecycleInspection
    /// Whether the router is at an earlier position too: a cycle, or a second parent.
    package var isRepeated = false
  }

  /// The positions in depth-first order.
  package private(set) var nodes: [Node] = []

  /// Walks the tree without recursion, since chains may be deep.
  package init(_ root: any Routing) {
    var seen: Set<ObjectIdentifier> = []
    var pending: [(router: any Routing, depth: Int, parent: Int?)] = [(root, 0, nil)]
    while let (router, depth, parent) = pending.popLast() {
      let isNew = seen.insert(ObjectIdentifier(router)).inserted
      let index = nodes.count
      nodes.append(
        Node(
          router: router,
          name: String(describing: type(of: router)),
          depth: depth,
          parent: parent,
          lifecycle: router.interactable.lifecycle.inspection,
          isRepeated: !isNew
        )
      )
      if let parent { nodes[parent].children.append(index) }
      guard isNew else { continue }
      pending += router.children.reversed().map { ($0, depth + 1, index) }
    }
  }
}
