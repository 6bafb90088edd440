// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

#if !canImport(UIKit) && !canImport(AppKit)
/// The calls of an app at its top and from its views: launches that race, and events that a view sends.
@MainActor
@Suite struct LaunchProgramTests {
  private final class Window: LaunchWindow {
    func show(root: any ViewControllable) {}
  }

  private final class Screen: ViewControllable {}

  private final class Top: LaunchRouter<ProbeInteractor, Screen> {
    var loads = 0

    override func didLoad() async {
      await super.didLoad()
      await Task.yield()
      loads += 1
    }
  }

  @Test func `T11 launches that race activate and load once, and each returns after that`() async {
    await explore(executions: 300) { @MainActor in
      let journal = Journal()
      let interactor = ProbeInteractor("top", journal, active: { _ in await Task.yield() })
      let (top, window) = (Top(interactor: interactor, viewController: Screen()), Window())
      let launches = (1...Execution.draw(.int(in: 2...4), "launches")).map { _ in
        Task { @MainActor in
          await top.launch(from: window)
          #expect(top.loads == 1, "T11: a launch returned before the load")
        }
      }
      for launch in launches { await launch.value }
      #expect(journal.lines == ["top active", "top active ended"], "T11: activated again")
      await interactor.deactivate()
    }
  }

  private actor Listener {
    private(set) var heard: [Int] = []
    func tapped(_ number: Int) { heard.append(number) }
  }

  // The order in which an actor runs its queued jobs is its own, and the engine chooses it.
  @Test func `V1 what a view sends has begun, in order, before any other job runs`() async {
    await explore(executions: 300) { @MainActor in
      let listener = Listener()
      let events = Execution.draw(.int(in: 2...5), "events")
      let noise = Task { for _ in 0..<3 { await listener.tapped(0) } }
      var begun: [Int] = []
      var sent: [Task<Void, Never>] = []
      for number in 1...events {
        sent.append(
          dispatch {
            begun.append(number)
            await listener.tapped(number)
          })
        #expect(begun == Array(1...number), "V1: an event was overtaken")
      }
      for event in sent { await event.value }
      await noise.value
      #expect(await listener.heard.filter { $0 > 0 }.sorted() == begun, "V1: an event was lost")
    }
  }
}
#endif
