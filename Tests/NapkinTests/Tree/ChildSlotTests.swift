// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization
import Testing

@MainActor private final class SlottedProbe: Router<ProbeInteractor> {
  private(set) lazy var slot = ChildSlot<ProbeRouter>(of: self)

  init(_ name: String) { super.init(interactor: ProbeInteractor(name)) }
}

@MainActor private final class ShownRouter: Router<ProbeInteractor> {
  init() { super.init(interactor: ProbeInteractor()) }
}

/// A slot's children: the last one stays.
@MainActor
@Suite struct ChildSlotTests {
  private let root = ProbeRouter("root")

  private func activeSlot() async -> ChildSlot<ProbeRouter> {
    await root.interactor.activate()
    return ChildSlot(of: root)
  }

  @Test func `a slot attaches what is shown, in the place of what was there`() async {
    let (slot, journal) = (await activeSlot(), Journal())
    #expect(slot.child == nil)
    let first = await slot.show { ProbeRouter("first", journal) }
    #expect(first?.name == "first")
    #expect(slot.child === first)
    let second = await slot.show { ProbeRouter("second", journal) }
    #expect(slot.child === second)
    #expect(root.names == ["second"])
    let begun = journal.lines.filter { !$0.hasSuffix("ended") }
    #expect(begun == ["first active", "first load", "first resign", "second active", "second load"])
    await slot.clear()
    #expect(slot.child == nil)
    #expect(root.names.isEmpty)
  }

  @Test func `a slot takes a child by its protocol`() async {
    await root.interactor.activate()
    let slot = ChildSlot<any Routing>(of: root)
    let child = await slot.show { ProbeRouter("child") }
    #expect((child as? ProbeRouter)?.name == "child")
  }

  @Test func `what is there stays while the next child is built`() async {
    let (slot, latch) = (await activeSlot(), Latch())
    await slot.show { ProbeRouter("first") }
    let showing = Task.immediate {
      await slot.show {
        await latch.pass()
        return ProbeRouter("second")
      }
    }
    await latch.reached()
    #expect(slot.child?.name == "first")
    #expect(root.names == ["first"])
    latch.open()
    #expect(await showing.value?.name == "second")
    #expect(root.names == ["second"])
  }

  @Test func `a child that is superseded while it is built is released, and never active`() async {
    let (slot, latch, journal) = (await activeSlot(), Latch(), Journal())
    let weak = Weak<ProbeRouter>()
    let early = Task.immediate { () -> Bool in
      let shown = await slot.show {
        await latch.pass()
        let child = ProbeRouter("early", journal)
        weak.object = child
        return child
      }
      return shown == nil
    }
    await latch.reached()
    let late = await slot.show { ProbeRouter("late", journal) }
    latch.open()
    #expect(await early.value)
    #expect(weak.object == nil)
    #expect(slot.child === late)
    #expect(!journal.lines.contains("early active"))
  }

  @Test func `a clear wins over a build that began before it`() async {
    let (slot, latch, journal) = (await activeSlot(), Latch(), Journal())
    await slot.show { ProbeRouter("first") }
    let showing = Task.immediate {
      await slot.show {
        await latch.pass()
        return ProbeRouter("second", journal)
      }
    }
    await latch.reached()
    await slot.clear()
    latch.open()
    #expect(await showing.value == nil)
    #expect(slot.child == nil)
    #expect(root.names.isEmpty)
    #expect(journal.lines.isEmpty)
  }

  @Test func `a later call cancels an activation, and returns when that child has left`() async {
    let (slot, begun) = (await activeSlot(), Latch())
    let early = Task.immediate {
      await slot.show {
        ProbeRouter(
          "early",
          active: { _ in
            begun.open()
            await untilCancelled()
          })
      }
    }
    await begun.pass()
    let late = await slot.show { ProbeRouter("late") }
    #expect(late?.name == "late")
    #expect(root.names == ["late"])
    #expect(await early.value == nil)
  }

  @Test func `a call from inside the callbacks of the child does not wait for them`() async {
    let slot = await activeSlot()
    let moves = Journal()
    let early = await slot.show {
      ProbeRouter(
        "early",
        active: { _ in
          await slot.show {
            ProbeRouter("from active", resign: { _ in await slot.show { ProbeRouter("from resign") } })
          }
          moves.write("moved")
        })
    }
    #expect(early == nil)
    #expect(moves.lines == ["moved"])
    #expect(slot.child?.name == "from active")
    await slot.clear()
    #expect(slot.child?.name == "from resign", "it was called after the clear")
    await slot.clear()
    #expect(root.names.isEmpty)
  }

