// SPDX-License-Identifier: Apache-2.0

extension TreeObserver {
  /// A tree of napkins at one moment.
  public struct Snapshot: Sendable, Hashable, CustomStringConvertible {
    /// One napkin of the tree.
    public struct Node: Sendable, Hashable {
      /// The name of the router's type.
      public let name: String
      /// Whether the interactor is active.
      public let isActive: Bool
      /// The number of bound tasks and workers that have neither ended nor been cancelled.
      public let boundTasks: Int
      /// The number of ancestors; 0 for the root.
      public let depth: Int
      /// The index of the parent in ``TreeObserver/Snapshot/nodes``; nil for the root.
      public let parent: Int?
      /// Whether the same router is at an earlier place too, so that its children are left out here.
      public let isRepeated: Bool
      var isLast = true
    }

    /// The napkins, each before its children, in the order of their attachment.
    public let nodes: [Node]

    /// The tree as text, a line a napkin.
    ///
    ///     RootRouter (active)
    ///     ├─ HomeRouter (active, 1 bound task)
    ///     │  └─ ProfileRouter (inactive)
    ///     └─ FeedRouter (active)
    public var description: String { nodes.indices.map { prefix($0) + label($0, " (") + ")" }.joined(separator: "\n") }

    /// The tree as a Mermaid flowchart, which GitHub shows as a picture.
    public var mermaid: String {
      var lines = ["flowchart TD"]
      for index in nodes.indices {
        lines.append("  N\(index)[\"\(label(index, "<br/>"))\"]\(nodes[index].isActive ? "" : ":::inactive")")
      }
      for (index, node) in nodes.enumerated() {
        if let parent = node.parent { lines.append("  N\(parent) --> N\(index)") }
      }
      lines.append("  classDef inactive stroke-dasharray: 4 4")
      return lines.joined(separator: "\n")
    }

    private func label(_ index: Int, _ separator: String) -> String {
      let node = nodes[index]
      if node.isRepeated { return "\(node.name)\(separator)shown above" }
      let tasks = node.boundTasks == 0 ? "" : ", \(node.boundTasks) bound task\(node.boundTasks == 1 ? "" : "s")"
      return "\(node.name)\(separator)\(node.isActive ? "active" : "inactive")\(tasks)"
    }

    private func prefix(_ index: Int) -> String {
      guard var ancestor = nodes[index].parent else { return "" }
      var prefix = nodes[index].isLast ? "└─ " : "├─ "
      while let above = nodes[ancestor].parent {
        prefix = (nodes[ancestor].isLast ? "   " : "│  ") + prefix
        ancestor = above
      }
      return prefix
    }
  }
}

extension TreeObserver.Snapshot {
  /// Makes a snapshot without an observer.
  ///
  /// It visits each router on the main actor, and looks at each interactor's state under a lock. It costs time in
  /// proportion to the tree.
  @MainActor
  public init(of root: any Routing) { self = TreeWalk(root).picture }
}

/// A root and everything below it; without recursion, since chains may be deep.
@MainActor
struct TreeWalk {
  private(set) var routers: [any Routing] = []
  let picture: TreeObserver.Snapshot

  init(_ root: any Routing) {
    var nodes: [TreeObserver.Snapshot.Node] = []
    var seen: Set<ObjectIdentifier> = []
    var pending: [(router: any Routing, depth: Int, parent: Int?, isLast: Bool)] = [(root, 0, nil, true)]
    while let (router, depth, parent, isLast) = pending.popLast() {
      let isNew = seen.insert(ObjectIdentifier(router)).inserted
      let state = router.interactable.lifecycle.inspection
      let index = nodes.count
      nodes.append(
        TreeObserver.Snapshot.Node(
          name: "\(type(of: router))", isActive: state.isActive, boundTasks: state.boundTasks, depth: depth,
          parent: parent, isRepeated: !isNew, isLast: isLast))
      guard isNew else { continue }
      routers.append(router)
      let children = router.children
      for (place, child) in children.enumerated().reversed() {
        pending.append((child, depth + 1, index, place == children.count - 1))
      }
    }
    picture = TreeObserver.Snapshot(nodes: nodes)
  }
}
