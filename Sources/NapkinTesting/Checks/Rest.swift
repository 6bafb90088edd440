// SPDX-License-Identifier: Apache-2.0
internal import Napkin
internal import Testing

/// Waits up to a second for the transitions of a tree to finish, and reports those that go on.
///
/// In the middle of one, a tree may break what holds of it at rest.
///
/// - Returns: Whether the tree is at rest.
@MainActor
func awaitRest(of root: any Routing, sourceLocation: SourceLocation) async -> Bool {
  var isAtRest = await eventually(within: .seconds(1)) { isIdle(root) }
  if !isAtRest, let scope = CurrentExecution.scope, scope.isSimulated {
    await scope.letTimePass(seconds: 1)
    isAtRest = await eventually(within: .seconds(1)) { isIdle(root) }
  }
  if isAtRest { return true }
  let running = Tree(root).runningCallbacks
  let happening =
    running.isEmpty ? "a router is being attached or detached" : "\(running.joined(separator: " and ")) is running"
  return recordUnmet(
    "The tree of \(type(of: root)) is not at rest: \(happening).\n\(TreeObserver.Snapshot(of: root))",
    likelyCause: "the callback takes longer than this waits, or it waits for what the test does only afterwards.",
    suggestion: """
      let it end before the tree is looked at: await what has started it, or open the gate that it waits at.
      """,
    at: sourceLocation)
}

/// Whether no router of a tree, and no interactor, is in the middle of a transition.
@MainActor
func isIdle(_ root: any Routing) -> Bool {
  Tree(root).nodes.allSatisfy { RouterNode.isAtRest($0.router) && !$0.lifecycle.isInTransition }
}

extension Tree {
  /// The callbacks that are running, such as `HomeInteractor.didBecomeActive()`, in the order of the tree.
  fileprivate var runningCallbacks: [String] {
    nodes.filter { !$0.isRepeated }.flatMap { node in
      [
        node.lifecycle.callback.map { "\(type(of: node.router.interactable)).\($0)" },
        RouterNode.isLoading(node.router) ? "\(node.name).didLoad()" : nil,
      ].compactMap(\.self)
    }
  }
}
