// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import Testing

extension TreeFuzzer where Root == SyntheticRouter {
  /// A fuzzer over made-up trees that do everything the contract speaks of: it tests `Napkin` itself.
  ///
  /// - Parameter nodes: How many nodes a tree has, its root included.
  /// - Returns: A fuzzer with actions that attach, detach, move, show in slots, release, deactivate, bind, wait and cancel.
  public static func synthetic(nodes: ClosedRange<Int> = 1...8) -> TreeFuzzer<SyntheticRouter> {
    let most = max(nodes.upperBound, 1)
    let node = Gen<Int>.int(in: 0...(most - 1))
    let pair = node.flatMap { child in node.map { NodePair(child: child, parent: $0) } }
    return TreeFuzzer { await SyntheticTree.make(Execution.draw(.int(in: nodes), "nodes")) }
      .act("attach", pair, weight: 6) { tree, pair in await tree.attach(pair.child, under: pair.parent) }
      .act("detach", node, weight: 5) { tree, node in await tree.detach(node) }
      .act("detach a stranger", pair, weight: 1) { tree, pair in
        await tree.detach(pair.child, from: pair.parent)
      }
      .act("move", pair, weight: 2) { tree, pair in await tree.move(pair.child, to: pair.parent) }
      .act("attach twice", pair, weight: 1) { tree, pair in
        await tree.attachTwice(pair.child, under: pair.parent)
      }
      .act("attach again", node, weight: 2) { tree, node in await tree.reattach(node) }
      .act("attach, cancelled,", pair, weight: 2) { tree, pair in
        await cancelled { await tree.attach(pair.child, under: pair.parent) }
      }
      .act("detach, cancelled,", node, weight: 1) { tree, node in await cancelled { await tree.detach(node) } }
      .act("deactivate", node, weight: 1) { tree, node in await tree[node]?.interactable.deactivate() }
      .act("activate", node, weight: 1) { tree, node in await tree[node]?.interactable.activate() }
      .act("bind to", work(node, most), weight: 2) { tree, binding in
        await tree[binding.node]?.interactor.bind(binding.work)
      }
      .act("wait for", node, weight: 2) { tree, node in tree.wait(for: node) }
      .act("wait, cancelled, for", node, weight: 1) { tree, node in
        await cancelled { try? await tree.lifecycle(of: node)?.whenActive() }
      }
      .act("show", pair, weight: 3) { tree, pair in await tree.show(pair.child, in: pair.parent) }
      .act("show, cancelled,", pair, weight: 1) { tree, pair in
        await cancelled { await tree.show(pair.child, in: pair.parent) }
      }
      .act("show again", pair, weight: 3) { tree, pair in await tree.showAgain(pair.child, in: pair.parent) }
      .act("show twice", pair, weight: 1) { tree, pair in await tree.showTwice(pair.child, in: pair.parent) }
      .act("clear the slot of", node, weight: 1) { tree, node in await tree.clearSlot(of: node) }
      .act("release", node, weight: 1) { tree, node in await tree.replace(node) }
      .watchingStreams(of: node, weight: 1)
      .cancellingCallers(weight: 1)
      .releasingRoot(weight: 1)
      // Its programs attach wherever they like.
      .ignoring(.misuse, .staleParent, .strayActivity)
      .refusing(nodes)
  }

  private func refusing(_ nodes: ClosedRange<Int>) -> Self {
    if nodes.lowerBound >= 1 { return self }
    return changed(self) {
      $0.fuzzer.misuse = Diagnostic(
        .misuse, "TreeFuzzer.synthetic(nodes: \(nodes)) asks for trees without a root.",
        likelyCause: "the range was computed, or mistyped.",
        suggestion: "pass a range that begins at 1 or more, such as 1...8.")
    }
  }

  private func watchingStreams(
    of node: Gen<Int>, weight: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    let step = node.map { node in
      FuzzStep<Root>(title: "watch \(node)") { root, run in
        guard let tree = await root.owned, !run.silenced.contains(.streams) else { return nil }
        await tree.watch(node)
        return ""
      }
    }
    return action(FuzzAction(name: "watch", weight: weight, sourceLocation: sourceLocation, step: step))
  }

  private static func work(_ node: Gen<Int>, _ most: Int) -> Gen<Binding> {
    node.flatMap { node in Gen<NodeBehavior.Work>.work(nodes: most).map { Binding(node: node, work: $0) } }
  }

  private func act<Argument: Sendable>(
    _ name: String, _ argument: Gen<Argument>, weight: Int,
    _ perform: @escaping @MainActor @Sendable (SyntheticTree, Argument) async -> Void
  ) -> Self {
    action(
      FuzzAction(name, with: .drawn(argument)) { root, argument in
        guard let tree = root.owned else { return }
        await perform(tree, argument)
      }.weight(weight))
  }
}

private struct NodePair: Sendable, CustomStringConvertible {
  var child: Int
  var parent: Int
  var description: String { "\(child) under \(parent)" }
}

private struct Binding: Sendable, CustomStringConvertible {
  var node: Int
  var work: NodeBehavior.Work
  var description: String { "\(node): \(work)" }
}

/// Runs work in a task that is cancelled while it is under way.
@MainActor
private func cancelled(_ work: @escaping @MainActor @Sendable () async -> Void) async {
  let task = Task(name: "cancelled caller") { await work() }
  await CurrentExecution.schedulingPoint()
  task.cancel()
  await task.value
}

extension TreeFuzzer {
  /// Adds an action that cancels another caller, which continues with its actions.
  func cancellingCallers(weight: Int, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    let step = Gen<Int>.int(in: 1...3).map { number in
      FuzzStep<Root>(title: "cancel caller \(number)") { _, run in run.cancelCaller(number) ? "" : nil }
    }
    return action(FuzzAction(name: "cancel caller", weight: weight, sourceLocation: sourceLocation, step: step))
  }

  /// Adds an action that releases the root; the rest of the program is skipped.
  func releasingRoot(weight: Int, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    let step = FuzzStep<Root>(title: "release the root") { _, run in
      run.releaseSystem()
      return ""
    }
    return action(
      FuzzAction(name: "release the root", weight: weight, sourceLocation: sourceLocation, step: .just(step)))
  }
}
