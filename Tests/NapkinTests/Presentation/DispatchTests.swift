// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Napkin
import Synchronization
import Testing

/// The protocol by which a view holds its interactor, which is an actor.
private protocol TapListener: AnyObject, Sendable {
  func tapped(_ number: Int) async
}

@Suite @MainActor struct DispatchTests {
  actor Listener: TapListener {
    private(set) var heard: [Int] = []
    func tapped(_ number: Int) { heard.append(number) }
  }

  @TaskLocal static var local = "none"

  // A plain Task swapped 18 of 1,000 such pairs on two cores.
  @Test func `what is sent first arrives first`() async {
    for _ in 0..<1_000 {
      let listener = Listener()
      let view: any TapListener = listener
      let first = dispatch { await view.tapped(1) }
      let second = dispatch { await view.tapped(2) }
      await first.value
      await second.value
      #expect(await listener.heard == [1, 2])
    }
  }

  // The other half of the order: the closure would not even compile, were the action not typed as the main actor's.
  @Test func `an action begins before the view goes on`() {
    var hasBegun = false
    dispatch { hasBegun = true }
    #expect(hasBegun)
  }

  @Test func `an action sees the task-locals of its sender`() async {
    var seen = ""
    await Self.$local.withValue("view") {
      await dispatch { seen = Self.local }.value
    }
    #expect(seen == "view")
  }

  @Test func `an action has its sender's priority, or the one it is given`() async {
    var seen: [TaskPriority] = []
    await Task(priority: .low) {
      await dispatch { seen.append(Task.basePriority ?? .background) }.value
      await dispatch(priority: .high) { seen.append(Task.basePriority ?? .background) }.value
    }.value
    #expect(seen == [.low, .high])
  }

  final class Counting: TaskExecutor {
    let jobs = Atomic<Int>(0)

    func enqueue(_ job: consuming ExecutorJob) {
      jobs.add(1, ordering: .relaxed)
      let job = UnownedJob(job)
      let executor = asUnownedTaskExecutor()
      DispatchQueue.global().async { job.runSynchronously(on: executor) }
    }
  }

  @Test func `an action prefers its sender's executor`() async {
    let executor = Counting()
    await Task(executorPreference: executor) { await Self.leaveTheMainActor(executor) }.value
  }

  private static func leaveTheMainActor(_ executor: Counting) async {
    let before = executor.jobs.load(ordering: .relaxed)
    await dispatch { await Self.elsewhere() }.value
    #expect(executor.jobs.load(ordering: .relaxed) > before)
  }

  @concurrent private static func elsewhere() async {}
}
