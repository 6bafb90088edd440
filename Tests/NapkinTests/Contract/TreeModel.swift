// SPDX-License-Identifier: Apache-2.0

/// What the calls about a tree come to if each takes effect at once, in the order in which they arrive.
struct TreeModel {
  /// The number of each node's parent; node 0 is the root, and the only one that is activated by hand.
  private(set) var parents: [Int?]
  private(set) var calls: [Int]

  init(nodes: Int) {
    parents = Array(repeating: nil, count: nodes)
    calls = Array(repeating: 0, count: nodes)
  }

  /// False if the call is misuse (T2), which changes nothing.
  mutating func attach(_ child: Int, under parent: Int) -> Bool {
    guard parents[child] == nil, child != parent, !path(from: parent).contains(child) else { return false }
    parents[child] = parent
    calls[child] += 1
    return true
  }

  /// A node that is not this parent's child is left alone (T3).
  mutating func detach(_ child: Int, from parent: Int) {
    guard parents[child] == parent else { return }
    parents[child] = nil
    calls[child] += 1
  }

  /// The node and all above it.
  func path(from node: Int) -> [Int] {
    var path = [node]
    while let parent = parents[path[path.count - 1]] { path.append(parent) }
    return path
  }

  func isUnderRoot(_ node: Int) -> Bool { path(from: node).last == 0 }
}
