// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@MainActor private final class CirclingRouter: Router<ProbeInteractor> {
  init(resign: @escaping @Sendable (ProbeInteractor) async -> Void = { _ in }) {
    super.init(interactor: ProbeInteractor(resign: resign))
  }
}

@MainActor private final class MovingRouter: Router<ProbeInteractor> {
  init(resign: @escaping @Sendable (ProbeInteractor) async -> Void = { _ in }) {
    super.init(interactor: ProbeInteractor(resign: resign))
  }
}

@MainActor private final class RestlessRouter: Router<ProbeInteractor> {
  init(resign: @escaping @Sendable (ProbeInteractor) async -> Void = { _ in }) {
    super.init(interactor: ProbeInteractor(resign: resign))
  }
}

/// Calls and callbacks that change a subtree while it leaves its parent.
@MainActor
@Suite struct LeavingSubtreeTests {
  /// Records whether a node of a subtree is active at the moment at which its top leaves its parent.
  private func watch(_ top: ProbeRouter, _ journal: Journal) -> Watcher {
    let id = ObjectIdentifier(top)
    return Watcher { event in
      guard case .detached(id, parent: _) = event else { return }
      // Routers leave on the main actor.
      MainActor.assumeIsolated {
        var next: [any Routing] = [top]
        while let router = next.popLast() {
          if router.interactable.lifecycle.inspection.isActive { journal.write("a node is active") }
          next += router.children
        }
      }
      journal.write("left")
    }
  }

  @Test func `T4 T8 a detach waits for a callback of a node that joined the leaving subtree`() async {
    await explore(executions: 200) { @MainActor in
      let parent = ProbeRouter("parent")
      let (child, lower) = (Weak<ProbeRouter>(), Weak<ProbeRouter>())
      let leaving = ProbeRouter(
        "child", load: { await parent.detachChild($0) },
        active: { _ in
          if let lower = lower.object { await child.object?.attachChild(lower) }
        })
      child.object = leaving
      let middle = ProbeRouter("middle")
      lower.object = middle
      let loading = ProbeRouter(
        "loading", load: { _ in if let child = child.object { await parent.attachChild(child) } })
      let journal = Journal()
      let watcher = watch(leaving, journal)
      await middle.attachChild(loading)
      await CurrentExecution.scope?.quiescence()
      watcher.stop()
      #expect(journal.lines == ["left"])
    }
  }

  @Test func `T2 attaching to a descendant that is leaving is misuse and changes nothing`() async {
    let watcher = Watcher(taking: "CirclingRouter")
    defer { watcher.stop() }
    let latch = Latch()
    let (parent, child) = (CirclingRouter(), CirclingRouter(resign: { _ in await latch.pass() }))
    await parent.attachChild(child)
    let detach = Task.immediate { await parent.detachChild(child) }
    await latch.reached()
    await child.attachChild(parent)
    #expect(watcher.misuses.map(\.rule) == ["T2"])
    latch.open()
    await detach.value
    #expect(child.children.isEmpty && parent.children.isEmpty)
    await child.attachChild(parent)
    #expect(child.children.count == 1)
  }

  @Test func `T2 two moves that are under way never come to stand below each other`() async {
    let watcher = Watcher(taking: "MovingRouter")
    defer { watcher.stop() }
    let latch = Latch()
    let (top, old) = (MovingRouter(), MovingRouter())
    let (moved, below) = (MovingRouter(), MovingRouter(resign: { _ in await latch.pass() }))
    await old.attachChild(moved)
    await moved.attachChild(below)
    let leave = Task.immediate { await old.detachChild(moved) }
    let join = Task.immediate { _ = await top.attachChild(moved) }
    await latch.reached()
    await below.attachChild(top)
    #expect(watcher.misuses.map(\.rule) == ["T2"])
    latch.open()
    for task in [leave, join] { await task.value }
    #expect(top.children.count == 1 && below.children.isEmpty)
  }

