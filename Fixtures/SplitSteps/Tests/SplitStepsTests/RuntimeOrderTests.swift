// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NapkinTesting
import Synchronization
import Testing

/// What the runtime orders, or says of where code runs, also where steps are split.
@Suite struct RuntimeOrderTests {
  /// Starts a task on itself, and then one that comes to it from the pool.
  private actor Notes {
    private(set) var names: [String] = []
    private let between = Tally()

    func start(_ first: TaskPriority?, _ second: TaskPriority?) {
      Task(priority: first) { note("own") }
      between.increment()
      Task.detached(priority: second) { await self.note("detached") }
      between.increment()
    }
    private func note(_ name: String) { names.append(name) }
  }

  /// The first of the two, in each execution in which steps were split.
  private func first(_ own: TaskPriority?, _ detached: TaskPriority?) async -> [String: Int] {
    let counts = Kept(Mutex<[String: Int]>([:]))
    let exploration = await Explorer(executions: 1_000, seed: 1).run {
      let notes = Notes()
      await notes.start(own, detached)
      while await notes.names.count < 2 { await Task.yield() }
      let first = await notes.names[0]
      counts.value.withLock { $0[first, default: 0] += 1 }
    }
    #expect(exploration.failure == nil)
    #expect((exploration.preemptions ?? 0) > 500)
    return counts.value.withLock { $0 }
  }

  @Test(arguments: [(TaskPriority?.none, TaskPriority?.none), (.high, .background)])
  func `what a step puts into its actor's queue comes before what arrives later in it`(
    _ own: TaskPriority?, _ detached: TaskPriority?
  ) async {
    #expect(await first(own, detached).keys.sorted() == ["own"])
  }

  @Test func `a task of a higher priority may overtake what is in an actor's queue`() async {
    let counts = await first(.background, .high)
    #expect(counts.keys.sorted() == ["detached", "own"], "\(counts)")
  }

  /// Is in the middle of a step when tasks arrive.
  private actor Busy {
    private(set) var names: [String] = []
    private let between = Tally()

    func work() {
      between.increment()
      between.increment()
    }
    func note(_ name: String) { names.append(name) }
  }

  /// Hops to the busy actor, and has a task of the pool come there once it works again.
  private actor Source {
    private(set) var begun: [String] = []
    private let busy: Busy
    init(_ busy: Busy) { self.busy = busy }

    func first() async {
      begun.append("first")
      await busy.note("first")
    }
    func second() -> Task<Void, Never> {
      begun.append("second")
      return Task.detached { [busy] in await busy.note("second") }
    }
  }

  @Test func `a task that left an actor comes before one that is started there afterwards`() async {
    let counts = Kept(Mutex<[String: Int]>([:]))
    let exploration = await Explorer(executions: 3_000, seed: 1, shrinks: false).run {
      let busy = Busy()
      let source = Source(busy)
      async let work: Void = busy.work()
      async let first: Void = source.first()
      async let second = source.second()
      await second.value
      _ = await (work, first)
      let (begun, names) = await (source.begun, busy.names)
      counts.value.withLock { $0["\(begun) \(names)", default: 0] += 1 }
      #expect(begun.first == "second" || names.first == "first")
    }
    #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
    #expect(counts.value.withLock { $0.count } == 3, "\(counts.value.withLock { $0 })")
  }

  @Test(arguments: [DispatchQueue.main, .global(), DispatchQueue(label: "serial")])
  func `a block on a queue is in no task`(_ queue: DispatchQueue) async {
    let exploration = await Explorer(executions: 100, seed: 1, shrinks: false).run {
      let (isInTask, current, base) = await withCheckedContinuation { continuation in
        queue.async {
          continuation.resume(
            returning: (withUnsafeCurrentTask { $0 != nil }, Task.currentPriority.rawValue, Task.basePriority == nil))
        }
      }
      #expect(!isInTask && current == 0 && base)
    }
    #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
  }

  @Test func `tasks that take semaphores in a ring come to a deadlock with each of 20 seeds`() async throws {
    var found: [Int] = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 300, seed: seed, shrinks: false).run {
        let forks = (0..<3).map { _ in DispatchSemaphore(value: 1) }
        await withTaskGroup { group in
          for place in 0..<3 {
            group.addTask {
              forks[place].wait()
              forks[(place + 1) % 3].wait()
              forks[(place + 1) % 3].signal()
              forks[place].signal()
            }
          }
        }
      }
      let failure = try #require(exploration.failure, "seed \(seed)")
      #expect(failure.diagnostics.map(\.kind) == [.deadlock])
      found.append(failure.execution)
    }
    #expect(found.reduce(0, +) <= 60 * 20, "\(found)")
  }
}
