// SPDX-License-Identifier: Apache-2.0

internal import Napkin

extension TreeFuzzer where Root == SyntheticRouter {
  /// A fuzzer over made-up trees that do everything the contract speaks of: it tests `Napkin` itself.
  ///
  /// - Parameter nodes: How many nodes a tree has, its root included.
  /// - Returns: A fuzzer with actions that attach, detach, move, release, activate, deactivate, bind and cancel.
  public static func synthetic(nodes: ClosedRange<Int> = 1...8) -> TreeFuzzer<SyntheticRouter> {
    TreeFuzzer { await SyntheticForest.plant(Execution.draw(.int(in: nodes), "nodes")) }
      .act("attach", weight: 6) { forest, node in await forest.attach(node, under: forest.drawNode("under")) }
      .act("detach", weight: 5) { forest, node in await forest.detach(node) }
      .act("move", weight: 2) { forest, node in await forest.move(node, to: forest.drawNode("to")) }
      .act("attach, cancelled", weight: 2) { forest, node in
        let parent = forest.drawNode("under")
        await cancelled { await forest.attach(node, under: parent) }
      }
      .act("detach, cancelled", weight: 1) { forest, node in await cancelled { await forest.detach(node) } }
      .act("activate the root", weight: 1) { forest, _ in await forest[0]?.interactable.activate() }
      .act("deactivate", weight: 1) { forest, node in await forest[node]?.interactable.deactivate() }
      .act("bind", weight: 2) { forest, node in
        let work = Execution.draw(Gen<Temper.Work>.allCases, "work")
        await forest[node]?.interactor.bind(work)
      }
      .act("release", weight: 1) { forest, node in await forest.replace(node) }
      .misuseIsAllowed()
  }

  private func act(
    _ name: String, weight: Int, _ perform: @escaping @MainActor @Sendable (SyntheticForest, Int) async -> Void
  ) -> Self {
    action(name, weight: weight) { root in
      guard let forest = root.owned else { return }
      await perform(forest, forest.drawNode("node"))
    }
  }
}

extension SyntheticForest {
  fileprivate func drawNode(_ label: String) -> Int { Execution.draw(.int(in: 0...(count - 1)), label) }
}

/// Runs work in a task that is cancelled while it is under way.
@MainActor
private func cancelled(_ work: @escaping @MainActor @Sendable () async -> Void) async {
  let task = Task(name: "cancelled caller") { await work() }
  await CurrentExecution.schedulingPoint()
  task.cancel()
  await task.value
}
