// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// Chains and bushes of some hundred routers, built and released in every way.
///
/// `RouterChainTests` has longer chains, which test the depth of the stack and the time.
@MainActor
@Suite struct GrownTreeProgramTests {
  private enum End: Sendable, CaseIterable { case isDetached, isDropped, goesWithItsRoot }

  /// A planned tree, and all that refers to it from outside.
  @MainActor
  private final class Stand {
    let plan: GrowthPlan
    let activated = Recorder<Int>()
    let resigned = Recorder<Int>()
    var root: ProbeRouter?
    var routers: [GrownRouter]
    var held: [GrownRouter] = []
    let weak: [Weak<GrownRouter>]

    init(_ plan: GrowthPlan) {
      self.plan = plan
      routers = (0...plan.parents.count).map { [activated, resigned] number in
        GrownRouter(number, activated: activated, resigned: resigned)
      }
      weak = routers.map { Weak($0) }
      root = ProbeRouter("root", resign: { [resigned] _ in resigned.record(-1) })
    }

    func grow() async {
      let edges = Array(zip(plan.parents.map { routers[$0] }, routers.dropFirst()))
      switch plan.way {
      case .fromAbove:
        await root?.attachChild(routers[0])
        for (parent, child) in edges { await parent.attachChild(child) }
      case .fromBelow:
        for (parent, child) in edges.reversed() { await parent.attachChild(child) }
        await root?.attachChild(routers[0])
      case .byTwoCallers:
        let other = Task { @MainActor in
          for (parent, child) in edges where child.number % 2 == 0 { await parent.attachChild(child) }
        }
        await root?.attachChild(routers[0])
        for (parent, child) in edges where child.number % 2 == 1 { await parent.attachChild(child) }
        await other.value
      case .nested:
        for (parent, child) in edges { parent.toAttach.append(child) }
        await root?.attachChild(routers[0])
      }
    }

    /// In T4's order.
    var lastToFirst: [Int] { routers[0].subtree.map(\.number).reversed() }

    func hold(oneOf count: Int) { held = routers.filter { $0.number % count == count - 1 } }

    /// Drops all references but those to the held routers.
    func release(includingRoot root: Bool) {
      if root { self.root = nil }
      routers = []
    }

    /// The numbers of the held routers and of all that stands below them.
    var kept: Set<Int> {
      var kept = Set(held.map(\.number))
      for (index, parent) in plan.parents.enumerated() where kept.contains(parent) { kept.insert(index + 1) }
      return kept
    }

    func checkRelease() async {
      await CurrentExecution.scope?.quiescence()
      let alive = Set(weak.indices.filter { weak[$0].object != nil })
      #expect(alive == kept, "T10, T12: a router is alive that should be released, or the reverse")
      #expect(held.allSatisfy { !$0.isActive }, "T10: a held router has not resigned")
      held = []
      await CurrentExecution.scope?.quiescence()
      #expect(weak.allSatisfy { $0.object == nil }, "T12: not all of it is released")
      #expect(activated.events.sorted() == resigned.events.filter { $0 >= 0 }.sorted(), "T12: not each resigned once")
    }
  }

  private static let holds = Gen<Int>.frequency([(1, .just(1_000)), (2, .int(in: 3...40))])

  @Test func `T12 T4 T10 a large tree activates, resigns deepest first, and is released`() async {
    await explore(executions: 50) { @MainActor in
      let stand = Stand(Execution.draw(GrowthPlan.generator, "tree"))
      let end = Execution.draw(.element(of: End.allCases), "end")
      await stand.root?.interactor.activate()
      await stand.grow()
      #expect(stand.routers[0].subtree.count == stand.routers.count, "T12: not all of it stands")
      #expect(stand.routers.allSatisfy { $0.isActive && $0.loads == 1 }, "T12: not all of it is active and loaded")
      #expect(stand.resigned.events.isEmpty, "T12: an interactor resigned without a request")
      stand.hold(oneOf: Execution.draw(Self.holds, "held, one of"))
      var order = stand.lastToFirst
      switch end {
      case .isDetached:
        await stand.root?.detachChild(stand.routers[0])
        #expect(stand.routers.allSatisfy { !$0.isActive }, "T4: the detach returned too early")
        stand.release(includingRoot: false)
      case .isDropped:
        await stand.root?.detachChild(stand.routers[0])
        await stand.routers[0].interactor.activate()
        order += order
        stand.release(includingRoot: false)
      case .goesWithItsRoot:
        order.append(-1)
        stand.release(includingRoot: true)
      }
      await CurrentExecution.scope?.quiescence()
      #expect(stand.resigned.events == order, "T4, T10: in another order, or not once each")
      await stand.checkRelease()
    }
  }

  @Test func `T12 T6 a large tree that is detached while it grows becomes inactive and ends`() async {
    await explore(executions: 50) { @MainActor in
      let stand = Stand(Execution.draw(GrowthPlan.generator, "tree"))
      await stand.root?.interactor.activate()
      let growing = Task { @MainActor in await stand.grow() }
      for _ in 0..<Execution.draw(.int(in: 0...20), "steps before") { await Task.yield() }
      await stand.root?.detachChild(stand.routers[0])
      await growing.value
      await CurrentExecution.scope?.quiescence()
      let isAwake = stand.routers[0].isActive
      #expect(isAwake == !(stand.root?.children.isEmpty ?? true), "T6: the calls did not count in their order")
      #expect(stand.routers[0].subtree.allSatisfy { $0.isActive == isAwake }, "T6, T7: not all of it follows its top")
      // A router that was not loaded has not attached its routers, nor are they active.
      let standing = stand.routers[0].subtree.count
      if stand.plan.way != .nested || isAwake { #expect(standing == stand.routers.count) }
      #expect(stand.routers.count(where: \.isActive) == (isAwake ? standing : 0), "T6: an orphan is active")
      await stand.root?.detachChild(stand.routers[0])
      stand.hold(oneOf: Execution.draw(Self.holds, "held, one of"))
      stand.release(includingRoot: false)
      await stand.checkRelease()
    }
  }
}
