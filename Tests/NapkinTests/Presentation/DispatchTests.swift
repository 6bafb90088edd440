// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Napkin
import Synchronization
import Testing

@Suite @MainActor struct DispatchTests {
  actor Listener {
    private(set) var heard: [Int] = []
    func tapped(_ number: Int) { heard.append(number) }
  }

  @TaskLocal static var local = "none"

  // A plain Task, or an action without isolation, lets later events overtake on several threads; 500 leave it no chance.
  @Test func `what is sent first arrives first`() async {
    let listener = Listener()
    let sent = (0..<500).map { number in dispatch { await listener.tapped(number) } }
    for task in sent { await task.value }
    #expect(await listener.heard == Array(0..<500))
  }

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