  @Test func `T6 an attach does not wait for the load of what has moved elsewhere meanwhile`() async {
    await explore(executions: 20) { @MainActor in
      let (journal, active, loading) = (Journal(), Latch(), Latch())
      let root = ProbeRouter("root")
      let parent = ProbeRouter(
        "parent", journal,
        active: { _ in
          // The second time, when there is something below that is to wake.
          if journal.lines.filter({ $0 == "parent active" }).count == 2 { await active.pass() }
        })
      await parent.interactor.activate()
      await parent.interactor.deactivate()
      let child = ProbeRouter("child", load: { _ in await loading.pass() })
      await parent.attachChild(child)
      let attach = Task.immediate { _ = await root.attachChild(parent) }
      await active.reached()
      await parent.detachChild(child)
      let move = Task.immediate { _ = await root.attachChild(child) }
      await loading.reached()
      active.open()
      await attach.value
      loading.open()
      await move.value
      #expect(root.names == ["parent", "child"])
    }
  }

  @Test func `T6 an attach does not wait for the load of what has moved while it was activated`() async {
    await explore(executions: 300) { @MainActor in
      let (journal, active, loading) = (Journal(), Latch(), Latch())
      let root = ProbeRouter("root")
      let parent = ProbeRouter("parent", journal)
      await parent.interactor.activate()
      await parent.interactor.deactivate()
      journal.clear()
      let child = ProbeRouter("child", load: { _ in await loading.pass() }, active: { _ in await active.pass() })
      await parent.attachChild(child)
      let byHand = Task.immediate { await child.interactor.activate() }
      await active.reached()
      let attach = Task.immediate { _ = await root.attachChild(parent) }
      await journal.line("parent active ended")
      let move = Task.immediate {
        await parent.detachChild(child)
        await root.attachChild(child)
      }
      let again = Task.immediate { await child.interactor.activate() }
      active.open()
      for task in [byHand, attach, again] { await task.value }
      loading.open()
      await move.value
      #expect(root.names.last == "child")
    }
  }

  /// The first of a number of active leaves, each of which attaches the next below the same parent as it resigns.
  private func chain(of count: Int, below top: Weak<RestlessRouter>) async -> RestlessRouter {
    let next = count > 1 ? await chain(of: count - 1, below: top) : nil
    let leaf = RestlessRouter { _ in
      await MainActor.run {
        guard let next, let top = top.object else { return }
        Task.immediate { _ = await top.attachChild(next) }
      }
    }
    await leaf.interactor.activate()
    return leaf
  }

  @Test(arguments: [20, 1_000])
  func `T4 a subtree is waited for however often something joins it as it resigns`(count: Int) async {
    let watcher = Watcher(taking: "RestlessRouter")
    defer { watcher.stop() }
    let top = Weak<RestlessRouter>()
    let (parent, child) = (ProbeRouter("parent"), RestlessRouter())
    top.object = child
    await parent.attachChild(child)
    let first = await chain(of: count, below: top)
    await child.attachChild(first)
    await parent.detachChild(child)
    #expect(watcher.misuses.isEmpty)
    #expect(child.children.count == count)
    #expect(!child.children.contains { $0.interactable.lifecycle.inspection.isActive })
  }

  /// Only one test makes one: the default callbacks of a type are learned from its first interactor.
  private final actor Unlearned: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private(set) var resignations = 0
    let latch = Latch()
    func didBecomeActive() async { await latch.pass() }
    func willResignActive() async { resignations += 1 }
  }

  @Test func `L5 T4 the first interactor of a type resigns when its activation was interrupted`() async {
    let (root, child) = (ProbeRouter("root"), Router(interactor: Unlearned()))
    await root.interactor.activate()
    let attach = Task.immediate { _ = await root.attachChild(child) }
    await child.interactor.latch.reached()
    let detach = Task.immediate { await root.detachChild(child) }
    child.interactor.latch.open()
    for task in [attach, detach] { await task.value }
    #expect(await child.interactor.resignations == 1)
    #expect(await !child.interactor.isActive)
  }

  @Test func `T13 a foreign routing that gives away a leaving child resigns without it`() async {
    let (root, latch) = (ProbeRouter("root"), Latch())
    await root.interactor.activate()
    let foreign = StrangeRouter("strange")
    let child = ProbeRouter("child", resign: { _ in await latch.pass() })
    await root.attachChild(foreign)
    await foreign.attachChild(child)
    let detach = Task.immediate { await root.detachChild(foreign) }
    await latch.reached()
    foreign.forget(child)
    // The second call looks again at the children.
    await root.detachChild(foreign)
    await detach.value
    #expect(root.children.isEmpty)
    latch.open()
  }
}
