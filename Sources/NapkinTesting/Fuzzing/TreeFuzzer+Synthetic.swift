// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import Testing

extension TreeFuzzer where Root == SyntheticRouter {
  /// A fuzzer over made-up trees that do everything the contract speaks of: it tests `Napkin` itself.
  ///
  /// - Parameter nodes: How many nodes a tree has, its root included.
  /// - Returns: A fuzzer with actions that attach, detach, move, release, deactivate, bind and cancel.
  public static func synthetic(nodes: ClosedRange<Int> = 1...8) -> TreeFuzzer<SyntheticRouter> {
    let most = nodes.upperBound
    let node = Gen<Int>.int(in: 0...(most - 1))
    let pair = node.flatMap { child in node.map { NodePair(child: child, parent: $0) } }
    return TreeFuzzer { await SyntheticForest.plant(Execution.draw(.int(in: nodes), "nodes")) }
      .act("attach", pair, weight: 6) { forest, pair in await forest.attach(pair.child, under: pair.parent) }
      .act("detach", node, weight: 5) { forest, node in await forest.detach(node) }
      .act("detach a stranger", pair, weight: 1) { forest, pair in
        await forest.detach(pair.child, from: pair.parent)
      }
      .act("move", pair, weight: 2) { forest, pair in await forest.move(pair.child, to: pair.parent) }
      .act("attach twice", pair, weight: 1) { forest, pair in
        await forest.attachTwice(pair.child, under: pair.parent)
      }
      .act("attach again", node, weight: 2) { forest, node in await forest.reattach(node) }
      .act("attach, cancelled,", pair, weight: 2) { forest, pair in
        await cancelled { await forest.attach(pair.child, under: pair.parent) }
      }
      .act("detach, cancelled,", node, weight: 1) { forest, node in await cancelled { await forest.detach(node) } }
      .act("deactivate", node, weight: 1) { forest, node in await forest[node]?.interactable.deactivate() }
      .act("activate", node, weight: 1) { forest, node in await forest[node]?.interactable.activate() }
      .act("bind to", work(node, most), weight: 2) { forest, binding in
        await forest[binding.node]?.interactor.bind(binding.work)
      }
      .act("release", node, weight: 1) { forest, node in await forest.replace(node) }
      .watchingStreams(of: node, weight: 1)
      .cancellingCallers(weight: 1)
      .releasingRoot(weight: 1)
      .misuseIsAllowed()
  }

  private func watchingStreams(
    of node: Gen<Int>, weight: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    let step = node.map { node in
      FuzzStep<Root>(title: "watch \(node)") { root, run in
        guard let forest = root.owned, !run.silenced.contains(.streams) else { return nil }
        forest.watch(node)
        return ""
      }
    }
    return adding(FuzzAction(name: "watch", weight: weight, sourceLocation: sourceLocation, step: step))
  }

  private static func work(_ node: Gen<Int>, _ most: Int) -> Gen<Binding> {
    node.flatMap { node in Gen<Temper.Work>.work(nodes: most).map { Binding(node: node, work: $0) } }
  }

  private func act<Argument: Sendable>(
    _ name: String, _ argument: Gen<Argument>, weight: Int,
    _ perform: @escaping @MainActor @Sendable (SyntheticForest, Argument) async -> Void
  ) -> Self {
    action(name, drawing: argument, weight: weight) { root, argument in
      guard let forest = root.owned else { return }
      await perform(forest, argument)
    }
  }
}

private struct NodePair: Sendable, CustomStringConvertible {
  var child: Int
  var parent: Int
  var description: String { "\(child) under \(parent)" }
}

private struct Binding: Sendable, CustomStringConvertible {
  var node: Int
  var work: Temper.Work
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
