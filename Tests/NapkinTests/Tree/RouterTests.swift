// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

@MainActor
@Suite struct RouterTests {
  let journal = Journal()

  /// A root that is active, and silent from here on.
  private func activeRoot() async -> ProbeRouter {
    let root = ProbeRouter("root", journal)
    await root.interactor.activate()
    journal.clear()
    return root
  }

  /// The lines of the journal without the ends.
  private var begun: [String] { journal.lines.filter { !$0.hasSuffix("ended") } }

  @Test func `T1 an attached child is in the tree once, is active, and loads after that`() async {
    let root = await activeRoot()
    let child = ProbeRouter("child", journal)
    await root.attachChild(child)
    #expect(root.names == ["child"])
    #expect(await child.interactor.isActive)
    #expect(journal.lines == ["child active", "child active ended", "child load", "child load ended"])
  }

  @Test func `T1 a load runs once, however many tasks ask for it`() async {
    let root = await activeRoot()
    let latch = Latch()
    let child = ProbeRouter("child", journal, load: { _ in await latch.pass() })
    let attach = Task.immediate { _ = await root.attachChild(child) }
    await latch.reached()
    let again = Task.immediate { await child.load() }
    latch.open()
    await attach.value
    await again.value
    await child.load()
    #expect(journal.lines.filter { $0 == "child load" }.count == 1)
  }

  @Test func `T3 detaching a router that is not a child changes nothing`() async {
    let root = await activeRoot()
    let other = await activeRoot()
    let child = ProbeRouter("child", journal)
    await other.attachChild(child)
    await root.detachChild(child)
    #expect(await child.interactor.isActive)
    #expect(other.names == ["child"])
    let free = ProbeRouter("free", journal)
    await free.interactor.activate()
    await root.detachChild(free)
    #expect(await free.interactor.isActive)
  }

  @Test func `T3 a second detach waits for the first`() async {
    let root = await activeRoot()
    let latch = Latch()
    let child = ProbeRouter("child", journal, resign: { _ in await latch.pass() })
    await root.attachChild(child)
    let first = Task.immediate { await root.detachChild(child) }
    await latch.reached()
    let second = Task.immediate {
      await root.detachChild(child)
      journal.write("second returned")
    }
    latch.open()
    await first.value
    await second.value
    #expect(journal.lines.suffix(2) == ["child resign ended", "second returned"])
    #expect(root.children.isEmpty)
  }

