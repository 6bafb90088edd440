// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// `whenActive()`, moment by moment (L11).
@MainActor
@Suite struct WhenActiveTests {
  private let journal = Journal()

  private func activeRoot() async -> ProbeRouter {
    let root = ProbeRouter("root", journal)
    await root.interactor.activate()
    return root
  }

  /// Begins to wait, and writes the result into the journal.
  private func wait(for router: ProbeRouter) -> Task<Void, Never> { wait(for: router.interactor) }

  private func wait(for interactor: ProbeInteractor) -> Task<Void, Never> { Self.wait(for: interactor, journal) }

  private static func wait(for interactor: ProbeInteractor, _ journal: Journal) -> Task<Void, Never> {
    Task.immediate { [lifecycle = interactor.lifecycle, name = interactor.name, journal] in
      do {
        try await lifecycle.whenActive()
        journal.write("\(name) is active")
      } catch {
        journal.write("\(name) is void")
      }
    }
  }

  @Test func `L11 a wait for what is active returns at once`() async throws {
    let root = await activeRoot()
    try await root.interactor.lifecycle.whenActive()
    _ = wait(for: root)
    #expect(journal.lines.last == "root is active")
  }

  @Test func `L11 a wait returns when didBecomeActive has returned`() async {
    let latch = Latch()
    let it = ProbeInteractor("it", journal) { _ in await latch.pass() }
    let waiting = wait(for: it)
    let activation = Task.immediate { await it.activate() }
    await latch.reached()
    let later = wait(for: it)
    #expect(journal.lines == ["it active"])
    latch.open()
    for task in [waiting, later, activation] { await task.value }
    #expect(journal.lines == ["it active", "it active ended", "it is active", "it is active"])
  }

  @Test func `L11 a task that is cancelled waits no more, and its wait is forgotten`() async {
    let it = ProbeInteractor("it", journal)
    let waiting = wait(for: it)
    waiting.cancel()
    await waiting.value
    #expect(journal.lines == ["it is void"])
    await it.activate()
    let late = Task { [lifecycle = it.lifecycle] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await (try? lifecycle.whenActive()) == nil
    }
    #expect(await late.value, "cancelled before the call")
  }

  @Test func `L11 a detach ends a wait, though the router is held`() async {
    let (root, latch) = (await activeRoot(), Latch())
    let child = ProbeRouter("child", journal, active: { _ in await latch.pass() })
    let attach = Task.immediate { _ = await root.attachChild(child) }
    await latch.reached()
    let waiting = wait(for: child)
    let detach = Task.immediate { await root.detachChild(child) }
    #expect(!journal.lines.contains("child is void"), "it has not left")
    latch.open()
    for task in [waiting, detach, attach] { await task.value }
    #expect(journal.lines.contains("child is void"))
  }

  @Test(.timeLimit(.minutes(60))) func `L11 a wait that begins after the detach throws at once`() async {
    let (root, child) = (await activeRoot(), ProbeRouter("child", journal))
    await root.attachChild(child)
    await root.detachChild(child)
    await wait(for: child).value
    #expect(journal.lines.last == "child is void")
    await child.interactor.activate()
    await wait(for: child).value
    #expect(journal.lines.last == "child is active", "a direct call has asked for it")
  }

  @Test func `L11 a wait that begins after the next attach is for that`() async {
    let (root, child) = (await activeRoot(), ProbeRouter("child", journal))
    await root.attachChild(child)
    await root.detachChild(child)
    await root.interactor.deactivate()
    await root.attachChild(child)
    let waiting = wait(for: child)
    await root.interactor.activate()
    await waiting.value
    #expect(journal.lines.contains("child is active"))
    #expect(!journal.lines.contains("child is void"))
  }

  @Test(.timeLimit(.minutes(60))) func `L11 a wait that begins after the release throws at once`() async {
    var root: ProbeRouter? = await activeRoot()
    let interactor = root?.interactor
    root = nil
    if let interactor { await wait(for: interactor).value }
    #expect(journal.lines.contains("root is void"))
  }

  @Test func `L11 a release ends a wait, with that of all that stood below`() async {
    var root: ProbeRouter? = await activeRoot()
    let child = ProbeRouter("child", journal)
    await root?.attachChild(child)
    await root?.interactor.deactivate()
    let waiting = [root, child].compactMap { $0 }.map { wait(for: $0) }
    root = nil
    for task in waiting { await task.value }
    #expect(Set(journal.lines.suffix(2)) == ["root is void", "child is void"])
  }

