// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Synchronization
import Testing

private struct Thrown: Error {}

/// Keeps the processor busy: sleeping takes no real time here, and the processor's time is not simulated.
private func busyForRealTime(milliseconds: Int) {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  let start = time
  while (time.tv_sec - start.tv_sec) * 1_000 + (time.tv_nsec - start.tv_nsec) / 1_000_000 < milliseconds {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  }
}

@Suite struct VerdictTests {
  @Test func `a deadlock says which task waits where`() async throws {
    let result = await Explorer(executions: 1_000, seed: 1).run {
      let (left, right) = (AsyncLock(), AsyncLock())
      let one = Task(name: "one") {
        await left.lock()
        await right.lock()
        await right.unlock()
        await left.unlock()
      }
      let other = Task(name: "other") {
        await right.lock()
        await left.lock()
        await left.unlock()
        await right.unlock()
      }
      await one.value
      await other.value
    }
    let message = try #require(result.failure?.messages.first)
    if PlatformWays.findFunctions {
      let sentence = #/Deadlock: one waits since .*; other waits since .*, and nothing resumes them\./#
      #expect(message.prefixMatch(of: sentence) != nil, "\(message)")
    }
    #expect(message.contains("\nWaiting: body waits since step"))
    #expect(message.contains("; one waits since step"))
    #expect(message.contains("; other waits since step"))
  }

  @Test func `a deadlock says how long a task has waited`() async throws {
    let result = await Explorer(executions: 1, strategy: .fifo).run {
      Task(name: "sleeping task") { try? await Task.sleep(for: .seconds(3)) }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    let message = try #require(result.failure?.messages.first)
    #expect(message.contains("body waits since step 1, for 3.0 seconds"))
  }

  @Test func `a deadlock names a task that waits in the step of its creator`() async throws {
    let line = #line + 3
    let result = await Explorer(executions: 1, strategy: .fifo).run {
      let task = Task.immediate(name: "at once") {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
      await withDiscardingTaskGroup { group in
        group.addImmediateTask(name: "ended") {}
        group.addImmediateTask(name: "member") { await task.value }
      }
    }
    let failure = try #require(result.failure)
    let message = try #require(failure.messages.first)
    let place = PlatformWays.findFunctions ? ", at VerdictTests.swift:\(line)" : ""
    #expect(message.contains("at once waits since step 1\(place)"), "\(message)")
    #expect(message.contains("member waits since step 1"), "\(message)")
    #expect(!message.contains("ended"))
    #expect(failure.timeline.contains("at once") && failure.timeline.contains("member"), "\(failure.timeline)")
  }

  @Test func `a deadlock does not name tasks that have ended`() async throws {
    let result = await Explorer(executions: 1).run {
      await Task(name: "short") {}.value
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    let message = try #require(result.failure?.messages.first)
    #expect(message.contains("body waits since step"))
    #expect(!message.contains("short"))
  }

  @Test func `what is left of a discarded execution does not run in the next one`() async {
    let executions = Recorder<Int>()
    let runs = Recorder<Int>()
    // A failure is shrunk, so that the task that outlives the body runs again and again.
    let result = await Explorer(executions: 1, seed: 3).run {
      executions.record(0)
      let number = executions.count
      for _ in 0..<3 {
        Task {
          while true {
            // The first rounds are enough to see which task runs in whose time.
            if runs.events.last != number { runs.record(number) }
            await Task.yield()
          }
        }
      }
    }
    #expect(result.failure?.messages.first?.hasPrefix("A task outlives the body") == true)
    #expect(executions.count > 1)
    #expect(runs.events == Array(1...executions.count))
  }

  @Test func `a body that only polls is a livelock`() async throws {
    let result = await Explorer(executions: 1, strategy: .fifo, shrinks: false).run {
      while !Task.isCancelled { await Task.yield() }
    }
    #expect(result.failure?.messages.first?.hasPrefix("Livelock: 200000 jobs have run") == true)
  }

  @Test func `polling an actor for what never comes is a livelock that is cheap to shrink`() async throws {
    let result = await Explorer(executions: 5, steps: 20_000).run {
      let flag = Flag()
      Task { if await flag.isUp { await flag.raise() } }
      while await !flag.isUp { await Task.yield() }
    }
    let failure = try #require(result.failure)
    #expect(failure.messages.first?.hasPrefix("Livelock: 20000 jobs have run") == true)
    // A candidate of an endless execution costs many jobs, so only a hundred are tried.
    #expect(failure.shrinking.executions <= 101)
  }

  @Test func `an execution with much to do is no livelock when it may take more steps`() async {
    let body: @Sendable () async -> Void = {
      for _ in 0..<3_000 { await Task.yield() }
    }
    let few = await Explorer(executions: 1, shrinks: false, steps: 1_000).run(body)
    #expect(few.failure?.messages.first?.hasPrefix("Livelock: 1000 jobs have run") == true)
    #expect(few.failure?.messages.first?.contains("takes steps: 10000") == true)
    #expect(await Explorer(executions: 1, steps: 10_000).run(body).failure == nil)
  }

  @Test func `a task that goes on for ever after the body is named a straggler`() async throws {
    let result = await Explorer(executions: 1, strategy: .fifo, shrinks: false).run {
      Task { while true { await Task.yield() } }
    }
    #expect(result.failure?.messages.first?.hasPrefix("A task outlives the body") == true)
  }

  @Test func `a daemon that ignores its cancellation is discarded when the body returns`() async throws {
    let rounds = Recorder<Int>()
    // In FIFO order no time passes while the body is ready; in others it may, and the daemon has another round.
    let result = await Explorer(executions: 10, strategy: .fifo).run {
      Task {
        while true {
          try? await Task.sleep(for: .seconds(1))
          rounds.record(1)
        }
      }
      try await Task.sleep(for: .seconds(3.5))
    }
    #expect(result.failure == nil)
    #expect(rounds.count == 30)
  }

  @Test func `what sleeps when the body returns is not cancelled`() async throws {
    let wasCancelled = Recorder<Bool>()
    let result = await Explorer(executions: 10).run {
      Task {
        try? await Task.sleep(for: .seconds(1))
        wasCancelled.record(Task.isCancelled)
      }
      await Task.yield()
    }
    #expect(result.failure == nil)
    #expect(wasCancelled.events.isEmpty)
  }

  @Test func `a task that looks at its cancellation between sleeps is no straggler`() async throws {
    let result = await Explorer(executions: 1).run {
      Task { while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) } }
    }
    #expect(result.failure == nil)
  }

  @Test func `a thrown error is reported with its text`() async throws {
    let result = await Explorer(executions: 1).run { throw Thrown() }
    #expect(result.failure?.messages == ["Caught error: Thrown()"])
  }

  @Test func `an issue and the error that carries it are one message`() async throws {
    let result = await Explorer(executions: 1).run { try #require(1 + 1 == 3) }
    #expect(result.failure?.messages.count == 1)
  }

  @Test func `a literal failure is not blamed on the order of the tasks`() async throws {
    let exploration = await Explorer(executions: 10).run {
      async let one: Void = Task.yield()
      await Task.yield()
      await one
      #expect(1 + 1 == 3)
    }
    let report = try #require(exploration.failure).report
    #expect(
      report.contains(
        "\nLikely cause: not the order of the tasks: it fails even when each task runs as far as it can before the next"
      ))
  }

  @Test func `a race that FIFO order shows is blamed on the order of the tasks`() async throws {
    let exploration = await Explorer(executions: 10).run {
      let log = Recorder<Int>()
      async let one: Void = {
        log.record(1)
        await Task.yield()
        log.record(1)
      }()
      async let two: Void = {
        log.record(2)
        await Task.yield()
        log.record(2)
      }()
      _ = await (one, two)
      #expect(log.events == [1, 1, 2, 2])
    }
    let failure = try #require(exploration.failure)
    try #require(failure.deviations == 0)
    #expect(
      failure.report.contains("\nLikely cause: the tasks interleave at their suspension points."))
  }

