// SPDX-License-Identifier: Apache-2.0

import ClockLocks
import Foundation
import Napkin
import NapkinTesting
import Synchronization
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

  @Test func `atomic double words are exchanged in one`() { #expect(double_words_are_exchanged()) }

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
        group.addTask { _ = await root.attachChild(child) }
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

  @Test func `rules report only what is certain of a tree whose steps are split`() async {
    for seed in 1...3 as ClosedRange<UInt64> {
      let tally = Tally()
      let exploration = await TreeFuzzer { @MainActor in Router(interactor: Counting(tally)) }
        .action("attach") { await $0.attachChild(Router(interactor: Counting(tally))) }
        .action("detach") { root in
          if let child = root.children.first { await root.detachChild(child) }
        }
        .run(executions: 500, seed: seed)
      #expect(exploration.failure == nil)
      #expect((exploration.preemptions ?? 0) > 100)
      #expect(!exploration.warnings.contains { $0.contains("No data race") }, "\(exploration.warnings)")
    }
  }

  @Test func `a lock that another thread takes, too, orders the tasks as ever`() async {
    let isOver = Flag()
    let mutex = Kept(Mutex<[Int]>([]))
    let lock = Kept(NSLock())
    let threads = (0..<2).map { _ in
      Thread {
        while !isOver.isReady.load(ordering: .relaxed) {
          mutex.value.withLock { $0 = $0.count > 40 ? [] : $0 + [1] }
          lock.value.withLock {}
        }
      }
    }
    for thread in threads { thread.start() }
    let exploration = await Explorer(executions: 2_000, seed: 1, shrinks: false).run {
      let box = Counts()
      let work: @Sendable () async -> Void = {
        for _ in 0..<10 {
          mutex.value.withLock {
            $0 = $0.count > 40 ? [] : $0 + [1]
            box.first += 1
          }
          lock.value.withLock { box.second += 1 }
        }
      }
      async let first: Void = work()
      async let second: Void = work()
      _ = await (first, second)
      #expect(box.first == 20 && box.second == 20)
    }
    isOver.isReady.store(true, ordering: .relaxed)
    #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
  }

  @Test func `memory that another thread gives back is new to the task that has it next`() async {
    let isOver = Flag()
    let left = Kept(Mutex<[Counts]>([]))
    let thread = Thread {
      while !isOver.isReady.load(ordering: .relaxed) { left.value.withLock { $0 = [] } }
    }
    thread.start()
    let exploration = await Explorer(executions: 500, seed: 1, shrinks: false).run {
      let work: @Sendable () async -> Void = {
        for _ in 0..<50 {
          let counts = Counts()
          counts.first += 1
          counts.second += 1
          left.value.withLock { $0.append(counts) }
        }
      }
      async let first: Void = work()
      async let second: Void = work()
      _ = await (first, second)
    }
    isOver.isReady.store(true, ordering: .relaxed)
    #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
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
