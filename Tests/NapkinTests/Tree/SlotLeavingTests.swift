// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// A slot's child that leaves slowly, as other calls see it (T14).
@MainActor
@Suite struct SlotLeavingTests {
  @Test func `T14 a clear waits for a child that has cleared the slot itself`() async {
    await explore(executions: 200) { @MainActor in
      let login = await Login()
      await login.isCleared.reached()
      await login.slot.clear()
      #expect(login.root.names.isEmpty)
      #expect(await !login.child.interactor.isActive)
      await login.showing.value
    }
  }

  @Test func `T14 no child is attached beside one that has cleared the slot itself`() async {
    await explore(executions: 200) { @MainActor in
      let login = await Login()
      await login.isCleared.reached()
      let home = await login.slot.show { ProbeRouter("home", login.journal) }
      #expect(login.root.names == ["home"])
      #expect(login.slot.child === home)
      let end = login.journal.lines.firstIndex(of: "login resign ended")
      let start = login.journal.lines.firstIndex(of: "home active")
      #expect(end.map { end in start.map { end < $0 } ?? false } == true)
      await login.showing.value
    }
  }

  @Test func `T14 a clear waits for a child that shows another from its callback`() async {
    await explore(executions: 200) { @MainActor in
      let login = await Login(shows: { ProbeRouter("welcome") })
      await login.isCleared.reached()
      await login.slot.clear()
      #expect(login.root.names.isEmpty)
      #expect(await !login.child.interactor.isActive)
      await login.showing.value
    }
  }

  @Test func `T14 a clear waits below a parent that is no plain router, too`() async {
    await explore(executions: 200) { @MainActor in
      let mock = MockRouter()
      await ((mock.interactable as? MockInteractor)?.activate())
      let login = await Login(below: mock)
      await login.isCleared.reached()
      await login.slot.clear()
      #expect(mock.children.isEmpty)
      #expect(await !login.child.interactor.isActive)
      await login.showing.value
    }
  }

  @Test func `T14 a call from a callback waits for no child that waits for it`() async {
    await explore(executions: 200) { @MainActor in
      let login = await Login(shows: { ProbeRouter("welcome") }, twice: true)
      await login.showing.value
      await Execution.settle()
      #expect(login.root.names == ["welcome"])
      await login.slot.clear()
      #expect(login.root.names.isEmpty)
    }
  }

  @Test func `T14 a clear about one child leaves another one that has taken its place`() async {
    let exploration = await explore(executions: 300) { @MainActor in
      let (root, journal) = (ProbeRouter("root"), Journal())
      await root.interactor.activate()
      let slot = ChildSlot<ProbeRouter>(of: root) {
        journal.write("\($0?.name ?? "nothing") to \($1?.name ?? "nothing")")
        await Task.yield()
      }
      let second = ProbeRouter("second")
      await slot.show { second }
      let linked = Task {
        await slot.show {
          await Task.yield()
          return ProbeRouter("third")
        }
      }
      await slot.clear(second)
      #expect(!root.names.contains("second"))
      #expect(await linked.value?.name == "third")
      await slot.clear(second)
      #expect(root.names == ["third"])
      #expect(journal.lines.last?.hasSuffix("to third") == true)
      if let third = slot.child { await slot.clear(third) }
      #expect(root.children.isEmpty && slot.child == nil)
      #expect(journal.lines.last == "third to nothing")
    }
    #expect(exploration.failure == nil)
  }

  @Test func `T14 a clear about a child that waits for the one before takes the place from it`() async {
    let (root, resigning, building) = (ProbeRouter("root"), Latch(), Latch())
    await root.interactor.activate()
    let slot = ChildSlot<ProbeRouter>(of: root)
    await slot.show { ProbeRouter("first", resign: { _ in await resigning.pass() }) }
    let second = ProbeRouter("second")
    let showing = Task.immediate { await slot.show { second } }
    await resigning.reached()
    let next = Task.immediate {
      await slot.show {
        await building.pass()
        return ProbeRouter("third")
      }
    }
    await building.reached()
    await slot.clear(second)
    resigning.open()
    #expect(await showing.value == nil)
    #expect(root.children.isEmpty)
    building.open()
    #expect(await next.value?.name == "third")
  }

