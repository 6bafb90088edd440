// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// Everything that can be called from everywhere: whatever the pair, nothing waits for itself (L4, T8).
@MainActor
@Suite struct ReentrancyTests {
  enum Callback: CaseIterable { case didBecomeActive, willResignActive, didLoad }

  enum Call: CaseIterable {
    case activate, deactivate, activateParent, deactivateParent, activateRoot, deactivateRoot
    case detach, detachParent, reattach, reattachParent, move, attachSibling, load, loaded, loadParent, loadedParent
  }

  enum Route: CaseIterable { case direct, task, boundTask, taskBehindBoundTask }

  /// A root, a parent and a child, one of whose callbacks makes a call into the tree above it.
  @MainActor
  final class Family {
    let root = ProbeRouter("root")
    let other = ProbeRouter("other")
    let sibling = ProbeRouter("sibling")
    private(set) var parent: ProbeRouter!
    private(set) var child: ProbeRouter!
    private var hasCalled = false
    private let call: Call
    private let route: Route

    init(_ callback: Callback, _ call: Call, _ route: Route, nested: Bool) {
      self.call = call
      self.route = route
      child = ProbeRouter(
        "child", load: { [weak self] _ in if callback == .didLoad { await self?.makeCall() } },
        active: { [weak self] _ in if callback == .didBecomeActive { await self?.makeCall() } },
        resign: { [weak self] _ in if callback == .willResignActive { await self?.makeCall() } })
      let child = child!
      parent = ProbeRouter("parent", load: { if nested { await $0.attachChild(child) } })
    }

    func makeCall() async {
      guard !hasCalled else { return }
      hasCalled = true
      switch route {
      case .direct: await perform()
      case .task: await Task { await perform() }.value
      case .boundTask: await child.interactor.task { [self] in await perform() }.value
      case .taskBehindBoundTask:
        await child.interactor.task { [self] in
          // The callback waits for it before its call, or after.
          if call != .detach { await Task.yield() }
          await Task { await perform() }.value
        }.value
      }
    }

    private func perform() async {
      switch call {
      case .activate: await child.interactor.activate()
      case .deactivate: await child.interactor.deactivate()
      case .activateParent: await parent.interactor.activate()
      case .deactivateParent: await parent.interactor.deactivate()
      case .activateRoot: await root.interactor.activate()
      case .deactivateRoot: await root.interactor.deactivate()
      case .detach: await parent.detachChild(child)
      case .detachParent: await root.detachChild(parent)
      case .reattach:
        await parent.detachChild(child)
        await parent.attachChild(child)
      case .reattachParent:
        await root.detachChild(parent)
        await root.attachChild(parent)
      case .move:
        await parent.detachChild(child)
        await other.attachChild(child)
      case .attachSibling: await parent.attachChild(sibling)
      case .load: await child.load()
      case .loaded: await child.loaded()
      case .loadParent: await parent.load()
      case .loadedParent: await parent.loaded()
      }
    }

    func live(nested: Bool) async {
      await root.interactor.activate()
      await other.interactor.activate()
      await root.attachChild(parent)
      if !nested { await parent.attachChild(child) }
      await parent.interactor.deactivate()
      await parent.interactor.activate()
      await parent.detachChild(child)
      await root.detachChild(parent)
    }
  }

  @Test(arguments: Callback.allCases, Call.allCases)
  func `L4 T8 no pair of callback and call waits for itself`(callback: Callback, call: Call) async {
    for route in Route.allCases {
      for nested in [true, false] {
        let family = Family(callback, call, route, nested: nested)
        await family.live(nested: nested)
        await family.root.interactor.deactivate()
        await family.other.interactor.deactivate()
        for router in [family.root, family.other] { #expect(await !router.interactor.isActive) }
      }
    }
  }

  @Test func `T4 T14 what a bound task shows comes after the callback that has bound it`() async {
    let exploration = await explore(executions: 300) { @MainActor in
      let (root, gate, shown) = (ProbeRouter("root"), Gate(), Recorder<[String]>())
      await root.interactor.activate()
      let slot = ChildSlot<ProbeRouter>(of: root)
      let (journal, next) = (Journal(), ProbeRouter("next"))
      let first = ProbeRouter(
        "first", journal,
        active: { first in
          first.task {
            let isThere = await slot.show { next } != nil
            shown.record([
              await first.isActive ? "two" : "one", isThere ? "shown" : "not shown", "\(journal.lines.last!)",
            ])
          }
          await gate.pass()
        })
      let opening = Task { gate.open() }
      await slot.show { first }
      await opening.value
      #expect(await shown.events(atLeast: 1) == [["one", "shown", "first resign ended"]])
    }
    #expect(exploration.failure == nil)
  }

  @Test func `L11 a bound task waits until the callback that has bound it has returned`() async {
    let exploration = await explore(executions: 100) { @MainActor in
      let (journal, gate, active) = (Journal(), Gate(), Recorder<String>())
      let it = ProbeRouter(
        "it", journal,
        active: { it in
          it.task {
            try? await it.lifecycle.whenActive()
            active.record(journal.lines.last!)
          }
          await gate.pass()
        })
      let opening = Task { gate.open() }
      await it.interactor.activate()
      await opening.value
      #expect(await active.events(atLeast: 1) == ["it active ended"])
    }
    #expect(exploration.failure == nil)
  }

  @Test func `L4 a callback that waits for its bound task ends where that waits for it`() async {
    let exploration = await explore(executions: 100) { @MainActor in
      let (root, known) = (ProbeRouter("root"), Weak<ProbeRouter>())
      await root.interactor.activate()
      let first = ProbeRouter(
        "first",
        active: { first in
          let task = first.task {
            try? await first.lifecycle.whenActive()
            if let known = known.object { await root.detachChild(known) }
          }
          if Execution.draw(.bool) { await Task.yield() }
          await task.value
        })
      known.object = first
      await root.attachChild(first)
      #expect(root.children.isEmpty)
      #expect(await !first.interactor.isActive)
    }
    #expect(exploration.failure == nil)
  }

  @Test func `T8 a child that detaches itself in didBecomeActive is gone after the attach`() async {
    let journal = Journal()
    let root = ProbeRouter("root", journal)
    await root.interactor.activate()
    let child = Weak<ProbeRouter>()
    let router = ProbeRouter(
      "child", journal,
      active: { _ in
        if let router = child.object { await root.detachChild(router) }
        journal.write("listener returned")
      })
    child.object = router
    await root.attachChild(router)
    #expect(root.children.isEmpty)
    #expect(await !router.interactor.isActive)
    #expect(
      journal.lines.dropFirst(2) == [
        "child active", "listener returned", "child active ended", "child resign", "child resign ended",
      ])
  }

