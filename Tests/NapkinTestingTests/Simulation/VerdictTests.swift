// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Synchronization
import Testing

private actor Lock {
  private var isLocked = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func lock() async {
    if isLocked { await withCheckedContinuation { waiting.append($0) } } else { isLocked = true }
  }

  func unlock() {
    if waiting.isEmpty { isLocked = false } else { waiting.removeFirst().resume() }
  }
}

private struct Thrown: Error {}

@Suite struct VerdictTests {
  @Test func `a deadlock says who waits where`() async throws {
    let result = await Explorer(executions: 1_000, seed: 1).run {
      let (left, right) = (Lock(), Lock())
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
    #expect(message.hasPrefix("Deadlock: the body has not returned, no task is ready and no timer is set."))
    #expect(message.contains("body waits since step"))
    #expect(message.contains("one waits since step"))
    #expect(message.contains("other waits since step"))
  }

  @Test func `a deadlock says for how long somebody waits`() async throws {
    let result = await Explorer(executions: 1, strategy: .fifo).run {
      Task(name: "sleeper") { try? await Task.sleep(for: .seconds(3)) }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    let message = try #require(result.failure?.messages.first)
    #expect(message.contains("body waits since step 1, for 3.0 seconds"))
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

  @Test func `a body that a thread resumes after its verdict is told to be out of control`() async throws {
    var message = ""
    // The engine waits some tenths of a second for the thread, which may take longer on a busy machine: it has five tries.
    for _ in 0..<5 where !message.hasPrefix("Lost control") {
      let result = await Explorer(executions: 1, shrinks: false).run {
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.005) { continuation.resume() }
        }
      }
      message = try #require(result.failure?.messages.first)
    }
    #expect(message.hasPrefix("Lost control: the body waited for something outside Swift Concurrency"))
  }

  @Test func `what is left of an execution that was given up does not run in the next one`() async {
    let executions = Recorder<Int>()
    let runs = Recorder<Int>()
    // A straggler is made smaller, so it runs again and again.
    let result = await Explorer(executions: 1, seed: 3).run {
      executions.record(0)
      let number = executions.count
      for _ in 0..<3 {
        Task {
          while true {
            // The first rounds are enough to see who runs in whose time.
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

  @Test func `a task that goes on for ever after the body is named a straggler`() async throws {
    let result = await Explorer(executions: 1, strategy: .fifo, shrinks: false).run {
      Task { while true { await Task.yield() } }
    }
    #expect(result.failure?.messages.first?.hasPrefix("A task outlives the body") == true)
  }

  @Test func `what sleeps when the body returns is cancelled`() async throws {
    let result = await Explorer(executions: 1).run {
      Task { while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) } }
    }
    #expect(result.failure == nil)
  }

  @Test func `a thrown error is told with its text`() async throws {
    let result = await Explorer(executions: 1).run { throw Thrown() }
    #expect(result.failure?.messages == ["Caught error: Thrown()"])
  }

  @Test func `an issue and the error that carries it are one message`() async throws {
    let result = await Explorer(executions: 1).run { try #require(1 + 1 == 3) }
    #expect(result.failure?.messages.count == 1)
  }

  @Test func `a known issue is no failure`() async throws {
    let result = await Explorer(executions: 3).run {
      withKnownIssue { Issue.record("known") }
    }
    #expect(result.failure == nil)
  }

  @Test func `a filter that nothing passes is told, with how many executions it cost`() async throws {
    let result = await Explorer(executions: 1_000).run {
      _ = Execution.draw(Gen<Int>.int(in: 0...1_000_000).filter { $0 == 123_457 })
    }
    #expect(result.rejected >= 100)
    #expect(result.failure?.messages.first?.contains("executions had to be thrown away") == true)
  }

  @Test func `a body without any choice is a warning`() async {
    let result = await Explorer(executions: 20).run { await Task {}.value }
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
    var explorer = Explorer(executions: 3)
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
      // Of real time, which a clock would not tell here.
      if isSecond { usleep(300_000) }
    }
    #expect(result.warnings.count == 1)
    #expect(result.warnings.first?.hasPrefix("Execution 2 took 0.") == true)
  }
}
