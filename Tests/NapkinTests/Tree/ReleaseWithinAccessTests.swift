// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

/// Routers that are released within an access to the variable that has them.
@MainActor
@Suite struct ReleaseWithinAccessTests {
  private final class Owner {
    var routers: [any Routing] = []
    private(set) var isReleasing = false

    func release() {
      isReleasing = true
      routers.removeAll()
      isReleasing = false
    }
  }

  /// It keeps the default activation, which takes no time, and goes elsewhere as it resigns.
  private final actor Mover: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    private let move: @MainActor @Sendable () async -> Void

    init(move: @escaping @MainActor @Sendable () async -> Void) { self.move = move }

    func willResignActive() async { await move() }
  }

  private final class MovingRouter: Router<Mover> {
    var loads: () -> Void = {}

    override func didLoad() async { loads() }
  }

  @Test(arguments: [false, true])
  func `T10 what the release of a parent lets join and load elsewhere begins after it`(isObserved: Bool) async {
    await explore(executions: 200, seed: 1) { @MainActor in
      let watcher = isObserved ? Watcher() : nil
      let (owner, next, parent, child) = (Owner(), ProbeRouter("next"), Weak<ProbeRouter>(), Weak<MovingRouter>())
      await next.interactor.activate()
      let mover = MovingRouter(
        interactor: Mover {
          guard let child = child.object else { return }
          await parent.object?.detachChild(child)
          await next.attachChild(child)
        })
      child.object = mover
      var loads: [Bool] = []
      mover.loads = { loads.append(owner.isReleasing) }
      do {
        // Below a parent that is inactive a child that is activated by itself does not load.
        let first = ProbeRouter("parent")
        parent.object = first
        owner.routers = [first]
        await first.interactor.activate()
        await first.interactor.deactivate()
        await first.attachChild(mover)
        await mover.interactor.activate()
      }
      let resignation = Task { await mover.interactor.deactivate() }
      let release = Task {
        for _ in 0..<Execution.draw(.int(in: 0...9), "steps before") { await Task.yield() }
        owner.release()
      }
      for task in [resignation, release] { await task.value }
      await CurrentExecution.scope?.quiescence()
      #expect(loads == [false])
      #expect(next.children.count == 1)
      watcher?.stop()
    }
  }
}
