// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// Random calls from three callers at once, against what they come to in the order of their arrival.
@MainActor
@Suite struct TreeProgramTests {
  private enum Call: Sendable, CustomStringConvertible {
    case attach(Int, Int)
    case detach(Int, Int)
    case move(Int, Int)

    var description: String {
      switch self {
      case .attach(let child, let parent): "attach \(child) under \(parent)"
      case .detach(let child, let parent): "detach \(child) from \(parent)"
      case .move(let child, let parent): "move \(child) under \(parent)"
      }
    }
  }

  /// A tree beside its model: every call reaches both at the same moment.
  @MainActor
  private final class Field {
    let routers: [ProbeRouter]
    var model: TreeModel

    init(nodes: Int) {
      // An odd node's callbacks suspend, so that calls find them under way.
      routers = (0..<nodes).map { number in
        guard number % 2 == 1 else { return ProbeRouter("\(number)") }
        return ProbeRouter(
          "\(number)", load: { _ in await Task.yield() }, active: { _ in await Task.yield() },
          resign: { _ in await Task.yield() })
      }
      model = TreeModel(nodes: nodes)
    }

    func carryOut(_ call: Call) async {
      switch call {
      case .attach(let child, let parent): await attach(child, parent)
      case .detach(let child, let parent): await detach(child, parent)
      case .move(let child, let parent):
        if let old = model.parents[child] { await detach(child, old) }
        await attach(child, parent)
      }
    }

    private func attach(_ child: Int, _ parent: Int) async {
      // What is misuse has a test of its own, and would be an issue here.
      guard model.attach(child, under: parent) else { return }
      let call = model.calls[child]
      await routers[parent].attachChild(routers[child])
      // T1, unless another call about the child or about one above it came in between.
      guard model.calls[child] == call, model.isUnderRoot(child) else { return }
      #expect(routers[parent].names.contains("\(child)"), "T1: the attach of \(child) returned without it")
    }

    private func detach(_ child: Int, _ parent: Int) async {
      model.detach(child, from: parent)
      let call = model.calls[child]
      await routers[parent].detachChild(routers[child])
      guard model.calls[child] == call, model.parents[child] == nil else { return }
      #expect(!routers[parent].names.contains("\(child)"), "T4: the detach of \(child) returned with it")
    }

    func compare() async {
      for parent in routers.indices {
        let expected = routers.indices.filter { model.parents[$0] == parent }.map { "\($0)" }
        #expect(routers[parent].names.sorted() == expected, "T1, T2, T3, T6: the children of \(parent)")
      }
      for node in routers.indices where model.isUnderRoot(node) {
        #expect(await routers[node].interactor.isActive, "T1, T5: \(node) stands under the root")
      }
    }
  }

  @Test func `T1 to T6 a tree comes to what its calls say in the order of their arrival`() async {
    let node = Gen<Int>.int(in: 0...4)
    let child = Gen<Int>.int(in: 1...4)
    let call = Gen<Int>.int(in: 0...2).flatMap { kind in
      child.flatMap { child in
        node.map { parent -> Call in
          switch kind {
          case 0: .attach(child, parent)
          case 1: .detach(child, parent)
          default: .move(child, parent)
          }
        }
      }
    }
    let programs = Gen<[[Call]]>.array(of: .array(of: call, count: 0...4), count: 3...3)
    await explore(executions: 600) { @MainActor in
      let field = Field(nodes: 5)
      await field.routers[0].interactor.activate()
      let program = Execution.draw(programs, "calls")
      let callers = program.map { calls in
        Task { @MainActor in for call in calls { await field.carryOut(call) } }
      }
      for caller in callers { await caller.value }
      await field.compare()
    }
  }
}
