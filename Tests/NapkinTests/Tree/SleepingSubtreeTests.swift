// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// Routers that join a subtree while it is being deactivated; the synthetic fuzzer found each of these cases.
@MainActor
@Suite struct SleepingSubtreeTests {
  @Test func `T1 what is attached below a router that wakes again is active after the call`() async {
    let exploration = await explore(executions: 200) { @MainActor in
      let (root, parent) = (ProbeRouter("root"), ProbeRouter("parent", resign: { _ in await Task.yield() }))
      await root.interactor.activate()
      await root.attachChild(parent)
      let slot = ChildSlot<ProbeRouter>(of: parent)
      let background = Task { await root.interactor.deactivate() }
      await Execution.draw(.bool) ? background.value : Task.yield()
      let foreground = Task.immediate { await root.interactor.activate() }
      let child = ProbeRouter("child")
      let linked = Task { await slot.show { ProbeRouter("shown") } }
      #expect(await parent.attachChild(child))
      #expect(child.interactor.lifecycle.isActive)
      #expect(await linked.value?.interactor.lifecycle.isActive == true)
      for task in [background, foreground] { await task.value }
    }
    #expect(exploration.failure == nil)
  }

  let journal = Journal()

  private func activeRoot() async -> ProbeRouter {
    let root = ProbeRouter("root", journal)
    await root.interactor.activate()
    return root
  }

  /// A router that was never activated, with a child that is active and takes its time to resign.
  private func dreamer(_ latch: Latch) async -> (top: ProbeRouter, child: ProbeRouter) {
    let top = ProbeRouter("top", journal)
    let child = ProbeRouter("child", journal, resign: { _ in await latch.pass() })
    await top.attachChild(child)
    return (top, child)
  }

  @Test func `T4 a detach waits for what another call deactivates below a dormant router`() async {
    let root = await activeRoot()
    let (middle, latch) = (ProbeRouter("middle", journal), Latch())
    await root.attachChild(middle)
    await middle.interactor.deactivate()
    let (top, child) = await dreamer(latch)
    let attach = Task.immediate { _ = await middle.attachChild(top) }
    await latch.reached()
    let detach = Task.immediate {
      await root.detachChild(middle)
      journal.write("detached")
    }
    latch.open()
    await detach.value
    await attach.value
    #expect(journal.lines.suffix(2) == ["child resign ended", "detached"])
    #expect(await !child.interactor.isActive)
  }

  @Test func `T4 a detach waits for what joins the subtree while it resigns`() async {
    let root = await activeRoot()
    let (slow, latch) = (Latch(), Latch())
    let middle = ProbeRouter("middle", journal, resign: { _ in await slow.pass() })
    await root.attachChild(middle)
    let (top, child) = await dreamer(latch)
    let detach = Task.immediate {
      await root.detachChild(middle)
      journal.write("detached")
    }
    await slow.reached()
    let attach = Task.immediate { _ = await middle.attachChild(top) }
    await latch.reached()
    slow.open()
    await journal.line("middle resign ended")
    latch.open()
    await detach.value
    await attach.value
    #expect(journal.lines.suffix(2) == ["child resign ended", "detached"])
    #expect(await !child.interactor.isActive)
  }

  @Test func `T7 an activation that deactivates itself deactivates what was active below it`() async {
    let root = await activeRoot()
    let child = ProbeRouter("child", journal)
    let parent = ProbeRouter("parent", journal, active: { await $0.deactivate() })
    await parent.attachChild(child)
    #expect(await child.interactor.isActive)
    await root.attachChild(parent)
    #expect(await !parent.interactor.isActive)
    #expect(await !child.interactor.isActive)
  }

  @Test func `T7 a router attached as it resigns, and deactivated, stays dormant`() async {
    let (root, latch) = (await activeRoot(), Latch())
    let child = ProbeRouter("child", journal)
    let parent = ProbeRouter(
      "parent", journal, active: { await $0.deactivate() },
      resign: {
        await latch.pass()
        await $0.deactivate()
      })
    await parent.attachChild(child)
    let activation = Task.immediate { await parent.interactor.activate() }
    await latch.reached()
    let attach = Task.immediate { _ = await root.attachChild(parent) }
    latch.open()
    for task in [activation, attach] { await task.value }
    #expect(root.names == ["parent"])
    #expect(await !parent.interactor.isActive)
    #expect(await !child.interactor.isActive)
  }

