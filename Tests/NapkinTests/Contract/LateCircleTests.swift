// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

@testable import Napkin

/// Shapes in which a wait closes a circle after it has begun, or a late step meets a newer decision, each forced.
@MainActor
@Suite struct LateCircleTests {
  @Test func `T2 T8 a router may not join below one that its own load is to take up`() async {
    await explore(executions: 20) { @MainActor in
      let (latch, watcher) = (Latch(), Watcher(taking: "ProbeRouter"))
      let root = ProbeRouter("root")
      let six = ProbeRouter("six", resign: { _ in await latch.pass() })
      let seven = ProbeRouter("seven", load: { await $0.attachChild(six) })
      await root.interactor.activate()
      await root.attachChild(six)
      let leaving = Task { await root.detachChild(six) }
      await latch.reached()
      let joining = Task { _ = await root.attachChild(seven) }
      await Execution.settle()
      let detaching = Task { await root.detachChild(seven) }
      await Execution.settle()
      await six.attachChild(seven)
      latch.open()
      await leaving.value
      await joining.value
      await detaching.value
      #expect(six.names.isEmpty && seven.names == ["six"])
      #expect(watcher.misuses.map(\.rule) == ["T2"])
      watcher.stop()
    }
  }

  @Test func `T3 T8 a callback waits for a detach and comes to stand below what leaves`() async {
    await explore(executions: 20) { @MainActor in
      let latch = Latch()
      let root = ProbeRouter("root")
      let leaver = ProbeRouter("leaver", resign: { _ in await latch.pass() })
      let joiner = ProbeRouter("joiner", active: { _ in await root.detachChild(leaver) })
      await root.interactor.activate()
      await root.attachChild(leaver)
      let leaving = Task { await root.detachChild(leaver) }
      await latch.reached()
      let activation = Task { await joiner.interactor.activate() }
      await Execution.settle()
      let joining = Task { _ = await leaver.attachChild(joiner) }
      await Execution.settle()
      latch.open()
      await leaving.value
      await activation.value
      await joining.value
      #expect(root.names.isEmpty && !joiner.interactor.lifecycle.inspection.isActive)
    }
  }

  @Test func `L3 calls from a callback elsewhere wait for their own transition`() async {
    await explore(executions: 300) { @MainActor in
      let (root, child) = (ProbeRouter("root"), ProbeRouter("child"))
      await root.interactor.activate()
      await root.attachChild(child)
      let interactor = root.interactor
      let other = ProbeInteractor(
        "other",
        active: { _ in
          await withTaskGroup { group in
            for index in 0..<6 {
              group.addTask { @Sendable in
                if index.isMultiple(of: 2) { await interactor.deactivate() } else { await interactor.activate() }
              }
            }
          }
        })
      await other.activate()
      await interactor.deactivate()
      #expect(!interactor.lifecycle.inspection.isActive && !child.interactor.lifecycle.inspection.isActive)
    }
  }