  @Test(arguments: [false, true]) func `L11 a wait ends when a router above leaves`(isReleased: Bool) async {
    await explore(executions: 30) { @MainActor in
      let journal = Journal()
      var root: ProbeRouter? = ProbeRouter("root")
      await root?.interactor.activate()
      let (account, invoice) = (ProbeRouter("account"), ProbeRouter("invoice", active: { _ in await untilCancelled() }))
      await root?.attachChild(account)
      let attaching = Task { await account.attachChild(invoice) }
      let early = Self.wait(for: invoice.interactor, journal)
      await Execution.settle()
      if isReleased { root = nil } else { await root?.detachChild(account) }
      await early.value
      _ = await attaching.value
      await Execution.settle()
      await Self.wait(for: invoice.interactor, journal).value
      #expect(journal.lines == ["invoice is void", "invoice is void"])
      let new = ProbeRouter("new")
      let again = Task { await new.attachChild(account) }
      await Execution.settle()
      let late = Self.wait(for: invoice.interactor, journal)
      #expect(journal.lines.count == 2, "it is to be active there")
      await new.detachChild(account)
      await late.value
      _ = await again.value
      await account.detachChild(invoice)
    }
  }

  @Test func `L11 a wait ends when a router above leaves a place, and not when it moves`() async {
    let (root, latch) = (await activeRoot(), Latch())
    let (other, account) = (ProbeRouter("other"), ProbeRouter("account", resign: { _ in await latch.pass() }))
    let invoice = ProbeRouter("invoice", journal)
    await root.attachChild(other)
    await root.attachChild(account)
    await account.attachChild(invoice)
    let detach = Task.immediate { await root.detachChild(account) }
    await latch.reached()
    let waiting = wait(for: invoice)
    let attach = Task.immediate { _ = await other.attachChild(account) }
    latch.open()
    for task in [waiting, detach, attach] { await task.value }
    #expect(journal.lines.contains("invoice is active"))
  }

  @Test func `L11 a wait ends when a slot does not attach the router after all`() async {
    await explore(executions: 100) { @MainActor in
      let (root, latch, journal) = (ProbeRouter("root"), Latch(), Journal())
      await root.interactor.activate()
      let slot = ChildSlot<ProbeRouter>(of: root)
      await slot.show { ProbeRouter("first", resign: { _ in await latch.pass() }) }
      let showing = Task { await slot.show { ProbeRouter("second", journal) } }
      await latch.reached()
      let second = slot.child
      let waiting = second.map { Self.wait(for: $0.interactor, journal) }
      let clearing = Task { await slot.clear() }
      latch.open()
      await clearing.value
      await waiting?.value
      #expect(await showing.value == nil)
      #expect(journal.lines == ["second is void"])
      withExtendedLifetime(second) {}
    }
  }

  @Test func `L11 a wait ends when a slot's later call wins over the build of the router`() async {
    await explore(executions: 100) { @MainActor in
      let (root, latch, journal) = (ProbeRouter("root"), Latch(), Journal())
      let slot = ChildSlot<ProbeRouter>(of: root)
      let early = ProbeRouter("early", journal)
      let waiting = Self.wait(for: early.interactor, journal)
      let showing = Task {
        await slot.show {
          await latch.pass()
          return early
        }
      }
      await latch.reached()
      await slot.show { ProbeRouter("late") }
      latch.open()
      #expect(await showing.value == nil)
      await waiting.value
      await Self.wait(for: early.interactor, journal).value
      #expect(journal.lines == ["early is void", "early is void"])
      await slot.show { early }
      await Self.wait(for: early.interactor, journal).value
      #expect(journal.lines.last == "early is active", "it was attached after all")
    }
  }

  @Test func `L11 a wait goes on where a later call of a slot shows the same router`() async {
    await explore(executions: 100) { @MainActor in
      let (root, latch, journal) = (ProbeRouter("root"), Latch(), Journal())
      await root.interactor.activate()
      let slot = ChildSlot<ProbeRouter>(of: root)
      await slot.show { ProbeRouter("first", resign: { _ in await latch.pass() }) }
      let child = ProbeRouter("child", journal)
      let early = Task { await slot.show { child } }
      await latch.reached()
      let waiting = Self.wait(for: child.interactor, journal)
      let late = Task { await slot.show { child } }
      latch.open()
      await waiting.value
      let shown = [await early.value, await late.value]
      #expect(shown.contains { $0 === child })
      #expect(journal.lines.contains("child is active"))
      #expect(!journal.lines.contains("child is void"))
    }
  }

  @Test func `L11 a wait goes on for a router that a slot passes over and that is asked for`() async {
    let (root, other) = (await activeRoot(), ProbeRouter("other"))
    let (slot, direct) = (ChildSlot<ProbeRouter>(of: root), ProbeRouter("direct", journal))
    let moved = ProbeRouter("moved", journal)
    for child in [direct, moved] {
      let latch = Latch()
      let showing = Task.immediate {
        await slot.show {
          await latch.pass()
          return child
        }
      }
      await latch.reached()
      await slot.clear()
      if child === moved { await other.attachChild(moved) } else { await direct.interactor.activate() }
      latch.open()
      #expect(await showing.value == nil)
      await wait(for: child).value
    }
    #expect(journal.lines.filter { $0.hasSuffix("is active") } == ["direct is active", "moved is active"])
  }

