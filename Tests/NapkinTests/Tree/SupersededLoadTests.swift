// SPDX-License-Identifier: Apache-2.0
import Napkin
import Synchronization
import Testing

/// The load of a router whose interactor activates itself, or is activated on its own.
///
/// On the interactor the latest call has the last word (L3), even from `willResignActive()`. On the load it has none:
/// that belongs to the attach, and goes with it if a detach supersedes that.
@MainActor
@Suite struct SupersededLoadTests {
  let journal = Journal()

  private func activeRoot() async -> ProbeRouter {
    let root = ProbeRouter("root")
    await root.interactor.activate()
    return root
  }

  /// Its first activation takes until the latch opens, and its first resignation activates it again.
  private func contrarian(_ latch: Latch) -> ProbeRouter {
    let hasResigned = Mutex(false)
    return ProbeRouter(
      "child", journal, active: { _ in await latch.pass() },
      resign: { it in
        let isFirst = hasResigned.withLock { hasResigned in
          defer { hasResigned = true }
          return !hasResigned
        }
        if isFirst { await it.activate() }
      })
  }

  @Test(arguments: [false, true])
  func `L3 T6 a detach skips the load even if the interactor activates itself again`(
    hasChild: Bool
  ) async {
    let (root, latch) = (await activeRoot(), Latch())
    let child = contrarian(latch)
    if hasChild { await child.attachChild(ProbeRouter("below")) }
    let attach = Task.immediate { _ = await root.attachChild(child) }
    await latch.reached()
    let detach = Task.immediate { await root.detachChild(child) }
    latch.open()
    await detach.value
    await attach.value
    #expect(root.children.isEmpty)
    #expect(await child.interactor.isActive)
    #expect(!journal.lines.contains("child load"))
    await root.attachChild(child)
    #expect(journal.lines.suffix(2) == ["child load", "child load ended"])
  }

  @Test(arguments: [false, true])
  func `L3 T6 an interactor that activates itself below a leaving router is not loaded`(
    hasChild: Bool
  ) async {
    let (root, latch) = (await activeRoot(), Latch())
    let (parent, child) = (ProbeRouter("parent"), contrarian(latch))
    if hasChild { await child.attachChild(ProbeRouter("below")) }
    await root.attachChild(parent)
    let attach = Task.immediate { _ = await parent.attachChild(child) }
    await latch.reached()
    let detach = Task.immediate { await root.detachChild(parent) }
    latch.open()
    await detach.value
    #expect(await child.interactor.isActive)
    await attach.value
    #expect(!journal.lines.contains("child load"))
    await root.attachChild(parent)
    #expect(await child.interactor.isActive)
    #expect(journal.lines.suffix(2) == ["child load", "child load ended"])
  }

  @Test func `L3 T4 an interactor that activates itself while its router leaves stays active`() async {
    let (root, latch) = (await activeRoot(), Latch())
    latch.open()
    let child = contrarian(latch)
    await root.attachChild(child)
    await root.detachChild(child)
    #expect(root.children.isEmpty)
    #expect(await child.interactor.isActive)
  }

  @Test func `T1 T7 a dormant router that was activated directly loads when its parent wakes`() async {
    let (root, parent) = (await activeRoot(), ProbeRouter("parent"))
    await root.attachChild(parent)
    await parent.interactor.deactivate()
    let child = ProbeRouter("child", journal)
    await parent.attachChild(child)
    await child.interactor.activate()
    #expect(journal.lines == ["child active", "child active ended"])
    await parent.interactor.activate()
    #expect(journal.lines.suffix(2) == ["child load", "child load ended"])
  }

  @Test func `T6 a late activation by the tree skips a router detached meanwhile`() async {
    let (root, latch) = (await activeRoot(), Latch())
    let parent = ProbeRouter("parent")
    let (first, second) = (ProbeRouter("first"), ProbeRouter("second", journal))
    await root.attachChild(parent)
    await parent.attachChild(first)
    await parent.attachChild(second)
    await parent.interactor.deactivate()
    let holding = ProbeRouter("holding", active: { _ in await latch.pass() })
    await first.attachChild(holding)
    journal.clear()
    let wake = Task.immediate { await parent.interactor.activate() }
    await latch.reached()
    await parent.detachChild(second)
    await second.interactor.activate()
    await second.interactor.deactivate()
    journal.clear()
    latch.open()
    await wake.value
    #expect(journal.lines.isEmpty)
    #expect(await !second.interactor.isActive)
  }
}
