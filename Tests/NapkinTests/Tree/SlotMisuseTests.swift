// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@MainActor private final class MisshownRouter: Router<ProbeInteractor> {
  init(resign: @escaping @Sendable (ProbeInteractor) async -> Void = { _ in }) {
    super.init(interactor: ProbeInteractor(resign: resign))
  }
}

/// A router that a slot may not show is reported as misuse by its caller, and the slot keeps its child (T2, T14).
@MainActor
@Suite(.serialized) struct SlotMisuseTests {
  private let root = ProbeRouter("root")
  private let other = ProbeRouter("other")
  private let watcher = Watcher(taking: "MisshownRouter")

  private func slot(below parent: any Routing, with first: ProbeRouter) async -> ChildSlot<any Routing> {
    await root.interactor.activate()
    let slot = ChildSlot<any Routing>(of: parent)
    await slot.show { first }
    return slot
  }

  @Test func `T2 a slot's misuse is reported at its caller's line, and says what to do`() async {
    defer { watcher.stop() }
    let (slot, child) = (await slot(below: root, with: ProbeRouter("first")), MisshownRouter())
    await other.attachChild(child)
    let line = #line + 1
    await slot.show { child }
    #expect(watcher.misuses.map(\.callSite?.line) == [line])
    #expect(watcher.misuses.first?.callSite?.fileID.hasSuffix("SlotMisuseTests.swift") == true)
    #expect(watcher.misuses.first?.routers == ["MisshownRouter", "ProbeRouter", "ProbeRouter"])
    #expect(
      watcher.misuses.first?.description == """
        ChildSlot.show was called on a slot of ProbeRouter with MisshownRouter, which is attached to ProbeRouter already. \
        Most likely it was attached by hand, or is shown in another slot. Detach it first, or clear that slot. (T2)
        """)
  }

  @Test(arguments: [false, true])
  func `T2 what a slot has stays where it is called with a router of another place`(isByHand: Bool) async {
    defer { watcher.stop() }
    let (first, journal, child) = (ProbeRouter("first"), Journal(), MisshownRouter())
    let slot = ChildSlot<any Routing>(of: root) { leaving, coming in
      journal.write("\(leaving == nil ? "nothing" : "first") to \(coming == nil ? "nothing" : "first")")
    }
    await slot.show { first }
    await (isByHand ? root : other).attachChild(child)
    #expect(await slot.show { child } == nil)
    #expect(watcher.misuses.count == 1)
    #expect(slot.child === first)
    #expect(root.children.map { $0 === first } == (isByHand ? [true, false] : [true]))
    let areActive = [await first.interactor.isActive, await child.interactor.isActive]
    #expect(areActive == [true, true])
    #expect(journal.lines == ["nothing to first"])
    await slot.clear()
    #expect(root.children.count == (isByHand ? 1 : 0), "it is not the slot's")
    #expect(journal.lines == ["nothing to first", "first to nothing"])
  }

  @Test func `T2 a slot shows neither its parent nor what stands above that`() async {
    defer { watcher.stop() }
    let (top, middle, first) = (MisshownRouter(), MisshownRouter(), ProbeRouter("first"))
    await top.attachChild(middle)
    let slot = await slot(below: middle, with: first)
    for router in [top, middle] { #expect(await slot.show { router } == nil) }
    #expect(watcher.misuses.map { $0.message.contains("stands above it") } == [true, false])
    let start = "ChildSlot.show was called on a slot of MisshownRouter"
    #expect(watcher.misuses.allSatisfy { $0.message.hasPrefix(start) })
    #expect(slot.child === first)
    #expect(middle.children.count == 1)
  }

  @Test func `T2 a slot does not take what is attached by hand while the one before leaves`() async {
    defer { watcher.stop() }
    let (latch, child) = (Latch(), MisshownRouter())
    let slot = await slot(below: root, with: ProbeRouter("first", resign: { _ in await latch.pass() }))
    let line = #line + 1
    let showing = Task.immediate { await slot.show { child } }
    await latch.reached()
    await root.attachChild(child)
    latch.open()
    #expect(await showing.value == nil)
    #expect(watcher.misuses.map(\.callSite?.line) == [line])
    #expect(watcher.misuses.first?.message.hasPrefix("ChildSlot.show") == true)
    #expect(slot.child == nil)
    await slot.clear()
    #expect(root.children.map { $0 === child } == [true])
  }

  @Test(arguments: [false, true])
  func `T14 a clear before a call that is misuse leaves no views`(isBuilt: Bool) async {
    defer { watcher.stop() }
    let (resigning, building, journal, child) = (Latch(), Latch(), Journal(), MisshownRouter())
    await root.interactor.activate()
    await other.attachChild(child)
    let slot = ChildSlot<any Routing>(of: root) { _, coming in journal.write(coming == nil ? "nothing" : "first") }
    await slot.show { ProbeRouter("first", resign: { _ in await resigning.pass() }) }
    let clearing = Task.immediate { await slot.clear() }
    await resigning.reached()
    let showing = Task.immediate {
      await slot.show {
        await building.pass()
        return child
      }
    }
    await building.reached()
    #expect(journal.lines == ["first"])
    for latch in isBuilt ? [building, resigning] : [resigning, building] {
      latch.open()
      if latch === building { #expect(await showing.value == nil) } else { await clearing.value }
      #expect(journal.lines == (latch === building && isBuilt ? ["first"] : ["first", "nothing"]))
    }
    #expect(watcher.misuses.count == 1)
  }

  @Test func `T2 a slot below a parent that is no plain router loses nothing either`() async {
    defer { watcher.stop() }
    let parents: [any Routing] = [MockRouter(), StrangeRouter("strange")]
    for parent in parents {
      let (first, child) = (ProbeRouter("first"), MisshownRouter())
      let slot = await slot(below: parent, with: first)
      await parent.attachChild(child)
      #expect(await slot.show { child } == nil)
      #expect(slot.child === first)
      await parent.detachChild(child)
      await other.attachChild(child)
      #expect(await slot.show { child } == nil)
      #expect(parent.children.map { $0 === first } == [true])
      #expect(await slot.show { first } === first)
    }
    #expect(watcher.misuses.count == 4)
  }
}