  @Test func `T4 a subtree resigns deepest and last attached first, before the detach returns`() async {
    let root = await activeRoot()
    let top = ProbeRouter("top", journal)
    let (a, b) = (ProbeRouter("a", journal), ProbeRouter("b", journal))
    let (a1, a2) = (ProbeRouter("a1", journal), ProbeRouter("a2", journal))
    await root.attachChild(top)
    for child in [a, b] { await top.attachChild(child) }
    for child in [a1, a2] { await a.attachChild(child) }
    journal.clear()
    await root.detachChild(top)
    #expect(begun == ["b resign", "a2 resign", "a1 resign", "a resign", "top resign"])
    for router in [top, a, b, a1, a2] { #expect(await !router.interactor.isActive) }
    #expect(a.names == ["a1", "a2"])
  }

  @Test func `T4 the subtree of a routing that is no Router resigns too`() async {
    let root = await activeRoot()
    let strange = StrangeRouter("strange", journal)
    let below = ProbeRouter("below", journal)
    await root.attachChild(strange)
    await strange.attachChild(below)
    #expect(strange.loads == 1)
    journal.clear()
    await root.detachChild(strange)
    #expect(begun == ["below resign", "strange resign"])
    #expect(root.children.isEmpty)
  }

  @Test func `T5 a subtree that is attached again wakes parent first and does not load again`() async {
    let root = await activeRoot()
    let top = ProbeRouter("top", journal)
    let (a, b) = (ProbeRouter("a", journal), ProbeRouter("b", journal))
    await root.attachChild(top)
    for child in [a, b] { await top.attachChild(child) }
    await root.detachChild(top)
    journal.clear()
    await root.attachChild(top)
    #expect(begun == ["top active", "a active", "b active"])
  }

  @Test func `T6 calls about different children do not wait for each other`() async {
    let root = await activeRoot()
    let latch = Latch()
    let slow = ProbeRouter("slow", journal, active: { _ in await latch.pass() })
    let attach = Task.immediate { _ = await root.attachChild(slow) }
    await latch.reached()
    let quick = ProbeRouter("quick", journal)
    await root.attachChild(quick)
    await root.detachChild(quick)
    latch.open()
    await attach.value
    #expect(root.names == ["slow"])
  }

  @Test func `T6 a detach supersedes an attach in flight, whose load is skipped`() async {
    let root = await activeRoot()
    let reached = Latch()
    let child = ProbeRouter(
      "child", journal,
      active: { _ in
        reached.open()
        await untilCancelled()
      })
    let attach = Task.immediate { _ = await root.attachChild(child) }
    await reached.pass()
    await root.detachChild(child)
    await attach.value
    #expect(begun == ["child active", "child resign"])
    #expect(root.children.isEmpty)
    #expect(await !child.interactor.isActive)
  }

  @Test func `T6 what a load attaches after its router was detached stays dormant`() async {
    let root = await activeRoot()
    let latch = Latch()
    let late = ProbeRouter("late", journal)
    let child = ProbeRouter(
      "child", journal,
      load: { router in
        await latch.pass()
        await router.attachChild(late)
      })
    let attach = Task.immediate { _ = await root.attachChild(child) }
    await latch.reached()
    let detach = Task.immediate { await root.detachChild(child) }
    latch.open()
    await attach.value
    await detach.value
    #expect(await !late.interactor.isActive)
    #expect(!begun.contains("late load"))
    #expect(root.children.isEmpty)
  }

  @Test func `T6 attach, detach and attach again are carried out one after the other`() async {
    let root = await activeRoot()
    let other = await activeRoot()
    let latch = Latch()
    let child = ProbeRouter("child", journal, resign: { _ in await latch.pass() })
    await root.attachChild(child)
    let detach = Task.immediate {
      await root.detachChild(child)
      journal.write("detached")
    }
    await latch.reached()
    let move = Task.immediate { _ = await other.attachChild(child) }
    #expect(root.names == ["child"])
    latch.open()
    await detach.value
    await move.value
    #expect(root.children.isEmpty)
    #expect(other.names == ["child"])
    #expect(await child.interactor.isActive)
    #expect(begun.filter { $0 == "child active" }.count == 2)
  }

  @Test func `T7 under a router that was never activated a child is active at once`() async {
    let root = ProbeRouter("root", journal)
    let child = ProbeRouter("child", journal)
    await root.attachChild(child)
    #expect(await child.interactor.isActive)
    await root.detachChild(child)
    #expect(await !child.interactor.isActive)
  }

  @Test func `T7 under a deactivated router children sleep, subtree and all, and wake with it`() async {
    let root = await activeRoot()
    await root.interactor.deactivate()
    let child = ProbeRouter("child", journal)
    let grandchild = ProbeRouter("grandchild", journal)
    await child.attachChild(grandchild)
    journal.clear()
    await root.attachChild(child)
    let late = ProbeRouter("late", journal)
    await child.attachChild(late)
    #expect(begun == ["grandchild resign"])
    #expect(root.names == ["child"])
    journal.clear()
    await root.interactor.activate()
    #expect(
      begun == ["root active", "child active", "child load", "grandchild active", "late active", "late load"])
  }

  @Test func `T7 a direct deactivation and activation include the subtree`() async {
    let root = await activeRoot()
    let child = ProbeRouter("child", journal)
    let grandchild = ProbeRouter("grandchild", journal)
    await root.attachChild(child)
    await child.attachChild(grandchild)
    journal.clear()
    await root.interactor.deactivate()
    #expect(begun == ["grandchild resign", "child resign", "root resign"])
    journal.clear()
    await root.interactor.activate()
    #expect(begun == ["root active", "child active", "grandchild active"])
  }

