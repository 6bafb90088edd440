// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import Synchronization

/// The nodes of a synthetic tree, attached or not, by their numbers; zero is the root.
@MainActor
final class SyntheticTree {
  private weak var root: SyntheticRouter?
  // The root's own place stays empty: it holds the tree.
  private var nodes: [SyntheticRouter?]

  /// Makes a root with a tree of `count` nodes, itself included, all of them with behaviors of their own.
  static func make(_ count: Int) async -> SyntheticRouter {
    let root = SyntheticRouter(number: 0, behavior: NodeBehavior())
    let tree = SyntheticTree(root, count)
    root.owned = tree
    root.tree = tree
    await root.interactor.wire(to: tree)
    for number in 1..<max(count, 1) { await tree.replace(number) }
    return root
  }

  private init(_ root: SyntheticRouter, _ count: Int) {
    self.root = root
    nodes = Array(repeating: nil, count: count)
  }

  var count: Int { nodes.count }

  /// The node of a number; an action may have been drawn for a larger tree, and means no node of this one then.
  subscript(number: Int) -> SyntheticRouter? {
    if number == 0 { return root }
    return number < count ? nodes[number] : nil
  }

  /// Replaces a node, wherever it is attached, by a new one.
  func replace(_ number: Int) async {
    guard number != 0, number < count else { return }
    _ = await makeNode(number)
  }

  private func makeNode(_ number: Int) async -> SyntheticRouter {
    let behavior = Execution.draw(NodeBehavior.generator(nodes: count), "node \(number)")
    let node = SyntheticRouter(number: number, behavior: behavior)
    node.tree = self
    nodes[number] = node
    await node.interactor.wire(to: self)
    return node
  }

  func attach(_ child: Int, under parent: Int) async {
    guard let node = self[child], let parent = self[parent], child != 0 else { return }
    await parent.attachChild(node)
  }

  func detach(_ child: Int) async {
    guard let node = self[child], let parent = parent(of: node) else { return }
    await parent.detachChild(node)
  }

  /// Asks a node to detach one that mostly is no child of it, which has to change nothing.
  func detach(_ child: Int, from parent: Int) async {
    guard let node = self[child], let parent = self[parent] else { return }
    await parent.detachChild(node)
  }

  /// Shows a new node in the slot of another, where it replaces the one that had its number.
  func show(_ child: Int, in parent: Int) async {
    guard child != 0, child < count, let parent = self[parent] else { return }
    await parent.slot.show {
      await CurrentExecution.schedulingPoint()
      return await makeNode(child)
    }
  }

  /// Shows the node that has a number, wherever it is, as an app does that keeps its screens.
  func showAgain(_ child: Int, in parent: Int) async {
    guard child != 0, let node = self[child], let parent = self[parent] else { return }
    await parent.slot.show {
      await CurrentExecution.schedulingPoint()
      return node
    }
  }

  /// Shows one node from two callers at the same time, as two taps do.
  func showTwice(_ child: Int, in parent: Int) async {
    let other = Task(name: "second tap") { await showAgain(child, in: parent) }
    await showAgain(child, in: parent)
    await other.value
  }

  /// Shows a node in the place of another, as that does itself in a callback; to come back it clears the place first.
  func redirect(_ number: Int, to child: Int) async {
    guard let node = self[number], let parent = parent(of: node) else { return }
    if child == number { await parent.slot.clear() }
    await showAgain(child, in: parent.number)
  }

  func clearSlot(of number: Int) async { await self[number]?.slot.clear() }

  func move(_ child: Int, to parent: Int) async {
    await detach(child)
    await attach(child, under: parent)
  }

  /// Attaches one child from two callers at the same time: one of them is wrong.
  func attachTwice(_ child: Int, under parent: Int) async {
    let other = Task(name: "second caller") { await attach(child, under: 0) }
    await attach(child, under: parent)
    await other.value
  }

  /// Detaches and attaches again before the detach has returned.
  func reattach(_ child: Int) async {
    guard let node = self[child], let parent = parent(of: node) else { return }
    let detach = Task.immediate(name: "detaching caller") { await parent.detachChild(node) }
    await parent.attachChild(node)
    await detach.value
  }

  /// Waits until a node is active, in a task of its own: the node may never be.
  func wait(for number: Int) {
    guard let lifecycle = lifecycle(of: number) else { return }
    // The wait begins now: no release of the node would end one that begins after it.
    Task.immediate(name: "waiter for node \(number)") { try? await lifecycle.whenActive() }
  }

  func lifecycle(of number: Int) -> InteractorLifecycle? { self[number]?.interactor.lifecycle }

  /// Follows a node's `isActiveStream` until that finishes, and judges the values that a consumer gets.
  func watch(_ number: Int) {
    guard let node = self[number], let scope = CurrentExecution.scope else { return }
    let watcher = StreamWatcher()
    let stream = node.interactor.isActiveStream
    Task(name: "watcher of node \(number)") { await watcher.follow(stream, of: number, scope) }
    scope.whenOver { watcher.end(of: number, scope) }
  }

  func dropChild(of parent: Int) async {
    guard let parent = self[parent], let last = parent.children.last else { return }
    await parent.detachChild(last)
  }

  private func parent(of node: SyntheticRouter) -> SyntheticRouter? {
    for number in 0..<count {
      if let candidate = self[number], candidate.children.contains(where: { $0 === node }) { return candidate }
    }
    return nil
  }
}

/// The consumer of one `isActiveStream`, which gets every transition once, and then the end (L7).
final class StreamWatcher: Sendable {
  private let isFinished = Atomic<Bool>(false)

  /// Takes value after value until there are no more.
  func follow(_ stream: AsyncStream<Bool>, of number: Int, _ scope: any ExecutionScope) async {
    var last: Bool?
    for await isActive in stream {
      if isActive == last { Self.violate(scope, "the stream of node \(number) said \(isActive) twice in a row.") }
      last = isActive
    }
    isFinished.store(true, ordering: .relaxed)
  }

  /// Called when nothing of the execution is left.
  func end(of number: Int, _ scope: any ExecutionScope) {
    // On real threads the last value may still be pending.
    guard scope.isSimulated, !scope.hasFailed, !isFinished.load(ordering: .relaxed) else { return }
    Self.violate(scope, "node \(number) is gone, and its stream has not finished.")
  }
  private static func violate(_ scope: any ExecutionScope, _ text: String) {
    let rule = LifecycleRule.streams.heading
    scope.fail(Diagnostic(.violation(rule: rule), "\(rule): \(text)"))
  }
}
