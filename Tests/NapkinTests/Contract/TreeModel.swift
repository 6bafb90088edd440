// SPDX-License-Identifier: Apache-2.0

/// The tree that calls come to if each takes effect at once, in the order in which they arrive.
struct TreeModel {
  /// The node that is activated and deactivated directly; it stands under the root for good.
  static let hub = 1

  /// From here on a node has no children; callbacks of others take it up.
  static let firstLeaf = 6
  static let count = 8

  /// The number of each node's parent; node 0 is the root.
  private(set) var parents: [Int?]
  private(set) var isHubDown = false

  /// The ways in which an attach is misuse (T2); the first that applies is reported.
  enum Mistake {
    case itself
    case attached(to: Int)
    case ancestor
  }

  /// How many calls changed something, for each node and in all.
  private(set) var calls: [Int]
  private(set) var allCalls = 0

  init() {
    parents = Array(repeating: nil, count: Self.count)
    calls = Array(repeating: 0, count: Self.count)
    parents[Self.hub] = 0
  }

  /// The mistake that makes the call misuse, which changes nothing.
  mutating func attach(_ child: Int, under parent: Int) -> Mistake? {
    if child == parent { return .itself }
    if let owner = parents[child] { return .attached(to: owner) }
    if path(from: parent).contains(child) { return .ancestor }
    parents[child] = parent
    count(child)
    return nil
  }

  /// A node that is not this parent's child is left alone (T3).
  mutating func detach(_ child: Int, from parent: Int) {
    guard parents[child] == parent else { return }
    parents[child] = nil
    count(child)
  }

  mutating func setHub(isDown: Bool) {
    isHubDown = isDown
    count(Self.hub)
  }

  private mutating func count(_ node: Int) {
    calls[node] += 1
    allCalls += 1
  }

  /// The node and all above it.
  func path(from node: Int) -> [Int] {
    var path = [node]
    while let parent = parents[path[path.count - 1]] { path.append(parent) }
    return path
  }

  func isUnderRoot(_ node: Int) -> Bool { path(from: node).last == 0 }

  /// Below the hub everything sleeps while that is down (T7).
  func isAwake(_ node: Int) -> Bool { isUnderRoot(node) && !(isHubDown && path(from: node).contains(Self.hub)) }
}
