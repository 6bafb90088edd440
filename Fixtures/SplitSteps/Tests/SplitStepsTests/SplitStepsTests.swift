// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Subjects
import Testing

/// Steps are split where the program was compiled for it, and this one is.
@Suite struct SplitStepsTests {
  @Test(arguments: Subject.wrong)
  func `a wrong program is found within 100 executions with each of 20 seeds`(_ subject: Subject) async {
    var found: [Int] = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 100, seed: seed, shrinks: false).run(subject.body)
      if let failure = exploration.failure { found.append(failure.execution) }
    }
    #expect(found.count == 20)
    #expect(found.reduce(0, +) <= 15 * 20, "\(found)")
  }

  @Test(arguments: Subject.wrongInThreads)
  func `a wrong program with threads of its own is found with each of 20 seeds`(_ subject: Subject) async {
    var found: [Int] = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 200, seed: seed, shrinks: false).run(subject.body)
      if let failure = exploration.failure { found.append(failure.execution) }
      #expect(exploration.warnings == [])
    }
    #expect(found.count == 20)
    #expect(found.reduce(0, +) <= 40 * 20, "\(found)")
  }

  @Test(arguments: Subject.sound)
  func `a sound program passes, and is split`(_ subject: Subject) async {
    let exploration = await Explorer(executions: 1_000, seed: 3, shrinks: false).run(subject.body)
    #expect(exploration.failure == nil)
    #expect((exploration.preemptions ?? 0) > 0)
  }

  @Test func `a lost update shrinks to one preemption, which the report shows with its line`() async throws {
    let subject = try #require(Subject.wrong.first { $0.name == "mutex" })
    let failure = try #require(await Explorer(seed: 1).run(subject.body).failure)
    #expect(failure.deviations == 1)
    // The other task's step comes between the two halves of this one's.
    let pair = try #require(failure.decisivePair)
    #expect(pair.second.isResumption && pair.second.function == "MutexCounter.increment()", "\(pair)")
    #expect(pair.first.task != pair.second.task && pair.count == 1, "\(pair)")
    #expect(
      "\(pair)".wholeMatch(
        of:
          #/It fails where task (\d) is preempted before a (read|write) in `MutexCounter\.increment\(\)` \(LostUpdates\.swift:1[23]\), and task (\d) .* before it goes on in step \d+; without that, it passes\./#
      ) != nil, "\(pair)")
    let heard = Words()
    await withKnownIssue {
      await Explorer(seed: 1).check(subject.body)
    } matching: { issue in
      heard.add(issue.comments.map(\.rawValue).joined())
      return true
    }
    let text = heard.text
    #expect(
      text.contains(
        #/◆ .* is preempted before a (read|write) in MutexCounter\.increment\(\) +LostUpdates\.swift:1[23]/#),
      "\(text)")
    #expect(text.contains("other tasks run in the middle of a step, which is preempted in one place (◆)."))
    #expect(text.contains("Without the preemption (◆) it passes."))
  }

  @Test func `a deadlock of two locks says which task has which lock, and where`() async throws {
    let subject = try #require(Subject.wrong.first { $0.name == "two mutexes" })
    let failure = try #require(await Explorer(seed: 1).run(subject.body).failure)
    let diagnostic = try #require(failure.diagnostics.first)
    #expect(diagnostic.kind == .deadlock)
    #expect(failure.decisivePair == nil)
    #expect(
      diagnostic.summary.split(separator: "\n")[0].contains(
        #/^Deadlock: .*task \d waits for a Mutex \(first\) at Others\.swift:\d+ in closure in Bank\.moveToFirst\(\), which task \d has taken at Others\.swift:\d+ in Bank\.moveToSecond\(\)/#
      ),
      "\(diagnostic.summary)")
  }

  @Test(arguments: Subject.races)
  func `a data race is found within 100 executions with each of 20 seeds`(_ subject: Subject) async {
    for seed in 1...20 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 100, seed: seed, shrinks: false).run(subject.body)
      #expect(exploration.failure?.diagnostics.last?.kind == .dataRace)
    }
  }

  @Test(arguments: [Explorer.Strategy.fifo, .exhaustive()])
  func `a data race is a failure in whole steps, too, since nothing orders it`(_ strategy: Explorer.Strategy) async {
    let exploration = await Explorer(strategy: strategy, shrinks: false).run(Subject.races[0].body)
    #expect(exploration.failure?.execution == 1)
    #expect(exploration.failure?.diagnostics.map(\.kind) == [.dataRace])
    #expect(exploration.preemptions == 0)
  }

  @Test func `a data race names both accesses, their places and the locks held`() async throws {
    let subject = try #require(Subject.races.first { $0.name == "one lock of two" })
    let failure = try #require(await Explorer(seed: 1).run(subject.body).failure)
    let diagnostic = try #require(failure.diagnostics.first)
    #expect(diagnostic.kind == .dataRace)
    #expect(failure.deviations == 0)
    let parts = [
      #/task \d writes at Races\.swift:\d+ in closure in Guarded\.set\(_:to:\), with the Mutex \(lock\) taken at Races\.swift:\d+ in Guarded\.set\(_:to:\)/#,
      #/task \d writes at Races\.swift:\d+ in closure in .*, with no lock/#,
    ]
    for part in parts { #expect(diagnostic.summary.contains(part), "\(diagnostic.summary)") }
  }

  @Test func `a process goes on after 300 deadlocks`() async throws {
    let subject = try #require(Subject.wrong.first { $0.name == "two NSLocks" })
    let failure = try #require(await Explorer(seed: 1).run(subject.body).failure)
    for _ in 0..<300 {
      let again = await Explorer(strategy: .replay(failure.schedule), shrinks: false).run(subject.body)
      try #require(again.failure?.diagnostics.first?.kind == .deadlock)
    }
    #expect(threads() < 64)
  }

  @Test func `a replay is the same execution, each of 20 times`() async throws {
    for subject in Subject.wrong + Subject.wrongInThreads {
      let failure = try #require(await Explorer(seed: 2, shrinks: false).run(subject.body).failure)
      for _ in 0..<20 {
        let again = await Explorer(strategy: .replay(failure.schedule), shrinks: false).run(subject.body)
        #expect(again.failure?.schedule == failure.schedule)
        #expect(again.failure?.messages == failure.messages)
        #expect(again.warnings == [])
      }
    }
  }

  @Test func `every schedule of whole steps is one in which no step is split`() async throws {
    let exploration = await Explorer(strategy: .exhaustive()).run(Subject.wrong[0].body)
    #expect(exploration.failure == nil)
    #expect(exploration.preemptions == 0)
    #expect(exploration.description.contains("split at 0 accesses"))
    #expect(exploration.description.contains("which are all there are of whole steps"))
  }

  @Test func `a task is preempted before it cancels the one that it has just started`() async throws {
    let body: @Sendable () async -> Void = {
      let count = Tally()
      let task = Task { if !Task.isCancelled { count.increment() } }
      task.cancel()
      await task.value
      #expect(count.value == 0)
    }
    for seed in 1...20 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 100, seed: seed, shrinks: false).run(body)
      #expect(exploration.failure != nil, "seed \(seed)")
    }
    let failure = try #require(await Explorer(seed: 1).run(body).failure)
    #expect(failure.deviations == 1)
    #expect(failure.timeline.contains("is preempted before it cancels a task"), "\(failure.timeline)")
  }

  @Test func `executions that are preempted are not said to be all the same`() async {
    let exploration = await Explorer(executions: 60).run {
      let counter = Tally()
      let task = Task { counter.increment() }
      counter.increment()
      await task.value
    }
    #expect((exploration.preemptions ?? 0) > 0)
    #expect(exploration.warnings == [])
  }

  @Test func `one access is not said to be several`() async throws {
    let subject = try #require(Subject.wrong.first { $0.name == "mutex" })
    let failure = try #require(await Explorer(seed: 1).run(subject.body).failure)
    let replay = await Explorer(strategy: .replay(failure.schedule), shrinks: false).run(subject.body)
    #expect(replay.preemptions == 1)
    #expect(replay.description.contains(", split at 1 access\n"), "\(replay.description)")
  }

  @Test func `a pass on threads says that no step was split`() async {
    let exploration = await Explorer(executions: 3, strategy: .parallel).run {}
    #expect(exploration.preemptions == 0)
  }

  @Test(.interleavings(200)) func `a body with the trait is split, and its issues are recorded`() async {
    let counter = Tally()
    async let first: Void = counter.increment()
    async let second: Void = counter.increment()
    _ = await (first, second)
    #expect(counter.value == 2)
    #expect(Test.current != nil)
  }
}
