// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// Random trees that lose their root while some of their nodes move elsewhere, some are detached by their last reference,
/// and some are referenced from outside.
@MainActor
@Suite struct EndProgramTests {
  private enum Fate: Sendable, CaseIterable {
    case goes, isHeld, movesAway, isDetachedForGood

    var isAMove: Bool { self == .movesAway || self == .isDetachedForGood }
  }

  /// One node, and its state stream, which outlives the router.
  @MainActor
  private final class Node {
    let number: Int
    let fate: Fate
    let router: Weak<ProgramRouter>
    let states: AsyncStream<Bool>

    init(_ number: Int, _ fate: Fate, _ router: ProgramRouter) {
      (self.number, self.fate, self.router) = (number, fate, Weak(router))
      states = router.interactor.isActiveStream
    }
  }

  @Test func `T10 T13 what loses its root resigns, and what has moved on is left alone`() async {
    let fates = Gen<[Fate]>.array(of: .allCases, count: 1...6)
    await explore(executions: 1_000) { @MainActor in
      let fates = Execution.draw(fates, "fates")
      let parents = fates.indices.map { Execution.draw(.int(in: 0...$0), "parent of \($0 + 1)") }
      let other = ProgramRouter(0)
      await other.interactor.activate()
      var root: ProgramRouter? = ProgramRouter(0)
      await root?.interactor.activate()
      let (nodes, held) = await Self.grow(fates, parents, below: root)
      // A mover holds the parent for the time of its call, so the root goes before, during or after.
      let movers = nodes.filter(\.fate.isAMove).map { node in
        let parent = parents[node.number - 1] == 0 ? Weak(root) : nodes[parents[node.number - 1] - 1].router
        return Task { @MainActor in
          guard let router = node.router.object else { return }
          if let parent = parent.object { await parent.detachChild(router) }
          if node.fate == .movesAway { await other.attachChild(router) }
        }
      }
      if Execution.draw(.bool, "a step before") { await Task.yield() }
      root = nil
      for mover in movers { await mover.value }
      await CurrentExecution.scope?.quiescence()
      let moved = nodes.filter { $0.fate == .movesAway }.map(\.number)
      #expect(other.numbers.sorted() == moved, "T13: what has moved on was taken along")
      for node in nodes {
        let last = Self.path(node.number, parents).first { nodes[$0 - 1].fate.isAMove }
        await check(node, hasMoved: last.map { nodes[$0 - 1].fate == .movesAway } ?? false)
      }
      await other.interactor.deactivate()
      withExtendedLifetime(held) {}
    }
  }

  private func check(_ node: Node, hasMoved: Bool) async {
    if hasMoved {
      #expect(node.router.object?.isActive == true, "T13: \(node.number) has moved on, and sleeps")
      return
    }
    if node.fate == .isHeld {
      #expect(node.router.object?.isActive == false, "T10: \(node.number) is held, and has not resigned")
      return
    }
    #expect(node.router.object == nil || !(node.router.object?.isActive ?? true), "T10: \(node.number) is still active")
    guard node.router.object == nil else { return }
    var last: Bool?
    // A stream that never ended would keep the execution for ever.
    for await isActive in node.states { last = isActive }
    #expect(last == false, "T10: \(node.number) went without resigning")
  }

  /// The node and all above it, without the root.
  private static func path(_ number: Int, _ parents: [Int]) -> [Int] {
    var path = [number]
    while let next = path.last, parents[next - 1] != 0 { path.append(parents[next - 1]) }
    return path
  }

  private static func grow(
    _ fates: [Fate], _ parents: [Int], below root: ProgramRouter?
  ) async -> ([Node], [ProgramRouter]) {
    var routers = [root].compactMap(\.self)
    var nodes: [Node] = []
    for (index, fate) in fates.enumerated() {
      let router = ProgramRouter(index + 1)
      await routers[parents[index]].attachChild(router)
      routers.append(router)
      nodes.append(Node(index + 1, fate, router))
    }
    return (nodes, zip(fates, routers.dropFirst()).filter { $0.0 == .isHeld || $0.0 == .movesAway }.map(\.1))
  }
}