  @Test func `a known issue is no failure`() async throws {
    let result = await Explorer(executions: 3).run {
      withKnownIssue { Issue.record("known") }
    }
    #expect(result.failure == nil)
  }

  @Test func `a filter that nothing passes is reported, with how many executions it cost`() async throws {
    let result = await Explorer(executions: 1_000).run {
      _ = Execution.draw(Gen<Int>.int(in: 0...1_000_000).filter { $0 == 123_457 })
    }
    #expect(result.discardedExecutions >= 100)
    #expect(result.failure?.messages.first?.contains("executions had to be discarded") == true)
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "a task may begin in the middle of the step that creates it"))
  func `a body without any choice is a warning`() async {
    let result = await Explorer(executions: 20, strategy: .random).run { await Task {}.value }
    #expect(result.failure == nil)
    #expect(result.warnings.first?.contains("all 20 executions of it were the same") == true)
  }

  @Test func `a body with a choice is no warning`() async {
    let result = await Explorer(executions: 20).run {
      async let one: Void = Task.yield()
      async let other: Void = Task.yield()
      _ = await (one, other)
    }
    #expect(result.warnings.isEmpty)
  }

  @Test func `an execution that takes long is a warning with its number`() async {
    var explorer = SearchContext(Explorer(executions: 3))
    explorer.slowness = .milliseconds(20)
    let runs = Mutex(0)
    let result = await explorer.run {
      async let one: Void = Task.yield()
      await Task.yield()
      await one
      let isSecond = runs.withLock { runs in
        runs += 1
        return runs == 2
      }
      // Of real time, which a clock does not return here.
      if isSecond { busyForRealTime(milliseconds: 300) }
    }
    #expect(result.warnings.count == 1)
    #expect(result.warnings.first?.hasPrefix("Execution 2 took ") == true)
  }
}
