// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// A slot's child that leaves, and that a later call shows again (T14, T1).
@MainActor
@Suite struct SlotReturnTests {
  private let root = ProbeRouter("root")

  private func activeSlot() async -> ChildSlot<ProbeRouter> {
    await root.interactor.activate()
    return ChildSlot(of: root)
  }

  /// The router that is shown next replaces the child, and nothing stays beside it.
  private func expectReplaced(in slot: ChildSlot<ProbeRouter>) async {
    await slot.show { ProbeRouter("next") }
    #expect(root.names == ["next"])
    await slot.clear()
    #expect(root.names.isEmpty)
  }

  @Test func `T14 a slot keeps a child that comes back for two calls`() async {
    let (slot, latch) = (await activeSlot(), Latch())
    let child = ProbeRouter("child", resign: { _ in await latch.pass() })
    await slot.show { child }
    let root = root
    let detaching = Task.immediate { await root.detachChild(child) }
    await latch.reached()
    let early = Task.immediate { await slot.show { child } }
    let late = Task.immediate { await slot.show { child } }
    latch.open()
    await detaching.value
    _ = await early.value
    #expect(await late.value === child)
    #expect(slot.child === child)
    #expect(root.names == ["child"])
    await expectReplaced(in: slot)
  }

  @Test func `T14 a slot keeps a child that its callback clears and shows again`() async {
    let (slot, moves, known) = (await activeSlot(), Journal(), Weak<ProbeRouter>())
    let child = ProbeRouter(
      "child",
      active: { _ in
        guard moves.lines.isEmpty, let child = known.object else { return }
        moves.write("moved")
        await slot.clear()
        await slot.show { child }
      })
    known.object = child
    await slot.show { child }
    #expect(slot.child === child)
    #expect(root.names == ["child"])
    await expectReplaced(in: slot)
  }

  /// A second call of `show`, which writes down when it has returned.
  private func showAgain(
    _ child: ProbeRouter, in slot: ChildSlot<ProbeRouter>, _ journal: Journal
  ) -> Task<ProbeRouter?, Never> {
    Task.immediate {
      let shown = await slot.show { child }
      journal.write("returned")
      return shown
    }
  }

  @Test func `T1 a second show of a child waits until that is active and loaded`() async {
    let (latch, journal) = (Latch(), Journal())
    await root.interactor.activate()
    let slot = ChildSlot<ProbeRouter>(of: root) { _, _ in journal.write("shown") }
    let child = ProbeRouter("child", journal, load: { _ in await latch.pass() })
    let early = Task.immediate { await slot.show { child } }
    await latch.reached()
    let late = showAgain(child, in: slot, journal)
    #expect(journal.lines.last == "child load")
    latch.open()
    #expect(await late.value === child)
    _ = await early.value
    #expect(journal.lines.suffix(3) == ["child load ended", "shown", "returned"])
  }

  @Test func `T7 a second show below an inactive parent waits until the child is inactive`() async {
    let (latch, journal) = (Latch(), Journal())
    for changes in [root.interactor.activate, root.interactor.deactivate] { await changes() }
    let slot = ChildSlot<ProbeRouter>(of: root)
    let child = ProbeRouter("child", journal, resign: { _ in await latch.pass() })
    await child.interactor.activate()
    let early = Task.immediate { await slot.show { child } }
    await latch.reached()
    let late = showAgain(child, in: slot, journal)
    #expect(journal.lines.last == "child resign")
    latch.open()
    #expect(await late.value === child)
    _ = await early.value
    #expect(await !child.interactor.isActive)
  }

  @Test func `T1 a second show below a parent that is no plain router waits as well`() async {
    let (latch, journal, mock) = (Latch(), Journal(), MockRouter())
    await ((mock.interactable as? MockInteractor)?.activate())
    let slot = ChildSlot<any Routing>(of: mock)
    let child = ProbeRouter("child", journal, load: { _ in await latch.pass() })
    let early = Task.immediate { await slot.show { child } }
    await latch.reached()
    let late = Task.immediate {
      await slot.show { child }
      journal.write("returned")
    }
    #expect(journal.lines.last == "child load")
    latch.open()
    _ = await (early.value, late.value)
    #expect(journal.lines.suffix(2) == ["child load ended", "returned"])
  }

  @Test(arguments: [false, true])
  func `T14 of two routers that are shown again and again one stays`(isInside: Bool) async {
    await explore(executions: 300) { @MainActor in
      let user = TabUser(isInside: isInside)
      await user.root.interactor.activate()
      let tasks = (0..<3).map { _ in
        Task { for _ in 0..<2 { await user.act() } }
      }
      for task in tasks { await task.value }
      await Execution.settle()
      #expect(user.root.names == [user.slot.child?.name].compactMap(\.self))
      await user.end()
      #expect(user.root.names.isEmpty)
    }
  }
}

/// Shows one of two routers that it keeps, or clears the slot, or detaches by hand; the callbacks of both do so, too.
@MainActor
private final class TabUser {
  let root = ProbeRouter("root")
  private(set) lazy var slot = ChildSlot<ProbeRouter>(of: root, transition: animate)
  private var tabs: [ProbeRouter] = []
  private var calls = 0

  init(isInside: Bool) {
    tabs = ["one", "two"].map { name in
      ProbeRouter(
        name,
        active: { [weak self] _ in if isInside { await self?.act() } else { await Task.yield() } },
        resign: { [weak self] _ in if isInside { await self?.act() } else { await Task.yield() } })
    }
  }

  func act() async {
    calls += 1
    guard calls < 12 else { return }
    switch Execution.draw(.int(in: 0...4)) {
    case 0: await slot.clear()
    case 1: if let child = root.children.first { await root.detachChild(child) }
    default:
      let tab = tabs[Execution.draw(.int(in: 0...1))]
      let shown = await slot.show {
        for _ in 0..<Execution.draw(.int(in: 0...1)) { await Task.yield() }
        return tab
      }
      #expect(shown == nil || root.children.contains { $0 === shown })
    }
  }

  /// Leaves nothing behind.
  func end() async {
    calls = 12
    await slot.clear()
    tabs = []
  }
}

@MainActor private func animate(_ leaving: ProbeRouter?, _ coming: ProbeRouter?) async { await Task.yield() }