  @Test func `T7 a parent whose subtree is being deactivated counts as dormant`() async {
    let root = await activeRoot()
    let latch = Latch()
    let child = ProbeRouter("child", journal)
    let grandchild = ProbeRouter("grandchild", journal, resign: { _ in await latch.pass() })
    await root.attachChild(child)
    await child.attachChild(grandchild)
    let detach = Task.immediate { await root.detachChild(child) }
    await latch.reached()
    let late = ProbeRouter("late", journal)
    await child.attachChild(late)
    #expect(await !late.interactor.isActive)
    latch.open()
    await detach.value
    #expect(await !late.interactor.isActive)
  }

  @Test func `T7 an interactor activated below a dormant router resigns with its detach`() async {
    let root = await activeRoot()
    var chain = [root]
    for depth in 1...4 {
      let next = ProbeRouter("\(depth)", journal)
      await chain[depth - 1].attachChild(next)
      chain.append(next)
    }
    await root.interactor.deactivate()
    await chain[4].interactor.activate()
    await root.detachChild(chain[1])
    #expect(await !chain[4].interactor.isActive)
  }

  @Test(arguments: [false, true]) func `T9 loaded returns after the load`(isAskedMeanwhile: Bool) async {
    let root = await activeRoot()
    let latch = Latch()
    let child = ProbeRouter("child", journal, load: { _ in await latch.pass() })
    let ask = {
      Task.immediate {
        await child.loaded()
        self.journal.write("loaded")
      }
    }
    let early = isAskedMeanwhile ? nil : ask()
    let attach = Task.immediate { _ = await root.attachChild(child) }
    await latch.reached()
    let loaded = early ?? ask()
    latch.open()
    await loaded.value
    await attach.value
    #expect(journal.lines.suffix(2) == ["child load ended", "loaded"])
    await child.loaded()
  }

  @Test(arguments: [true, false])
  func `T9 a wait for a load ends with its task, and keeps no router alive`(beforehand: Bool) async {
    let held = Weak<ProbeRouter>()
    do {
      let child = ProbeRouter("child", journal)
      held.object = child
      let start = Latch()
      let wait = Task.immediate {
        if beforehand { await start.pass() }
        await child.loaded()
      }
      wait.cancel()
      start.open()
      await wait.value
    }
    #expect(held.object == nil)
  }

  @Test func `T7 what a cut-short activation had attached sleeps with it`() async {
    let root = await activeRoot()
    let late = ProbeRouter("late", journal)
    let child = Weak<ProbeRouter>()
    let router = ProbeRouter(
      "child", journal,
      active: { interactor in
        await child.object?.attachChild(late)
        await interactor.deactivate()
      })
    child.object = router
    await root.attachChild(router)
    #expect(await !router.interactor.isActive)
    #expect(await !late.interactor.isActive)
    #expect(
      begun == ["child active", "late active", "late load", "late resign", "child resign"])
  }

  @Test func `T6 a detach withdraws an attach that has not been carried out`() async {
    let (root, other) = (await activeRoot(), await activeRoot())
    let latch = Latch()
    let child = ProbeRouter("child", journal, resign: { _ in await latch.pass() })
    await root.attachChild(child)
    let detach = Task.immediate { await root.detachChild(child) }
    await latch.reached()
    let move = Task.immediate { _ = await other.attachChild(child) }
    let withdrawal = Task.immediate { await other.detachChild(child) }
    latch.open()
    for task in [detach, move, withdrawal] { await task.value }
    #expect(root.children.isEmpty && other.children.isEmpty)
    #expect(await !child.interactor.isActive)
    await child.attachChild(other)
    #expect(child.names == ["root"])
  }

  @Test func `T6 a parent whose attach was withdrawn is not kept`() async {
    let root = await activeRoot()
    let latch = Latch()
    let child = ProbeRouter("child", journal, resign: { _ in await latch.pass() })
    await root.attachChild(child)
    let detach = Task.immediate { await root.detachChild(child) }
    await latch.reached()
    let held = Weak<ProbeRouter>()
    do {
      let other = ProbeRouter("other", journal)
      held.object = other
      let move = Task.immediate { _ = await other.attachChild(child) }
      let withdrawal = Task.immediate { await other.detachChild(child) }
      latch.open()
      for task in [detach, move, withdrawal] { await task.value }
    }
    #expect(held.object == nil)
  }
}
