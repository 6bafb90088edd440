// SPDX-License-Identifier: Apache-2.0
package import Napkin

/// The routers at and below a root as they stood at one moment, each met once, parents before children.
@MainActor
package struct Tree {
  /// One place in the tree.
  package struct Node {
    package let router: any Routing
    package let name: String
    package let depth: Int
    package let parent: Int?
    package var children: [Int] = []
    package var lifecycle: LifecycleInspection
    /// The router stands here, and has been met at another place before: a cycle, or a second parent.
    package var isRepeated = false
  }

  /// The places, in the order of a walk from the root, each subtree as a whole.
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
