// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@MainActor
@Suite struct RouterEndTests {
  let journal = Journal()

  private var begun: [String] { journal.lines.filter { !$0.hasSuffix("ended") } }

  private func tree() async -> ProbeRouter {
    let root = ProbeRouter("root", journal)
    await root.interactor.activate()
    for name in ["a", "b"] {
      let child = ProbeRouter(name, journal)
      await root.attachChild(child)
      await child.attachChild(ProbeRouter(name + "1", journal))
      await child.attachChild(ProbeRouter(name + "2", journal))
    }
    journal.clear()
    return root
  }

  @Test func `T10 dropping a root resigns everything below it, deepest first, and releases it`() async {
    var root: ProbeRouter? = await tree()
    let last = Weak(root)
    let below = root!.children.map { Weak($0 as? ProbeRouter) }
    let lifecycle = root!.interactor.lifecycle
    let stream = lifecycle.isActiveStream
    root = nil
    for await isActive in stream where !isActive { break }
    #expect(begun == ["b2", "b1", "b", "a2", "a1", "a", "root"].map { $0 + " resign" })
    #expect(last.object == nil)
    #expect(!lifecycle.isActive)
    await settled { below.allSatisfy { $0.object == nil } }
  }

  @Test func `T10 a router that is still referenced resigns with its root and can move`() async throws {
    var root: ProbeRouter? = await tree()
    let held = try #require(root?.children.first as? ProbeRouter)
    let stream = held.interactor.isActiveStream
    root = nil
    for await isActive in stream where !isActive { break }
    #expect(held.names == ["a1", "a2"])
    let other = ProbeRouter("other", journal)
    await other.attachChild(held)
    #expect(await held.interactor.isActive)
  }

  @Test func `T10 a child is released though its parent's interactor has a new router`() async {
    let (interactor, child, latch) = (ProbeInteractor("parent"), Weak<ProbeRouter>(), Latch())
    var old: Router<ProbeInteractor>? = Router(interactor: interactor)
    await interactor.activate()
    do {
      let made = ProbeRouter("child", resign: { _ in await latch.pass() })
      child.object = made
      await old?.attachChild(made)
    }
    old = nil
    await latch.reached()
    let new = Router(interactor: interactor)
    latch.open()
    await settled { child.object == nil }
    #expect(child.object == nil)
    #expect(new.children.isEmpty)
  }

  @Test func `T4 a router has no child that left while its former parent was released`() async {
    await explore(executions: 300) { @MainActor in
      let (dormant, known, latch) = (ProbeRouter("dormant"), Weak<ProbeRouter>(), Latch())
      await dormant.interactor.activate()
      await dormant.interactor.deactivate()
      var former: ProbeRouter? = ProbeRouter("former")
      known.object = former
      await former?.interactor.activate()
      let moving = Weak<ProbeRouter>()
      let journal = Journal()
      let mover = ProbeRouter(
        "mover", journal,
        resign: { _ in
          if let mover = moving.object { await known.object?.detachChild(mover) }
          await latch.pass()
        })
      moving.object = mover
      await former?.attachChild(ProbeRouter("other"))
      await former?.attachChild(mover)
      let deactivating = Task { await mover.interactor.deactivate() }
      await latch.reached()
      let attaching = Task.immediate { await dormant.attachChild(mover) }
      latch.open()
      await journal.line("mover resign ended")
      former = nil
      let detaching = Task.immediate { await dormant.detachChild(mover) }
      _ = await (attaching.value, detaching.value, deactivating.value)
      await Execution.settle()
      #expect(dormant.names.isEmpty)
      await dormant.attachChild(mover)
      #expect(dormant.names == ["mover"])
    }
  }

  @Test func `L2 another routing resigns that is activated while it leaves`() async {
    let (root, latch) = (ProbeRouter("root"), Latch())
    await root.interactor.activate()
    let strange = StrangeRouter("strange", journal, resign: { _ in await latch.pass() })
    await root.attachChild(strange)
    let detaching = Task.immediate { await root.detachChild(strange) }
    await latch.reached()
    let activating = Task.immediate { await strange.probe.activate() }
    latch.open()
    _ = await (detaching.value, activating.value)
    await strange.probe.deactivate()
    #expect(await !strange.probe.isActive)
    #expect(begun == ["strange active", "strange resign", "strange active", "strange resign"])
  }

