// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// The views of a slot: one change at a time, in the order of the children.
@MainActor
@Suite struct SlotViewsTests {
  private let root = ProbeRouter("root")

  @Test func `a transition gets the child that leaves and the one that comes`() async {
    let journal = Journal()
    let slot = ChildSlot<ProbeRouter>(of: root) {
      journal.write("\($0?.name ?? "nothing") to \($1?.name ?? "nothing")")
    }
    let first = await slot.show { ProbeRouter("first") }
    await slot.show { ProbeRouter("second") }
    await slot.clear()
    await slot.clear()
    #expect(journal.lines == ["nothing to first", "first to second", "second to nothing"])
    #expect(first != nil)
  }

  @Test func `a call waits for the transition that is under way, and then for its own`() async {
    let (journal, latch) = (Journal(), Latch())
    let slot = ChildSlot<ProbeRouter>(of: root) { _, coming in
      journal.write("begin \(coming?.name ?? "nothing")")
      await latch.pass()
      journal.write("end \(coming?.name ?? "nothing")")
    }
    let early = Task.immediate { await slot.show { ProbeRouter("early") } }
    await latch.reached()
    let late = Task.immediate {
      await slot.show { ProbeRouter("late") }
      journal.write("late is shown")
    }
    await Task { await Task.yield() }.value
    #expect(journal.lines == ["begin early"])
    latch.open()
    _ = await early.value
    await late.value
    #expect(journal.lines == ["begin early", "end early", "begin late", "end late", "late is shown"])
  }

  @Test func `a child that is detached while its views appear is not returned`() async {
    let latch = Latch()
    let slot = ChildSlot<ProbeRouter>(of: root) { _, _ in await latch.pass() }
    let showing = Task.immediate { await slot.show { ProbeRouter("child") } }
    await latch.reached()
    if let child = slot.child { await root.detachChild(child) }
    latch.open()
    #expect(await showing.value == nil)
    #expect(slot.child == nil)
    #expect(root.names.isEmpty)
  }

  @Test func `a child that leaves by another way takes its views along, and nothing keeps it`() async {
    let result = await Explorer().run { @MainActor in
      let (root, weak) = (ProbeRouter("root"), Weak<ProbeRouter>())
      var views: [String] = []
      let slot = ChildSlot<ProbeRouter>(of: root) {
        views.append("\($0?.name ?? "nothing") to \($1?.name ?? "nothing")")
      }
      do {
        guard let child = await slot.show({ ProbeRouter("child") }) else { return }
        weak.object = child
        await root.detachChild(child)
      }
      await Execution.settle()
      #expect(views == ["nothing to child", "child to nothing"])
      #expect(weak.object == nil)
      // Kept until here, without a next call.
      #expect(slot.child == nil)
    }
    #expect(result.failure == nil)
  }

  @Test func `a child that comes back after it was detached keeps its views`() async {
    let (journal, latch) = (Journal(), Latch())
    let slot = ChildSlot<ProbeRouter>(of: root) { journal.write("\($1?.name ?? "nothing")") }
    await root.interactor.activate()
    let child = ProbeRouter("child", resign: { _ in await latch.pass() })
    await slot.show { child }
    let detaching = Task.immediate { await root.detachChild(child) }
    await latch.reached()
    let showing = Task.immediate { await slot.show { child } }
    latch.open()
    await detaching.value
    #expect(await showing.value === child)
    #expect(journal.lines == ["child"])
    #expect(slot.child === child)
  }

  @Test func `a call from inside a transition does not wait for its own`() async {
    let journal = Journal()
    var inner: (() async -> Void)?
    let slot = ChildSlot<ProbeRouter>(of: root) { leaving, coming in
      journal.write("begin \(coming?.name ?? "nothing")")
      if leaving == nil { await inner?() }
      journal.write("end \(coming?.name ?? "nothing")")
    }
    inner = { [unowned slot] in await slot.show { ProbeRouter("second") } }
    await slot.show { ProbeRouter("first") }
    #expect(journal.lines == ["begin first", "end first", "begin second", "end second"])
    #expect(root.names == ["second"])
  }