  @Test func `T7 a parent that deactivates itself as it wakes leaves its subtree dormant`() async {
    let (root, child) = (await activeRoot(), ProbeRouter("child", journal))
    let parent = ProbeRouter("parent", journal, active: { await $0.deactivate() })
    await parent.interactor.activate()
    await parent.attachChild(child)
    await root.attachChild(parent)
    #expect(!journal.lines.contains("child active"))
  }

  @Test func `L3 T7 what has not begun to resign when its subtree is attached stays active`() async {
    let (root, latch) = (await activeRoot(), Latch())
    let (parent, first) = (ProbeRouter("parent", journal), ProbeRouter("first", journal))
    await parent.attachChild(first)
    await parent.attachChild(ProbeRouter("second", journal, resign: { _ in await latch.pass() }))
    await parent.interactor.activate()
    journal.clear()
    let deactivation = Task.immediate { await parent.interactor.deactivate() }
    await latch.reached()
    let attach = Task.immediate { _ = await root.attachChild(parent) }
    latch.open()
    for task in [deactivation, attach] { await task.value }
    let resigned = journal.lines.filter { $0.hasSuffix("resign ended") }
    #expect(resigned == ["second resign ended"])
    #expect(await first.interactor.isActive)
    #expect(await parent.children.last?.interactable.isActive == true)
  }

  @Test func `T5 an attach waits for what wakes only once its top has resigned and come back`() async {
    await explore(executions: 300) { @MainActor in
      let (journal, latch, root) = (Journal(), Latch(), ProbeRouter("root"))
      await root.interactor.activate()
      let parent = ProbeRouter("parent", resign: { _ in await latch.pass() })
      let child = ProbeRouter("child", journal)
      await parent.interactor.activate()
      // Off the main actor the attach may learn of the parent's return before those below it are woken.
      let deactivation = Task { @concurrent in await parent.interactor.deactivate() }
      await latch.reached()
      await parent.attachChild(child)
      let attach = Task.immediate {
        await root.attachChild(parent)
        journal.write("attached")
      }
      latch.open()
      for task in [deactivation, attach] { await task.value }
      #expect(journal.lines.last == "attached")
      #expect(journal.lines.contains("child load ended"))
    }
  }

  @Test func `T4 children resign last to first, be they attached in a load or beside it`() async {
    await explore(executions: 300) { @MainActor in
      let journal = Journal()
      let root = ProbeRouter("root")
      await root.interactor.activate()
      let parent = ProbeRouter("parent", load: { await $0.attachChild(ProbeRouter("in", journal)) })
      // A child that joins while something below it has yet to resign lets its parent go on.
      let (late, leaf) = (ProbeRouter("beside", journal), ProbeRouter("leaf", resign: { _ in await Task.yield() }))
      await late.attachChild(leaf)
      await late.interactor.activate()
      let detach = Task { await late.detachChild(leaf) }
      let attach = Task { _ = await root.attachChild(parent) }
      let beside = Task {
        try? await parent.interactor.lifecycle.whenActive()
        _ = await parent.attachChild(late)
      }
      await detach.value
      await beside.value
      await attach.value
      let order = parent.names
      await root.detachChild(parent)
      #expect(journal.lines.filter { $0.hasSuffix(" resign") } == order.reversed().map { "\($0) resign" })
    }
  }

  @Test func `T10 a parent without other references ends once its child has joined`() async {
    let (held, next) = (Weak<ProbeRouter>(), Weak<ProbeRouter>())
    do {
      let old = ProbeRouter("old", journal)
      let child = ProbeRouter(
        "child", journal,
        resign: { [journal] _ in
          guard journal.lines.filter({ $0 == "child resign" }).count == 1 else { return }
          // Inside the child's callback the attach returns at once: only the child's way there keeps the parent.
          let parent = await ProbeRouter("next", journal)
          next.object = parent
          if let child = held.object { await parent.attachChild(child) }
        })
      held.object = child
      await old.attachChild(child)
      await old.detachChild(child)
    }
    for _ in 0..<1_000 where held.object != nil || next.object != nil { await runOtherJobs() }
    #expect(next.object == nil)
    #expect(held.object == nil)
  }

  private func runOtherJobs() async {
    await withUnsafeContinuation { continuation in
      Task { @MainActor in continuation.resume() }
    }
  }
}
