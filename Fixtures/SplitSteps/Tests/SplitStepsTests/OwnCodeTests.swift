// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

/// The framework's own code that locks, or does without, while its callers are preempted in the middle of it.
@Suite struct OwnCodeTests {
  nonisolated final class Scope: Component<any EmptyDependency>, @unchecked Sendable {
    let made = Tally()
    var store: Tally {
      shared {
        made.increment()
        return Tally()
      }
    }
    var log: [Tally] {
      shared {
        made.increment()
        return [store]
      }
    }
  }

  nonisolated final class ScopeBuilder: SimpleComponentizedBuilder<Scope, Tally>, @unchecked Sendable {
    override func build(with component: Scope) -> Tally { component.store }
  }

  actor Counting: Interactable {
    nonisolated let lifecycle = InteractorLifecycle()
    let tally: Tally
    init(_ tally: Tally) { self.tally = tally }
    func didBecomeActive() async {
      for _ in 0..<2 { task { [tally] in tally.increment() } }
    }
  }

  private func expectSound(
    _ executions: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () async throws -> Void
  ) async {
    for seed in 1...3 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: executions, seed: seed, shrinks: false).run(body)
      #expect(exploration.failure == nil, sourceLocation: sourceLocation)
      #expect((exploration.preemptions ?? 0) > executions / 4, sourceLocation: sourceLocation)
    }
  }

  @Test func `a shared instance is made once, however its callers are preempted`() async {
    await expectSound(1_000) {
      let scope = Scope()
      async let first = scope.store
      async let second = scope.log
      async let third = scope.store
      let (a, b, c) = await (first, second, third)
      #expect(a === c && b[0] === a && scope.made.value == 2)
    }
  }

  @Test func `a builder that is used by several tasks hands out components that are alive once`() async {
    await expectSound(1_000) {
      let builder = ScopeBuilder { Scope() }
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { for _ in 0..<3 { builder.build().increment() } } }
      }
    }
  }

  @Test func `an interactor is activated and deactivated by several tasks`() async {
    await expectSound(500) {
      let tally = Tally()
      let interactor = Counting(tally)
      async let first: Void = interactor.activate()
      async let second: Void = interactor.deactivate()
      async let third: Void = interactor.activate()
      _ = await (first, second, third)
      await interactor.deactivate()
      #expect(tally.value <= 4)
      #expect(await !interactor.isActive)
    }
  }

  @Test func `a tree is changed by several tasks`() async {
    await expectSound(500) { @MainActor in
      let tally = Tally()
      let root = Router(interactor: Counting(tally))
      let child = Router(interactor: Counting(tally))
      await root.interactor.activate()
      await root.load()
      await withTaskGroup { group in
        group.addTask { await root.attachChild(child) }
        group.addTask { await root.interactor.deactivate() }
        group.addTask { await root.detachChild(child) }
        group.addTask { await root.interactor.activate() }
      }
      await root.detachChild(child)
      #expect(root.children.isEmpty)
      #expect(await !child.interactor.isActive)
      await root.interactor.deactivate()
    }
  }

  @Test func `what was done before all tasks came to rest is no race afterwards`() async {
    final class Box: @unchecked Sendable { var number = 0 }
    let exploration = await Explorer(executions: 200, seed: 1, shrinks: false).run {
      let box = Box()
      let task = Task {
        box.number += 1
        await Task.yield()
        box.number += 1
        try? await Task.sleep(for: .seconds(60))
      }
      await Execution.settle()
      #expect(box.number == 2)
      box.number = 3
      await task.value
    }
    #expect(exploration.failure == nil)
  }

  @Test func `the same seed gives the same executions, whatever memory is used again`() async {
    actor Log {
      private(set) var entries: [Int] = []
      func add(_ entry: Int) { entries.append(entry) }
    }
    let body: @Sendable () async throws -> Void = {
      let gate = Gate()
      let log = Log()
      let tasks = (0..<3).map { number in
        Task {
          await gate.pass()
          await log.add(number)
        }
      }
      await gate.reached()
      gate.open()
      for task in tasks { await task.value }
      #expect(await log.entries.count == 3)
    }
    let first = await Explorer(executions: 60, strategy: .random, seed: 11).run(body)
    var kept: [[UInt8]] = []
    for size in 1...200 { kept.append([UInt8](repeating: 0, count: size)) }
    let second = await Explorer(executions: 60, strategy: .random, seed: 11).run(body)
    #expect(first.steps == second.steps)
    #expect(first.preemptions == second.preemptions)
    #expect(first.distinctSchedules == second.distinctSchedules)
    #expect(kept.count == 200)
  }

  @Test func `recorders and gates are used by several tasks`() async {
    await expectSound(1_000) {
      let recorder = Recorder<Int>("numbers")
      let gate = Gate()
      await withTaskGroup { group in
        for number in 0..<2 {
          group.addTask {
            recorder.record(number)
            await gate.pass()
            recorder.record(number + 2)
          }
        }
        group.addTask {
          await gate.reached(by: 2)
          gate.open()
        }
      }
      #expect(recorder.count == 4)
      #expect(Set(recorder.events.prefix(2)) == [0, 1])
    }
  }
}
