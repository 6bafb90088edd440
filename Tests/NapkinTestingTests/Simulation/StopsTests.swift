// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing

/// Programs whose outcome threads show, and whole steps do not: the line after a call comes before or after another task's.
private enum Program: String, CaseIterable {
  case detachedTask, asyncLet, childOfGroup, cancelledTask, storedHandle, resumedWaiter, element, askedBefore,
    checkedBefore
  case lateHandler, sentToMain, taskOfMain, awaitedValue, cancelledGroup

  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func callAsFunction(_ line: String) { add(line) }
    func begins(with line: String) -> Bool { lines.withLock { $0.first == line } }
    var all: [String] { lines.withLock { $0 } }
  }

  private final class Slot<Value: Sendable>: Sendable {
    private let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
    var now: Value {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }
  }

  /// Runs it once, and returns whether it had the outcome.
  func run() async -> Bool {
    let log = Log()
    switch self {
    case .detachedTask:
      let task = Task.detached { log("task") }
      log("next")
      await task.value
    case .asyncLet:
      async let task: Void = log("task")
      log("next")
      await task
    case .childOfGroup:
      await withTaskGroup { group in
        group.addTask { log("task") }
        log("next")
      }
    case .cancelledTask:
      let task = Task.detached { log("task") }
      log("next")
      task.cancel()
      await task.value
    case .storedHandle:
      let slot = Slot<Task<Void, Never>?>(nil)
      let task = Task.detached { slot.now = nil }
      slot.now = task
      await task.value
      return slot.now != nil
    case .resumedWaiter:
      let waiter = Slot<CheckedContinuation<Void, Never>?>(nil)
      let task = Task.detached {
        await withCheckedContinuation { waiter.now = $0 }
        log("task")
      }
      while waiter.now == nil { await Task.yield() }
      waiter.now?.resume()
      log("next")
      await task.value
    case .element:
      let (elements, input) = AsyncStream<Int>.makeStream()
      let task = Task.detached { for await _ in elements { log("task") } }
      for _ in 0..<3 { await Task.yield() }
      input.yield(1)
      log("next")
      input.finish()
      await task.value
    case .askedBefore:
      let isCancelled = Slot(false)
      let task = Task.detached { if !Task.isCancelled, isCancelled.now { log("task") } }
      task.cancel()
      isCancelled.now = true
      await task.value
    case .checkedBefore:
      let isCancelled = Slot(false)
      let task = Task.detached {
        try Task.checkCancellation()
        if isCancelled.now { log("task") }
      }
      task.cancel()
      isCancelled.now = true
      _ = await task.result
    case .lateHandler:
      let task = Task.detached {
        log("line")
        await withTaskCancellationHandler {
          log("operation")
        } onCancel: {
          log("handler")
        }
      }
      while log.all.isEmpty { await Task.yield() }
      task.cancel()
      await task.value
      return log.all == ["line", "handler", "operation"]
    case .sentToMain:
      let tasks = ["a", "b"].map { name in
        Task.detached {
          log("line \(name)")
          await MainActor.run { log("main \(name)") }
        }
      }
      for task in tasks { await task.value }
      return log.all == ["line a", "line b", "main b", "main a"]
    case .taskOfMain:
      let task = Task { @MainActor in
        let task = Task.detached { log("task") }
        log("next")
        await task.value
      }
      await task.value
    case .awaitedValue:
      let made = Task.detached { log("made") }
      let waiter = Task.detached {
        await made.value
        log("task")
      }
      log("next")
      await waiter.value
      return log.all == ["made", "task", "next"]
    case .cancelledGroup:
      let task = Task.detached {
        await withTaskGroup { group in
          group.addTask {
            while !Task.isCancelled { await Task.yield() }
            log("task")
          }
          group.cancelAll()
          log("next")
        }
      }
      await task.value
    }
    return log.begins(with: "task")
  }
}

@Suite(.disabled(if: !Instrumentation.stopsAtCalls, "a step is split at accesses in place of calls"))
struct StopsTests {
  private struct Reached: Error {}

  private static func explore(_ program: Program, _ strategy: Explorer.Strategy = .portfolio, seed: UInt64) async
    -> Exploration
  {
    await Explorer(executions: 4_000, strategy: strategy, seed: seed).run { if await program.run() { throw Reached() } }
  }

  @Test(arguments: Program.allCases, [1, 2])
  fileprivate func `the line after a call may come late`(program: Program, seed: UInt64) async throws {
    let failure = try #require(await Self.explore(program, seed: seed).failure)
    let again = await Explorer(strategy: .replay(failure.schedule)).run { if await program.run() { throw Reached() } }
    #expect(again.failure?.messages == failure.messages)
  }