  @Test func `L11 a wait goes on while the router moves`() async {
    let (root, latch) = (await activeRoot(), Latch())
    let (other, child) = (ProbeRouter("other"), ProbeRouter("child", journal, resign: { _ in await latch.pass() }))
    await root.attachChild(other)
    await root.attachChild(child)
    let detach = Task.immediate { await root.detachChild(child) }
    await latch.reached()
    let waiting = wait(for: child)
    let attach = Task.immediate { _ = await other.attachChild(child) }
    latch.open()
    for task in [waiting, detach, attach] { await task.value }
    #expect(journal.lines.contains("child is active"))
    #expect(other.names == ["child"])
  }

  @Test func `L11 a wait goes on under a sleeping parent, and ends when it wakes`() async {
    let (root, child) = (await activeRoot(), ProbeRouter("child", journal))
    await root.interactor.deactivate()
    await root.attachChild(child)
    let waiting = wait(for: child)
    await root.interactor.activate()
    await waiting.value
    #expect(journal.lines.contains("child is active"))
  }

  @Test func `L11 what resigns is not taken for active`() async {
    let latch = Latch()
    let it = ProbeInteractor("it", journal, resign: { _ in await latch.pass() })
    await it.activate()
    let deactivation = Task.immediate { await it.deactivate() }
    await latch.reached()
    let waiting = wait(for: it)
    latch.open()
    await deactivation.value
    #expect(journal.lines.last == "it resign ended")
    await it.activate()
    await waiting.value
    #expect(journal.lines.last == "it is active")
  }

  @Test func `L11 a router that has yet to resign is not active, and is when it is to stay`() async {
    let (root, latch) = (await activeRoot(), Latch())
    let middle = ProbeRouter("middle", journal)
    let child = ProbeRouter("child", journal, resign: { _ in await latch.pass() })
    await root.attachChild(middle)
    await middle.attachChild(child)
    let deactivation = Task.immediate { await root.interactor.deactivate() }
    await latch.reached()
    let waiting = [wait(for: root), wait(for: middle)]
    #expect(journal.lines.last == "child resign")
    let activation = Task.immediate { await root.interactor.activate() }
    for task in waiting { await task.value }
    #expect(Set(journal.lines.suffix(2)) == ["root is active", "middle is active"])
    latch.open()
    for task in [deactivation, activation] { await task.value }
  }

  @Test func `L11 a wait changes no order of resignation`() async {
    let root = await activeRoot()
    let children = (1...3).map { ProbeRouter("child \($0)", journal, resign: { _ in await Task.yield() }) }
    for child in children { await root.attachChild(child) }
    let early = children[1].interactor
    let latch = Latch()
    let late = ProbeRouter("late", journal, resign: { _ in await latch.pass() })
    await root.attachChild(late)
    let deactivation = Task.immediate { await root.interactor.deactivate() }
    await latch.reached()
    let waiting = wait(for: early)
    latch.open()
    await deactivation.value
    let ends = journal.lines.filter { $0.hasSuffix("resign ended") }
    #expect(ends == ["late", "child 3", "child 2", "child 1", "root"].map { "\($0) resign ended" })
    waiting.cancel()
    await waiting.value
  }

  @Test func `L11 a wait that began before changes no order of resignation`() async {
    let (root, latch) = (await activeRoot(), Latch())
    let (dormant, child) = (ProbeRouter("dormant", journal), ProbeRouter("child", journal))
    let late = ProbeRouter("late", journal, resign: { _ in await latch.pass() })
    await root.attachChild(dormant)
    await dormant.attachChild(child)
    await dormant.interactor.deactivate()
    await child.interactor.activate()
    let waiting = wait(for: dormant)
    await root.attachChild(late)
    journal.clear()
    let deactivation = Task.immediate { await root.interactor.deactivate() }
    await latch.reached()
    #expect(journal.lines == ["late resign"])
    latch.open()
    await deactivation.value
    waiting.cancel()
    await waiting.value
  }

  @Test func `L11 a wait in the interactor's own callbacks is answered at once`() async {
    let it = ProbeInteractor("it", journal) { it in
      do { try await it.lifecycle.whenActive() } catch { Issue.record("It threw while it becomes active.") }
    } resign: { it in
      await #expect(throws: CancellationError.self) { try await it.lifecycle.whenActive() }
    }
    await it.activate()
    await it.deactivate()
    #expect(journal.lines.last == "it resign ended")
  }

  @Test func `L11 a wait in a callback further in is answered as in the own one`() async {
    let inner = ProbeInteractor("inner", journal, active: { _ in try? await Self.outer?.lifecycle.whenActive() })
    let outer = ProbeInteractor("outer", journal, active: { _ in await inner.activate() })
    Self.outer = outer
    await outer.activate()
    #expect(journal.lines.last == "outer active ended")
    Self.outer = nil
  }

  private static var outer: ProbeInteractor?
}
