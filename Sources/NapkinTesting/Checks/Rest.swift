// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import Testing

/// Waits up to a second for the transitions of a tree to finish; returns whether they have.
@MainActor
func comesToRest(_ root: any Routing) async -> Bool {
  if await eventually(within: .seconds(1), { isIdle(root) }) { return true }
  guard let scope = CurrentExecution.scope, scope.isSimulated else { return false }
  await scope.letTimePass(seconds: 1)
  return await eventually(within: .seconds(1)) { isIdle(root) }
}

/// Reports the transitions that go on: in the middle of one, a tree may break the rules that hold at rest.
///
/// - Returns: False.
@MainActor
func recordUnrest(of root: any Routing, at sourceLocation: SourceLocation) -> Bool {
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

/// Waits until a condition is true or a timeout has expired, and returns whether it is true.
///
/// The end of an object sends no notification, so outside an exploration the condition is checked again after 1, 2, 4, …
/// milliseconds. Before each check the main actor runs a job, which does not count against the timeout: deallocation may
/// need several, and each can take long on a busy machine. Under an exploration all other tasks run until none is ready,
/// and the condition is checked once more.
nonisolated(nonsending) func eventually(within timeout: Duration, _ condition: () -> Bool) async -> Bool {
  if condition() { return true }
  var pause = Duration.milliseconds(1)
  var rested = Duration.zero
  while true {
    if let scope = CurrentExecution.scope, scope.isSimulated {
      await scope.quiescence()
      return condition()
    }
    // Pending jobs of the main actor, such as an `isolated deinit`, have run after this.
    await MainActor.run {}
    if condition() { return true }
    if rested >= timeout || Task.isCancelled { return false }
    // A task that began on a thread of its own is the exploration's from its first hop on, and real time does not wake it there.
    if CurrentExecution.scope?.isSimulated == true { continue }
    await Deadline.rest(for: pause)
    rested += pause
    pause = min(pause * 2, .milliseconds(64))
  }
}