  @Test func `the report names the call`() async throws {
    let failure = try #require(await Self.explore(.detachedTask, seed: 1).failure)
    #expect(failure.timeline.contains("is stopped where it has started or resumed a task"), "\(failure.timeline)")
    if PlatformWays.findFunctions { #expect(failure.description.contains("StopsTests.swift:"), "\(failure)") }
    #expect(failure.sequence.deviations == 1)
  }

  @Test func `an exhaustive search runs whole steps, and says so`() async {
    let result = await Self.explore(.detachedTask, .exhaustive(), seed: 1)
    #expect(result.failure == nil && result.isExhaustive)
    #expect(result.description.contains("of whole steps"))
    #expect(result.preemptions == nil)
  }
}

/// Sound programs that have a lock at a call, of a kind that the kit does not see.
@Suite(.disabled(if: !Instrumentation.stopsAtCalls, "a step is split at accesses in place of calls"))
struct LockAtCallTests {
  private static func passes(_ body: @escaping @Sendable () async -> Void, location: SourceLocation = #_sourceLocation)
    async
  {
    let result = await Explorer(executions: 2_000, seed: 1).run(body)
    #expect(result.failure == nil && result.executions == 2_000, "\(result)", sourceLocation: location)
    #expect(!result.warnings.contains { $0.contains("No step is stopped") }, "\(result)", sourceLocation: location)
  }

  @Test func `a task that wants the lock is started under it`() async {
    await Self.passes {
      let lock = NSLock()
      let task = lock.withLock { Task.detached { lock.withLock {} } }
      await task.value
    }
  }

  @Test func `a waiter that wants the lock is resumed under it`() async {
    await Self.passes {
      let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
      let lock = NSLock()
      let task = Task.detached {
        await withCheckedContinuation { continuation in waiter.withLock { $0 = continuation } }
        lock.withLock {}
      }
      while !waiter.withLock({ $0 != nil }) { await Task.yield() }
      lock.withLock { waiter.withLock { $0 }?.resume() }
      await task.value
    }
  }

  @Test func `the main actor wants the lock`() async {
    await Self.passes {
      let lock = NSLock()
      let task = lock.withLock { Task { @MainActor in lock.withLock {} } }
      await task.value
    }
  }

  @Test func `the main actor has the lock`() async {
    await Self.passes { @MainActor in
      let lock = NSLock()
      let task = lock.withLock { Task.detached { lock.withLock {} } }
      await task.value
    }
  }

  @Test func `a loop waits for the lock`() async {
    await Self.passes {
      let isTaken = Atomic(true)
      let task = Task.detached { while isTaken.load(ordering: .acquiring) {} }
      isTaken.store(false, ordering: .releasing)
      await task.value
    }
  }

  @Test(.enabled(if: PlatformWays.replaceLibraryFunctions, "the wait is the system's here"))
  func `a semaphore is signalled by a task that begins in between`() async {
    await Self.passes {
      let semaphore = DispatchSemaphore(value: 0)
      let task = Task.detached { semaphore.signal() }
      wait(for: semaphore)
      _ = await task.value
    }
  }
}

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

/// A job that seems to wait for a lock loses its turn, and may go on at that very moment.
///
/// That happens under load. Here jobs lose their turn wherever they are in `work()`, in processes of their own.
@Suite(.disabled(if: !Instrumentation.stopsAtCalls, "a step is split at accesses in place of calls"))
struct LostTurnTests {
  @Test func `a job that loses its turn in its own code leaves all others theirs`() async {
    let result = await Explorer(executions: 1_000, seed: 1, isolated: true)
      .runAsATest(FailureDatabase.key(#_sourceLocation), keptIn: FailureDatabase(folder: "/dev/null/none")) {
        let adder = Adder()
        await withTaskGroup { group in
          for number in 0..<4 {
            group.addTask {
              Self.work()
              let inner = Task { await adder.add(number) }
              Self.work()
              await inner.value
              Self.work()
            }
          }
        }
        let sum = await adder.sum
        precondition(sum == 6)
        Execution.sometimes("a turn was lost", Instrumentation.takesTurns(inHaste: false) > 0)
      }
    #expect(result.failure == nil, "\(result)")
  }

  @Test func `a task whose job loses its turn while it is suspended goes on after that alone`() async {
    // The job that cancels is stopped in the handler, and has the lock of the task, which the task's job wants when it hops.
    let result = await Explorer(executions: 500, seed: 1, isolated: true)
      .runAsATest(FailureDatabase.key(#_sourceLocation), keptIn: FailureDatabase(folder: "/dev/null/none")) {
        let adder = Adder()
        let tasks = (0..<2).map { number in
          Task {
            await withTaskCancellationHandler {
              for _ in 0..<3 { await adder.add(number) }
            } onCancel: {
              Task { await adder.add(number) }
            }
          }
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        Execution.sometimes("a turn was lost", Instrumentation.takesTurns(inHaste: false) > 0)
      }
    #expect(result.failure == nil, "\(result)")
  }

  private static func work() {
    Instrumentation.takesTurns(inHaste: true)
    defer { Instrumentation.takesTurns(inHaste: false) }
    var number = 0.0
    for count in 0..<20_000 { number += Double(count).squareRoot() }
    withExtendedLifetime(number) {}
  }

  private actor Adder {
    private(set) var sum = 0
    func add(_ number: Int) { sum += number }
  }
}