  @Test func `a call in a callback does not wait for a transition that waits for it`() async {
    await explore(executions: 50) { @MainActor in
      let (root, known, latch) = (ProbeRouter("root"), Weak<ChildSlot<ProbeRouter>>(), Latch())
      let other = ProbeInteractor(active: { _ in
        await latch.pass()
        await known.object?.show { ProbeRouter("second") }
      })
      let slot = ChildSlot<ProbeRouter>(of: root) { _, _ in
        latch.open()
        await other.activate()
      }
      known.object = slot
      let activating = Task { await other.activate() }
      await latch.reached()
      await slot.show { ProbeRouter("first") }
      await activating.value
      #expect(root.names == ["second"])
    }
  }

  @Test func `transitions of two slots with calls of each other do not wait for each other`() async {
    await explore(executions: 100) { @MainActor in
      let root = ProbeRouter("root")
      let known = (0..<2).map { _ in Weak<ChildSlot<ProbeRouter>>() }
      let slots = (0..<2).map { index in
        ChildSlot<ProbeRouter>(of: root) { _, coming in
          await Task.yield()
          if coming?.name == "\(index)" { await known[1 - index].object?.show { ProbeRouter("inside \(index)") } }
        }
      }
      for (weak, slot) in zip(known, slots) { weak.object = slot }
      let calls = (0..<2).map { index in Task { await slots[index].show { ProbeRouter("\(index)") } } }
      for call in calls { _ = await call.value }
      #expect(root.names.count == 2)
    }
  }

  @Test func `to show the child that is there changes nothing, and one that leaves comes back`() async {
    let (slot, journal, latch) = (await activeSlot(), Journal(), Latch())
    let child = ProbeRouter("child", journal, resign: { _ in await latch.pass() })
    await slot.show { child }
    #expect(await slot.show { child } === child)
    #expect(!journal.lines.contains("child resign"))
    let clearing = Task.immediate { await slot.clear() }
    await latch.reached()
    let showing = Task.immediate { await slot.show { child } }
    latch.open()
    await clearing.value
    #expect(await showing.value === child)
    #expect(root.names == ["child"])
    await root.detachChild(child)
    #expect(await slot.show { child } === child, "the slot had it, and the parent did not")
    #expect(root.names == ["child"])
  }

  @Test func `a slot does not keep its parent, and does nothing when that is gone`() async {
    let latch = Latch()
    var parent: ProbeRouter? = ProbeRouter("parent")
    let weak = Weak(parent)
    let slot = parent.map { ChildSlot<ProbeRouter>(of: $0) }
    await slot?.show { ProbeRouter("first") }
    let showing = Task.immediate {
      await slot?.show {
        await latch.pass()
        return ProbeRouter("second")
      }
    }
    await latch.reached()
    parent = nil
    #expect(weak.object == nil)
    latch.open()
    #expect(await showing.value == nil)
    await slot?.clear()
    #expect(slot?.child == nil)
  }

  @Test func `a slot whose parent is gone builds nothing`() async {
    let slot = ChildSlot<ProbeRouter>(of: ProbeRouter("parent"))
    var hasBuilt = false
    let shown = await slot.show {
      hasBuilt = true
      return ProbeRouter("late")
    }
    #expect(shown == nil)
    #expect(!hasBuilt)
  }

  @Test(arguments: [false, true])
  func `T10 a slot that outlives its parent keeps none of its children`(hasViews: Bool) async {
    await explore(executions: 50) { @MainActor in
      var parent: ProbeRouter? = ProbeRouter("parent")
      let child = Weak<ProbeRouter>()
      var transition: ChildSlot<ProbeRouter>.Transition?
      if hasViews { transition = { _, _ in await CurrentExecution.schedulingPoint() } }
      let slot = parent.map { ChildSlot<ProbeRouter>(of: $0, transition: transition) }
      await slot?.show {
        let made = ProbeRouter("child")
        child.object = made
        return made
      }
      parent = nil
      await CurrentExecution.scope?.quiescence()
      #expect(child.object == nil)
      withExtendedLifetime(slot) {}
    }
  }

  @Test func `a slot has no child once that has left by another way, or its parent is gone`() async {
    var parent: ProbeRouter? = ProbeRouter("parent")
    let slot = parent.map { ChildSlot<ProbeRouter>(of: $0) }
    let child = await slot?.show { ProbeRouter("first") }
    if let child { await parent?.detachChild(child) }
    #expect(slot?.child == nil)
    let second = await slot?.show { ProbeRouter("second") }
    #expect(second != nil && slot?.child === second)
    parent = nil
    #expect(slot?.child == nil)
  }