  @Test func `L7 on threads a stream alternates and ends with what is so`() async {
    for _ in 0..<3_000 {
      let stream: AsyncStream<Bool>
      let isActive: Bool
      do {
        let interactor = PlainInteractor()
        stream = interactor.isActiveStream
        await withTaskGroup { group in
          for index in 0..<4 {
            group.addTask {
              if index.isMultiple(of: 2) { await interactor.activate() } else { await interactor.deactivate() }
            }
          }
        }
        isActive = interactor.lifecycle.inspection.isActive
      }
      var seen: [Bool] = []
      for await value in stream { seen.append(value) }
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 } && seen.last == isActive, "\(seen), \(isActive)")
    }
  }

  enum Call: CaseIterable { case attach, detach }

  @Test(arguments: Call.allCases)
  func `T6 T8 a load that waits for its former parent returns`(_ call: Call) async {
    await explore(executions: 20) { @MainActor in
      let latch = Latch()
      let (root, parent) = (ProbeRouter("root"), ProbeRouter("parent"))
      let child = ProbeRouter(
        "child",
        load: { _ in
          await latch.pass()
          if call == .attach { await root.attachChild(parent) } else { await root.detachChild(parent) }
        })
      await root.interactor.activate()
      await root.attachChild(parent)
      let joining = Task { _ = await parent.attachChild(child) }
      await latch.reached()
      await parent.detachChild(child)
      if call == .attach { await root.detachChild(parent) }
      latch.open()
      await joining.value
      await child.loaded()
      #expect(root.names == (call == .attach ? ["parent"] : []))
    }
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "it notes a call in the same step as it makes the call"))
  func `T4 T7 an activation off the main actor counts before a later deactivation above`() async {
    await explore(executions: 200) { @MainActor in
      let (root, parent, child) = (ProbeRouter("root"), ProbeRouter("parent"), ProbeRouter("child"))
      await root.interactor.activate()
      await root.attachChild(parent)
      await parent.attachChild(child)
      await parent.interactor.deactivate()
      let interactor = child.interactor
      let calls = Recorder<Bool>()
      let activation = Task.detached {
        calls.record(true)
        await interactor.activate()
      }
      while calls.count == 0 { await Task.yield() }
      await root.interactor.deactivate()
      #expect(!interactor.lifecycle.inspection.isActive)
      await activation.value
      #expect(!interactor.lifecycle.inspection.isActive)
    }
  }

  @Test func `L5 L9 a waiting caller lends its priority to the callback`() async {
    await explore(executions: 20) { @MainActor in
      let latch = Latch()
      let priorities = Recorder<TaskPriority>()
      let interactor = ProbeInteractor(
        active: { _ in
          await latch.pass()
          priorities.record(Task.currentPriority)
        })
      let background = Task.detached(priority: .background) { await interactor.activate() }
      await latch.reached()
      let urgent = Task.detached(priority: .high) { await interactor.activate() }
      await Execution.settle()
      latch.open()
      await background.value
      await urgent.value
      #expect(priorities.events == [.high])
    }
  }

  @Test func `L9 a caller lends its priority though another callback has ended meanwhile`() async {
    await explore(executions: 20) { @MainActor in
      let latch = Latch()
      let priorities = Recorder<TaskPriority>()
      let interactor = ProbeInteractor(
        active: { _ in
          await latch.pass()
          priorities.record(Task.currentPriority)
        })
      let background = Task.detached(priority: .background) { await interactor.activate() }
      await latch.reached()
      await ProbeInteractor().activate()
      let urgent = Task.detached(priority: .high) { await interactor.activate() }
      await Execution.settle()
      latch.open()
      await background.value
      await urgent.value
      #expect(priorities.events == [.high])
    }
  }

  @Test func `L9 a caller that waits for a load lends it its priority`() async {
    await explore(executions: 20) { @MainActor in
      let latch = Latch()
      let priorities = Recorder<TaskPriority>()
      let router = ProbeRouter(
        "router",
        load: { _ in
          await latch.pass()
          priorities.record(Task.currentPriority)
        })
      let background = Task.detached(priority: .background) { await router.load() }
      await latch.reached()
      let urgent = Task.detached(priority: .high) { await router.loaded() }
      await Execution.settle()
      latch.open()
      await background.value
      await urgent.value
      #expect(priorities.events == [.high])
    }
  }

  @Test func `T1 a load waits for the first activation to return`() async {
    await explore(executions: 50) { @MainActor in
      let (root, journal) = (ProbeRouter("root"), Journal())
      let parent = ProbeRouter("parent")
      let isFirst = Mutex(true)
      let child = ProbeRouter(
        "child", journal,
        active: { _ in
          guard isFirst.withLock({ Self.exchange(&$0, with: false) }) else { return }
          await parent.interactor.deactivate()
          await parent.interactor.activate()
          for _ in 0..<20 { await Task.yield() }
        })
      await root.interactor.activate()
      await root.attachChild(parent)
      await parent.attachChild(child)
      await Execution.settle()
      let lines = journal.lines
      let (loaded, activated) = (lines.firstIndex(of: "child load"), lines.firstIndex(of: "child active ended"))
      #expect(loaded != nil && activated != nil && activated ?? 0 < loaded ?? 0, "\(lines)")
    }
  }

  private nonisolated static func exchange(_ value: inout Bool, with new: Bool) -> Bool {
    defer { value = new }
    return value
  }
}
