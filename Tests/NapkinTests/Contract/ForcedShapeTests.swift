// SPDX-License-Identifier: Apache-2.0
import Foundation
import NapkinTesting
import Synchronization
import Testing

@testable import Napkin

/// Shapes that have broken the contract, or could, each forced.
@MainActor
@Suite struct ForcedShapeTests {
  private let root = ProbeRouter("root")

  @Test func `L3 T4 a detach is the last call, and withdraws an activation that waits`() async {
    let latch = Latch()
    let child = ProbeRouter("child", resign: { _ in await latch.pass() })
    await root.interactor.activate()
    await root.attachChild(child)
    let deactivation = Task { await child.interactor.deactivate() }
    await latch.reached()
    let activation = Task { await child.interactor.activate() }
    await Task { await Task.yield() }.value
    let detaching = Task { await root.detachChild(child) }
    await Task { await Task.yield() }.value
    latch.open()
    await deactivation.value
    await activation.value
    await detaching.value
    #expect(root.names.isEmpty)
    #expect(!child.interactor.lifecycle.inspection.isActive)
  }

  @Test func `M1 a refused routing that is no Router is not kept, nor is what it has changed`() async {
    let watcher = Watcher(taking: "StrangeRouter")
    let weak = Weak<ProbeInteractor>()
    let child = ProbeRouter("child")
    await root.interactor.activate()
    do {
      let strange = StrangeRouter("strange")
      weak.object = strange.probe
      await strange.attachChild(child)
      await strange.attachChild(root)
      await root.attachChild(strange)
      #expect(child.interactor.lifecycle.inspection.isActive && root.interactor.lifecycle.inspection.isActive)
      await strange.detachChild(root)
      await strange.detachChild(child)
    }
    #expect(weak.object == nil)
    #expect(watcher.misuses.map(\.rule) == ["T2"])
    watcher.stop()
  }

  /// Uses a lifecycle as it goes.
  private final class Captured: Sendable {
    let lifecycle: InteractorLifecycle
    init(_ lifecycle: InteractorLifecycle) { self.lifecycle = lifecycle }
    deinit { lifecycle.register {} }
  }

  @Test(.timeLimit(.minutes(60))) func `L4 what a closure captures is released outside the lock`() async {
    let lifecycle = InteractorLifecycle()
    await lifecycle.activate {
      // A call from inside returns at once, so that only the lifecycle has the closures; the second replaces the first.
      await lifecycle.deactivate { [captured = Captured(lifecycle)] in withExtendedLifetime(captured) {} }
      await lifecycle.deactivate { [captured = Captured(lifecycle)] in withExtendedLifetime(captured) {} }
    }
    #expect(!lifecycle.inspection.isActive)
  }

  @Test func `L9 the executor preference of an attach reaches the load of the child`() async {
    let executor = HoldingExecutor()
    let loads = Recorder<Bool>()
    let child = ProbeRouter("child", load: { _ in loads.record(executor.isPreferred) })
    let root = root
    await root.interactor.activate()
    await withTaskExecutorPreference(executor) { _ = await root.attachChild(child) }
    #expect(loads.events == [true])
  }
}