  @Test func `T14 the views of a cleared child go when it has left, though another is built`() async {
    let (root, journal) = (ProbeRouter("root"), Journal())
    let (resigning, building) = (Latch(), Latch())
    await root.interactor.activate()
    let slot = ChildSlot<ProbeRouter>(of: root) {
      journal.write("\($0?.name ?? "nothing") to \($1?.name ?? "nothing")")
    }
    await slot.show { ProbeRouter("account", resign: { _ in await resigning.pass() }) }
    let clearing = Task.immediate { await slot.clear() }
    await resigning.reached()
    let showing = Task.immediate {
      await slot.show {
        await building.pass()
        return ProbeRouter("login")
      }
    }
    await building.reached()
    #expect(journal.lines == ["nothing to account"])
    resigning.open()
    await clearing.value
    #expect(journal.lines.last == "account to nothing")
    building.open()
    #expect(await showing.value?.name == "login")
    #expect(journal.lines.last == "nothing to login")
  }

  @Test func `a place is taken from the call that shows a child until one that clears it`() async {
    let (root, building, resigning) = (ProbeRouter("root"), Latch(), Latch())
    await root.interactor.activate()
    let slot = ChildSlot<ProbeRouter>(of: root)
    #expect(!slot.isTaken)
    let showing = Task.immediate {
      await slot.show {
        await building.pass()
        return ProbeRouter("child", resign: { _ in await resigning.pass() })
      }
    }
    await building.reached()
    #expect(slot.isTaken && slot.child == nil)
    building.open()
    _ = await showing.value
    #expect(slot.isTaken)
    let clearing = Task.immediate { await slot.clear() }
    #expect(!slot.isTaken)
    await resigning.reached()
    #expect(!slot.isTaken && root.names == ["child"])
    resigning.open()
    await clearing.value
    #expect(!slot.isTaken)
  }

  @Test func `a place is not taken where the build was cleared, or the child left otherwise`() async {
    let building = Latch()
    var root: ProbeRouter? = ProbeRouter("root")
    let slot = root.map { ChildSlot<ProbeRouter>(of: $0) }
    let build = { @MainActor @Sendable in
      await building.pass()
      return ProbeRouter("child")
    }
    let early = Task.immediate { await slot?.show(build) }
    await building.reached()
    await slot?.clear()
    #expect(slot?.isTaken == false)
    let late = Task.immediate { await slot?.show(build) }
    #expect(slot?.isTaken == true)
    building.open()
    #expect(await early.value == nil)
    let child = await late.value
    #expect(slot?.isTaken == true)
    if let child { await root?.detachChild(child) }
    #expect(slot?.isTaken == false)
    root = nil
    await slot?.show(build)
    #expect(slot?.isTaken == false)
  }

  @Test func `a second tap that finds the place taken builds nothing`() async {
    await explore(executions: 200) { @MainActor in
      let root = ProbeRouter("root")
      let slot = ChildSlot<ProbeRouter>(of: root)
      var builds = 0
      @MainActor func tap() async -> Bool {
        guard !slot.isTaken else { return false }
        return await slot.show {
          builds += 1
          await Task.yield()
          return ProbeRouter("child")
        } != nil
      }
      let taps = (0..<2).map { _ in Task { await tap() } }
      var shown = 0
      for tap in taps where await tap.value { shown += 1 }
      #expect(builds == 1)
      #expect(shown == 1)
    }
  }
}

/// A child that is shown, and calls its slot when it becomes active; it takes its time to end its callbacks.
@MainActor
private final class Login {
  let root = ProbeRouter("root")
  let journal = Journal()
  let slot: ChildSlot<ProbeRouter>
  let child: ProbeRouter
  /// Reached when the call from inside has returned.
  let isCleared = Latch()
  let showing: Task<Void, Never>

  init(
    below parent: (any Routing)? = nil, shows: (@MainActor @Sendable () -> ProbeRouter)? = nil, twice: Bool = false
  ) async {
    let slot = ChildSlot<ProbeRouter>(of: parent ?? root)
    let isCleared = isCleared
    let child = ProbeRouter(
      "login", journal,
      active: { _ in
        if let shows { await slot.show { shows() } } else { await slot.clear() }
        if twice { await slot.show { ProbeRouter("welcome") } }
        isCleared.open()
        await isCleared.pass()
        await Task.yield()
      },
      resign: { _ in
        await Task.yield()
        await Task.yield()
      })
    await root.interactor.activate()
    self.slot = slot
    self.child = child
    showing = Task { await slot.show { child } }
  }
}