  @Test func `T8 a child that detaches itself as it loads is gone when the attach returns`() async {
    let root = ProbeRouter("root")
    let child = ProbeRouter("child", load: { await root.detachChild($0) })
    await root.attachChild(child)
    #expect(root.children.isEmpty)
    #expect(await !child.interactor.isActive)
  }

  @Test func `T8 an attach back by willResignActive is true, as the child is there`() async {
    let (root, known, answers) = (ProbeRouter("root"), Weak<ProbeRouter>(), Recorder<Bool>())
    await root.interactor.activate()
    let child = ProbeRouter(
      "child",
      resign: { _ in
        if let child = known.object { answers.record(await root.attachChild(child)) }
      })
    known.object = child
    await root.attachChild(child)
    await root.detachChild(child)
    #expect(answers.events == [true])
    #expect(root.names == ["child"])
    known.object = nil
    await root.detachChild(child)
  }

  @Test func `T8 a detach and an attach inside didBecomeActive take effect after it`()
    async
  {
    let journal = Journal()
    let root = ProbeRouter("root")
    await root.interactor.activate()
    let child = Weak<ProbeRouter>()
    let router = ProbeRouter(
      "child", journal,
      active: { _ in
        guard journal.lines == ["child active"], let router = child.object else { return }
        await root.detachChild(router)
        await root.attachChild(router)
        journal.write("both returned")
      })
    child.object = router
    await root.attachChild(router)
    #expect(
      journal.lines.filter { !$0.hasSuffix("ended") }
        == ["child active", "both returned", "child resign", "child active", "child load"])
    #expect(root.names == ["child"])
    #expect(await router.interactor.isActive)
  }

  @Test func `T8 an ancestor that a callback detaches is gone when the attach below it returns`() async {
    let root = ProbeRouter("root")
    let parent = ProbeRouter("parent")
    await root.interactor.activate()
    await root.attachChild(parent)
    let child = ProbeRouter("child", active: { _ in await root.detachChild(parent) })
    await parent.attachChild(child)
    #expect(root.children.isEmpty)
    #expect(await !parent.interactor.isActive)
    #expect(await !child.interactor.isActive)
    #expect(parent.names == ["child"])
  }

  @Test func `T8 an ancestor's interactor that a callback deactivates rests after the callback`() async {
    let journal = Journal()
    let parent = ProbeRouter("parent", journal)
    await parent.interactor.activate()
    let stream = parent.interactor.isActiveStream
    let child = ProbeRouter(
      "child", journal,
      active: { _ in
        await parent.interactor.deactivate()
        journal.write("returned")
      })
    await parent.attachChild(child)
    for await isActive in stream where !isActive { break }
    #expect(await !child.interactor.isActive)
    // When the callback returns, the child's load and the parent's rest begin at once: the load may still come in before.
    #expect(
      journal.lines.filter { !$0.hasSuffix("ended") && $0 != "child load" }
        == ["parent active", "child active", "returned", "child resign", "parent resign"])
  }
  @Test func `T8 an attach that the callback that makes it holds up may return true early`() async {
    await explore(executions: 20) { @MainActor in
      let (root, journal, known) = (ProbeRouter("root"), Journal(), Weak<ProbeRouter>())
      let (detaches, attaches) = (Latch(), Latch())
      await root.interactor.activate()
      let child = ProbeRouter(
        "child", journal,
        active: { _ in
          await detaches.pass()
          if let parent = known.object { await root.detachChild(parent) }
        })
      let parent = ProbeRouter(
        "parent",
        active: { _ in
          await attaches.pass()
          guard let parent = known.object else { return }
          let isAttached = await parent.attachChild(child)
          journal.write("attached: \(isAttached), \(await parent.names)")
        })
      known.object = parent
      let activating = Task.immediate { await child.interactor.activate() }
      await detaches.reached()
      let attaching = Task.immediate { _ = await root.attachChild(parent) }
      await attaches.reached()
      detaches.open()
      await Execution.settle()
      attaches.open()
      for task in [activating, attaching] { await task.value }
      #expect(journal.lines.contains("attached: true, [\"child\"]"))
      #expect(!journal.lines.contains("child load"))
    }
  }
}
