// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

@MainActor private final class MisusedRouter: Router<ProbeInteractor> {
  init() { super.init(interactor: ProbeInteractor()) }
}

private final actor ForgetfulInteractor: Interactable {
  nonisolated var lifecycle: InteractorLifecycle { InteractorLifecycle() }
}

@MainActor private final class ForgetfulRouter: Router<ForgetfulInteractor> {}

/// Attaches through the protocol, as generic code does.
@MainActor private func attach(_ child: any Routing, to parent: any Routing) async { await parent.attachChild(child) }

@MainActor
@Suite(.serialized) struct MisuseTests {
  @Test func `a lifecycle that is another one each time is misuse`() {
    let watcher = Watcher(taking: "ForgetfulRouter")
    defer { watcher.stop() }
    let router = ForgetfulRouter(interactor: ForgetfulInteractor())
    #expect(watcher.misuses.map(\.rule) == ["M1"])
    #expect(watcher.misuses.first?.message.contains("Store it: nonisolated let lifecycle") == true)
    withExtendedLifetime(router) {}
  }

  @Test func `T2 a second attach is reported at the caller's line and changes nothing`() async {
    let watcher = Watcher(taking: "MisusedRouter")
    defer { watcher.stop() }
    let (first, second, child) = (ProbeRouter("first"), ProbeRouter("second"), MisusedRouter())
    await first.attachChild(child)
    let line = #line + 1
    await second.attachChild(child)
    await first.attachChild(child)
    #expect(watcher.misuses.map(\.rule) == ["T2", "T2"])
    #expect(watcher.misuses.first?.routers == ["MisusedRouter", "ProbeRouter", "ProbeRouter"])
    #expect(watcher.misuses.first?.callSite?.line == line)
    #expect(watcher.misuses.first?.callSite?.fileID.hasSuffix("MisuseTests.swift") == true)
    #expect(first.children.count == 1)
    #expect(second.children.isEmpty)
    #expect(await child.interactor.isActive)
  }

  @Test func `T2 a router is neither its own child nor its descendants'`() async {
    let watcher = Watcher(taking: "MisusedRouter")
    defer { watcher.stop() }
    let (top, middle, bottom) = (MisusedRouter(), MisusedRouter(), MisusedRouter())
    await top.attachChild(top)
    await top.attachChild(middle)
    await middle.attachChild(bottom)
    await bottom.attachChild(top)
    #expect(watcher.misuses.count == 2)
    #expect(watcher.misuses.last?.message.contains("stands above it") == true)
    #expect(bottom.children.isEmpty)
  }

  @Test func `T2 a second attach during the first is misuse`() async {
    let watcher = Watcher(taking: "MisusedRouter")
    defer { watcher.stop() }
    let latch = Latch()
    let (first, second) = (MisusedRouter(), MisusedRouter())
    let child = ProbeRouter("child", active: { _ in await latch.pass() })
    let attach = Task.immediate { _ = await first.attachChild(child) }
    await latch.reached()
    await second.attachChild(child)
    latch.open()
    await attach.value
    #expect(watcher.misuses.map(\.message).count == 1, "\(watcher.misuses.map(\.message))")
    #expect(first.children.count == 1 && second.children.isEmpty)
  }

  @Test func `T2 a routing that is no Router has one parent too`() async {
    let watcher = Watcher(taking: "StrangeRouter")
    defer { watcher.stop() }
    let (first, second, child) = (MisusedRouter(), MisusedRouter(), StrangeRouter("child"))
    await attach(child, to: first)
    await attach(child, to: second)
    #expect(watcher.misuses.map(\.callSite?.line) == [nil])
    #expect(second.children.isEmpty)
    await first.detachChild(child)
    await second.attachChild(child)
    #expect(watcher.misuses.count == 1)
    #expect(second.children.count == 1)
  }

  @Test func `T2 a routing that is no Router does not stand below itself`() async {
    let watcher = Watcher(taking: "StrangeRouter")
    defer { watcher.stop() }
    let (strange, bottom) = (StrangeRouter("strange"), MisusedRouter())
    await strange.attachChild(bottom)
    await bottom.attachChild(strange)
    #expect(watcher.misuses.count == 1)
    #expect(bottom.children.isEmpty)
  }

  @Test func `M1 a message says what happened, the likely cause and what to do, with its rule`() async {
    let watcher = Watcher(taking: "MisusedRouter")
    defer { watcher.stop() }
    let (first, second, child) = (ProbeRouter("first"), ProbeRouter("second"), MisusedRouter())
    await first.attachChild(child)
    await second.attachChild(child)
    #expect(
      watcher.misuses.first?.description == """
        attachChild was called on ProbeRouter with MisusedRouter, which is attached to ProbeRouter already. Most \
        likely two calls raced past the same check, or the router was not detached. Detach it first, or keep the \
        first call's. (T2)
        """)
  }

  #if DEBUG
  #if os(macOS) || os(Linux)
  @Test func `M1 a misuse without an observer stops a debug build`() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {}
      let (parent, child) = await (ProbeRouter("parent"), ProbeRouter("child"))
      await parent.attachChild(child)
      await parent.attachChild(child)
    }
  }
  #endif
  #endif
}