  @Test func `T10 a slot that is cleared when its parent is gone keeps no child`() async {
    await explore(executions: 20) { @MainActor in
      var parent: ProbeRouter? = ProbeRouter("parent")
      let (child, latch) = (Weak<ProbeRouter>(), Latch())
      await parent?.interactor.activate()
      let slot = parent.map { ChildSlot<ProbeRouter>(of: $0) { _, _ in } }
      await slot?.show {
        let made = ProbeRouter("child", resign: { _ in await latch.pass() })
        child.object = made
        return made
      }
      parent = nil
      await latch.reached()
      await slot?.clear()
      latch.open()
      await CurrentExecution.scope?.quiescence()
      #expect(child.object == nil)
      withExtendedLifetime(slot) {}
    }
  }

  @Test func `T14 a transition is not cancelled with the call that began it`() async {
    let (journal, latch) = (Journal(), Latch())
    let slot = ChildSlot<ProbeRouter>(of: root) { _, _ in
      await latch.pass()
      journal.write("cancelled: \(Task.isCancelled)")
    }
    let showing = Task.immediate { await slot.show { ProbeRouter("child") } }
    await latch.reached()
    showing.cancel()
    latch.open()
    #expect(await showing.value?.name == "child")
    #expect(journal.lines == ["cancelled: false"])
  }

  @Test func `T14 a transition is not cancelled with the callback that began it`() async {
    await root.interactor.activate()
    let (journal, latch) = (Journal(), Latch())
    let slot = ChildSlot<ProbeRouter>(of: root) { _, coming in
      await latch.pass()
      journal.write("\(coming?.name ?? "nothing"), cancelled: \(Task.isCancelled)")
    }
    let child = ProbeRouter("child", active: { _ in await slot.show { ProbeRouter("login") } })
    let showing = Task.immediate { await slot.show { child } }
    await latch.reached()
    latch.open()
    _ = await showing.value
    #expect(journal.lines == ["login, cancelled: false"])
    #expect(root.names == ["login"])
  }

  @Test func `a slot keeps no child that has left, and its views no parent`() async {
    let (first, parent) = (Weak<ProbeRouter>(), Weak<ProbeRouter>())
    do {
      let router = ProbeRouter("parent")
      parent.object = router
      let slot = ChildSlot<ProbeRouter>(of: router) { [weak router] _, _ in _ = router }
      await slot.show {
        let child = ProbeRouter("first")
        first.object = child
        return child
      }
      await slot.show { ProbeRouter("second") }
      #expect(first.object == nil)
    }
    #expect(parent.object == nil)
  }

  @Test func `transitions follow each other without a gap, whatever the schedule`() async {
    await explore(executions: 300) { @MainActor in
      let root = ProbeRouter("root")
      await root.interactor.activate()
      var (onScreen, underWay): (String?, Int) = (nil, 0)
      let slot = ChildSlot<ProbeRouter>(of: root) { leaving, coming in
        #expect(underWay == 0)
        #expect(leaving?.name == onScreen)
        #expect(leaving?.name != coming?.name)
        onScreen = coming?.name
        underWay += 1
        for _ in 0..<Execution.draw(.int(in: 0...2)) { await Task.yield() }
        underWay -= 1
      }
      let tasks = (0..<4).map { number in
        Task {
          let call = Execution.draw(.int(in: 0...5))
          if call == 0 { return await slot.clear() }
          // A child that leaves by another way ends its views, too.
          if call == 1, let child = slot.child { return await root.detachChild(child) }
          await slot.show {
            for _ in 0..<Execution.draw(.int(in: 0...2)) { await Task.yield() }
            return ProbeRouter("\(number)", active: { _ in await Task.yield() })
          }
        }
      }
      for task in tasks { await task.value }
      await Execution.settle()
      #expect(underWay == 0)
      #expect([onScreen].compactMap(\.self) == root.names)
    }
  }
}