  @Test func `T10 the bound tasks of all below are cancelled`() async {
    let started = Latch()
    var root: ProbeRouter? = ProbeRouter("root", journal)
    await root?.interactor.activate()
    await root?.attachChild(
      ProbeRouter(
        "child", journal,
        active: { [journal] interactor in
          interactor.task {
            await started.pass()
            await untilCancelled()
            journal.write("cancelled")
          }
        }))
    started.open()
    root = nil
    await journal.line("cancelled")
  }

  @Test func `T10 a child is deactivated while the interactor of its released router activates`() async {
    let latch = Latch()
    var parent: ProbeRouter? = ProbeRouter("parent", journal, active: { _ in await latch.pass() })
    // That a type keeps the defaults is known once they were called.
    let first = PlainInteractor()
    await first.activate()
    await first.deactivate()
    let child = Router(interactor: PlainInteractor())
    await parent?.attachChild(child)
    let activation = Task { [interactor = parent!.interactor] in await interactor.activate() }
    await latch.reached()
    parent = nil
    await child.interactor.deactivate()
    #expect(await !child.interactor.isActive)
    latch.open()
    await activation.value
  }

  @Test func `T13 a parent that goes away leaves alone what has moved on`() async {
    var root: ProbeRouter? = await tree()
    let other = ProbeRouter("other", journal)
    await other.interactor.activate()
    let moved = root!.children[0] as! ProbeRouter
    let lifecycle = root!.interactor.lifecycle
    let stream = lifecycle.isActiveStream
    await root!.detachChild(moved)
    await other.attachChild(moved)
    journal.clear()
    root = nil
    for await isActive in stream where !isActive { break }
    #expect(await moved.interactor.isActive)
    #expect(!begun.contains("a resign"))
  }

  @Test func `T13 what is released with an inactive parent is free again`() async {
    var parent: ProbeRouter? = ProbeRouter("parent", journal)
    let child = StrangeRouter("child", journal)
    await parent!.attachChild(child)
    let stream = child.interactable.isActiveStream
    parent = nil
    for await isActive in stream where !isActive { break }
    let other = ProbeRouter("other", journal)
    await other.attachChild(child)
    #expect(other.children.count == 1)
  }

  @Test func `T13 a child that a foreign routing gives away is released, its number is free`() async {
    let (root, foreign) = (ProbeRouter("root", journal), StrangeRouter("foreign", journal))
    await root.interactor.activate()
    var child: ProbeRouter? = ProbeRouter("child", journal)
    let last = Weak(child?.interactor)
    await foreign.attachChild(child!)
    // The tree asks for its children.
    await root.attachChild(foreign)
    let stream = child!.interactor.isActiveStream
    foreign.forget(child!)
    child = nil
    for await isActive in stream where !isActive { break }
    await settled { last.object == nil }
    let others = (0..<4).map { ProbeRouter("other \($0)", journal) }
    for other in others { await other.interactor.activate() }
    await root.detachChild(foreign)
    #expect(others.allSatisfy { $0.interactor.lifecycle.inspection.isActive })
    #expect(!foreign.probe.lifecycle.inspection.isActive)
  }

  @Test func `T1 an attach returns though another routing drops the child that it wakes`() async {
    await explore(executions: 100) { @MainActor in
      let (root, strange, latch) = (ProbeRouter("root"), StrangeRouter("strange"), Latch())
      await root.interactor.activate()
      strange.keep(ProbeRouter("child", active: { _ in await latch.pass() }))
      let attaching = Task.immediate { await root.attachChild(strange) }
      await latch.reached()
      strange.forget(strange.children[0])
      latch.open()
      #expect(await attaching.value)
      #expect(await strange.probe.isActive)
    }
  }

  /// Releases happen on the main actor, one after the other: its other jobs run in between.
  private func settled(_ condition: () -> Bool) async {
    for _ in 0..<1_000_000 where !condition() { await runOtherJobs() }
    #expect(condition())
  }

  private func runOtherJobs() async {
    await withUnsafeContinuation { continuation in
      Task { @MainActor in continuation.resume() }
    }
  }
}
