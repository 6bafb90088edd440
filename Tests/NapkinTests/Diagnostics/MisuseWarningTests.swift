// SPDX-License-Identifier: Apache-2.0
import Napkin
import Synchronization
import Testing

@MainActor private final class WarnedRouter: Router<ProbeInteractor> {
  init() { super.init(interactor: ProbeInteractor()) }
}

/// An interactor whose own methods do nothing unless it is to activate.
private actor IdleInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
  nonisolated let activates = Mutex(false)

  nonisolated(nonsending) func activate() async { if activates.withLock({ $0 }) { await lifecycle.activate {} } }
  nonisolated(nonsending) func deactivate() async {}
}

/// An interactor whose own method has another task call the lifecycle.
private actor DelegatingInteractor: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()

  nonisolated(nonsending) func activate() async {
    await withTaskGroup { group in group.addTask { await self.lifecycle.activate {} } }
  }
}

/// Calls that are likely wrong in an app and may be meant in a unit test: observed, and never a failure.
@MainActor
@Suite(.serialized) struct MisuseWarningTests {
  private final class Warnings: LifecycleObserver {
    private let all = Mutex<[Misuse]>([])
    private let name: String

    init(about name: String) {
      self.name = name
      LifecycleObservation.add(self)
    }

    var rules: [String] { all.withLock { $0.map(\.rule) } }
    var messages: [String] { all.withLock { $0.map(\.message) } }
    var lines: [Int?] { all.withLock { $0.map(\.callSite?.line) } }

    func stop() { LifecycleObservation.remove(self) }

    func lifecycle(_ event: LifecycleEvent) {
      guard case .misuse(let misuse) = event, misuse.routers.contains(name) else { return }
      all.withLock { $0.append(misuse) }
    }
  }

  @Test func `T3 a detach from a router that never had the child is observed at its line`() async {
    let warnings = Warnings(about: "WarnedRouter")
    defer { warnings.stop() }
    let (parent, other, child) = (ProbeRouter("parent"), ProbeRouter("other"), WarnedRouter())
    await other.detachChild(child)
    await parent.attachChild(child)
    #expect(warnings.rules.isEmpty)
    let line = #line + 1
    await other.detachChild(child)
    #expect(warnings.rules == ["T3"])
    #expect(warnings.lines == [line])
    #expect(parent.children.count == 1)
  }

  @Test func `T3 a late detach of a child that has moved on is no mistake`() async {
    let warnings = Warnings(about: "WarnedRouter")
    defer { warnings.stop() }
    let (parent, other, child) = (ProbeRouter("parent"), ProbeRouter("other"), WarnedRouter())
    await parent.attachChild(child)
    await parent.detachChild(child)
    await other.attachChild(child)
    await parent.detachChild(child)
    #expect(warnings.rules.isEmpty)
    #expect(other.children.count == 1)
  }

  @Test func `L3 an interactor's own method that does nothing is observed`() async {
    let warnings = Warnings(about: "IdleInteractor")
    defer { warnings.stop() }
    let (parent, child) = (ProbeRouter("parent"), Router(interactor: IdleInteractor()))
    await parent.interactor.activate()
    await parent.attachChild(child)
    #expect(warnings.rules == ["L3"])
    #expect(warnings.messages.first?.hasPrefix("IdleInteractor.activate() has returned and has not called") == true)
    await parent.detachChild(child)
    #expect(warnings.rules == ["L3"])
    child.interactor.activates.withLock { $0 = true }
    await parent.attachChild(child)
    #expect(await child.interactor.isActive)
    await parent.detachChild(child)
    #expect(warnings.rules == ["L3", "L3"])
    #expect(warnings.messages.last?.hasPrefix("IdleInteractor.deactivate() has returned") == true)
  }

  @Test func `L3 a call of the lifecycle in an own method's child task is observed as such`() async {
    let warnings = Warnings(about: "DelegatingInteractor")
    defer { warnings.stop() }
    let (parent, child) = (ProbeRouter("parent"), Router(interactor: DelegatingInteractor()))
    await parent.interactor.activate()
    await parent.attachChild(child)
    #expect(await !child.interactor.isActive)
    let text = "DelegatingInteractor.activate() has returned and has called its lifecycle in another task only"
    #expect(warnings.messages.map { $0.hasPrefix(text) } == [true])
  }

  #if !canImport(UIKit) && !canImport(AppKit)
  private final class Screen: ViewControllable {}

  private final class Window: LaunchWindow {
    func show(root: any ViewControllable) {}
  }

  private final class UnlaunchedRouter: LaunchRouter<ProbeInteractor, Screen> {}

  @Test func `T7 a child of a root that was not launched is observed, and active`() async {
    let warnings = Warnings(about: "UnlaunchedRouter")
    defer { warnings.stop() }
    let root = UnlaunchedRouter(interactor: ProbeInteractor(), viewController: Screen())
    let child = ProbeRouter("child")
    await root.attachChild(child)
    #expect(warnings.rules == ["T7"])
    #expect(await child.interactor.isActive)
    await root.launch(from: Window())
    await root.attachChild(ProbeRouter("other"))
    #expect(warnings.rules == ["T7"])
  }

  @Test func `T7 a child of any other router that was never activated is no mistake`() async {
    let warnings = Warnings(about: "WarnedRouter")
    defer { warnings.stop() }
    await WarnedRouter().attachChild(ProbeRouter("child"))
    #expect(warnings.rules.isEmpty)
  }
  #endif
}
