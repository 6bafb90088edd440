// SPDX-License-Identifier: Apache-2.0
internal import Memory
internal import Napkin
internal import Sampling

/// A node's router, a class of its own as a feature's is.
final class GroveRouter: Router<Plain> {
  override func didLoad() async {}
}

/// A tree of a given number of nodes, three below each, under a root that is active.
@MainActor
final class Grove {
  private let top = Router(interactor: Plain())
  private var root: GroveRouter?
  private weak var last: GroveRouter?

  /// Bytes that were allocated for each node.
  private(set) var bytes = 0.0

  init() async { await top.interactor.activate() }

  /// Makes the nodes and attaches each.
  func build(_ count: Int) async {
    let before = napkin_allocated_bytes()
    var nodes: [GroveRouter] = []
    nodes.reserveCapacity(count)
    let first = GroveRouter(interactor: Plain())
    nodes.append(first)
    root = first
    await top.attachChild(first)
    var parent = 0
    while nodes.count < count {
      for _ in 0..<3 where nodes.count < count {
        let child = GroveRouter(interactor: Plain())
        await nodes[parent].attachChild(child)
        nodes.append(child)
      }
      parent += 1
    }
    last = nodes.last
    nodes = []
    bytes = Double(napkin_allocated_bytes() - before) / Double(count)
  }

  private func detach() async {
    guard let root else { return }
    await top.detachChild(root)
  }

  /// Detaches and releases the tree, and returns when its last node is deallocated.
  func tearDown() async {
    await detach()
    root = nil
    // What is deep goes in slices of its own.
    for _ in 0..<1_000_000 where last != nil { await Task.yield() }
    precondition(last == nil, "A tree without an owner was not released.")
  }
}