  @Test func `a slot below a child that it has had keeps neither of them`() async {
    let (upper, lower) = (Weak<ProbeRouter>(), Weak<SlottedProbe>())
    do {
      let (above, parent) = (ProbeRouter("above"), SlottedProbe("parent"))
      (upper.object, lower.object) = (above, parent)
      await parent.slot.show { above }
      await parent.detachChild(above)
      await above.attachChild(parent)
    }
    #expect(upper.object == nil && lower.object == nil)
  }

  @Test func `a slot calls a parent that does more than its node, and one that is no router`() async {
    let mock = MockRouter()
    await ((mock.interactable as? MockInteractor)?.activate())
    let (first, second) = (ProbeRouter("first"), ProbeRouter("second"))
    let slot = ChildSlot<any Routing>(of: mock)
    await slot.show { first }
    await slot.show { second }
    #expect(mock.events.suffix(3) == [.attachChild(first), .detachChild(first), .attachChild(second)])
    let strange = StrangeRouter("strange")
    let other = ChildSlot<any Routing>(of: strange)
    await slot.clear()
    #expect(await other.show { first } === first)
    #expect(await other.show { second } === second)
    #expect(strange.children.map { $0 === second } == [true])
    await other.clear()
    #expect(strange.children.isEmpty)
  }

  @Test func `to show what was attached by another way is misuse, and changes nothing`() async {
    let watcher = Watcher(taking: "ShownRouter")
    let (slot, child) = (ChildSlot<any Routing>(of: root), ShownRouter())
    await root.attachChild(child)
    await slot.show { child }
    #expect(watcher.misuses.map(\.rule) == ["T2"])
    #expect(root.children.count == 1)
    watcher.stop()
  }

  @Test func `of calls at once the last one's child stays, whatever the schedule`() async {
    await explore(executions: 300) { @MainActor in
      let root = ProbeRouter("root")
      await root.interactor.activate()
      let slot = ChildSlot<ProbeRouter>(of: root)
      let calls = Mutex<[String]>([])
      let released = Mutex<[Weak<ProbeRouter>]>([])
      let tasks = (0..<4).map { number in
        Task {
          calls.withLock { $0.append("\(number)") }
          guard Execution.draw(.int(in: 0...3)) > 0 else {
            calls.withLock { $0[$0.count - 1] = "clear" }
            return await slot.clear()
          }
          let shown = await slot.show {
            for _ in 0..<Execution.draw(.int(in: 0...2)) { await Task.yield() }
            let child = ProbeRouter(
              "\(number)", active: { _ in await Task.yield() }, resign: { _ in await Task.yield() })
            released.withLock { $0.append(Weak(child)) }
            return child
          }
          #expect(shown == nil || calls.withLock { $0.last } == shown?.name)
        }
      }
      for task in tasks { await task.value }
      let last = calls.withLock { $0.last }
      #expect(root.names == (last == "clear" ? [] : [last]))
      #expect((slot.child?.name ?? "clear") == last)
      let living = released.withLock { $0.compactMap(\.object).map(\.name) }
      #expect(living == root.names)
    }
  }
}

/// A router whose misuse the watcher of one test takes.
@MainActor private final class AnsweredRouter: Router<ProbeInteractor> {
  init() { super.init(interactor: ProbeInteractor()) }
}

@MainActor
@Suite struct AttachAnswerTests {
  private let root = ProbeRouter("root")

  @Test func `an attach says that the child is attached, if only dormant`() async {
    await root.interactor.activate()
    #expect(await root.attachChild(ProbeRouter("child")))
    await root.interactor.deactivate()
    #expect(await root.attachChild(ProbeRouter("dormant")))
  }

  @Test func `an attach says that a detach has superseded it`() async {
    let begun = Latch()
    await root.interactor.activate()
    let child = ProbeRouter(
      "child",
      active: { _ in
        begun.open()
        await untilCancelled()
      })
    let root = root
    let attach = Task.immediate { await root.attachChild(child) }
    await begun.pass()
    await root.detachChild(child)
    #expect(await !attach.value)
  }

  @Test func `an attach that is misuse says that nothing is attached`() async {
    let watcher = Watcher(taking: "AnsweredRouter")
    let (other, child) = (ProbeRouter("other"), AnsweredRouter())
    await root.attachChild(child)
    #expect(await !other.attachChild(child))
    #expect(watcher.misuses.map(\.rule) == ["T2"])
    watcher.stop()
  }

  @Test func `a routing whose attach answers nothing answers by its children`() async {
    let strange: any Routing = StrangeRouter("strange")
    #expect(await strange.attachChild(ProbeRouter("child")))
    let mock: any Routing = MockRouter()
    #expect(await mock.attachChild(ProbeRouter("child")))
  }
}
