// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Synchronization
import Testing

/// A service with a completion handler, as there are many in apps: it answers on a queue of its own.
private final class LegacyService: Sendable {
  private let queue = DispatchQueue(label: "legacy service")

  func load(_ number: Int, completion: @escaping @Sendable (Int) -> Void) {
    // An answer that is there before its task waits for it would not have to come back.
    queue.async {
      usleep(1_000)
      completion(number * 2)
    }
  }

  func load(_ number: Int) async -> Int {
    await withCheckedContinuation { continuation in load(number) { continuation.resume(returning: $0) } }
  }
}

/// A thread that was there before the exploration, and answers when it has as many questions as fit.
private final class BatchAnswerer: Sendable {
  private let questions = Mutex<[UnsafeContinuation<Int, Never>]>([])
  private let size: Int
  private let arrival = DispatchSemaphore(value: 0)

  init(size: Int) {
    self.size = size
    Thread {
      self.arrival.wait()
      for question in self.questions.withLock({ $0 }) { question.resume(returning: 1) }
    }.start()
  }

  func ask() async -> Int {
    await withUnsafeContinuation { continuation in
      let isFull = questions.withLock { questions in
        questions.append(continuation)
        return questions.count == size
      }
      if isFull { arrival.signal() }
    }
  }
}

/// A thread that was there before the exploration, and answers each request after some milliseconds.
private final class Answerer: Sendable {
  private let requests = Mutex<[CheckedContinuation<Int, Never>]>([])
  private let arrival = DispatchSemaphore(value: 0)

  init(after seconds: Double) {
    Thread {
      while true {
        self.arrival.wait()
        let request = self.requests.withLock { $0.removeFirst() }
        Thread.sleep(forTimeInterval: seconds)
        request.resume(returning: 42)
      }
    }.start()
  }

  func ask() async -> Int {
    await withCheckedContinuation { continuation in
      requests.withLock { $0.append(continuation) }
      arrival.signal()
    }
  }
}

/// A thread that the first question starts, and that answers after some time.
private final class LateThread: Sendable {
  private let answerer = Mutex<Answerer?>(nil)

  func ask() async -> Int {
    let answerer = answerer.withLock { answerer in
      if answerer == nil { answerer = Answerer(after: 0.6) }
      return answerer!
    }
    return await answerer.ask()
  }
}

private final class PoolExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "pool of its own", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

private actor Sum {
  private(set) var total = 0
  func add(_ number: Int) { total += number }
}

private struct TimedOut: Error {}

@Suite(.disabled(if: Instrumentation.splitsSteps, "threads and queues are tasks of the schedule where steps are split"))
struct PartialControlTests {
  private static let seesWhatIsLeft: any TestTrait = .enabled(
    if: PlatformWays.replaceLibraryFunctions, "what the body leaves to a queue or a thread is not seen here")

  private func expectLostControl(_ result: Exploration, to place: String, _ location: SourceLocation = #_sourceLocation)
  {
    #expect(result.failure == nil, sourceLocation: location)
    // A stall of a busy machine is said apart.
    let warnings = result.warnings.filter {
      $0.hasPrefix("Lost control: ") && !$0.contains("nothing could go on for a while")
    }
    #expect(warnings.count == 1, sourceLocation: location)
    let named = PlatformWays.replaceLibraryFunctions ? place : "something outside Swift Concurrency"
    #expect(warnings.first?.contains(named) == true, "\(warnings)", sourceLocation: location)
  }

  /// By Apple's ways the thread is not known, and the wait for one is 0.4 seconds.
  @Test(Self.seesWhatIsLeft, arguments: [false, true])
  func `a thread that takes its time is waited for in every execution`(_ hasTimer: Bool) async {
    let thread = LateThread()
    let result = await Explorer(executions: 4).run {
      let timer = hasTimer ? Task { try await Task.sleep(for: .seconds(5)) } : nil
      #expect(await thread.ask() == 42)
      timer?.cancel()
    }
    #expect(result.failure == nil)
    #expect(result.executions == 4)
  }

  @Test func `answers from a dispatch queue come back, in every execution`() async {
    let result = await Explorer(executions: 200).run {
      let service = LegacyService()
      let sum = Sum()
      await withTaskGroup { group in
        for number in 1...3 { group.addTask { await sum.add(await service.load(number)) } }
      }
      let total = await sum.total
      if total != 12 { throw TimedOut() }
    }
    expectLostControl(result, to: "the dispatch queue \"legacy service\"")
    #expect(result.executions == 200)
  }

  @Test func `each of twenty thousand tasks comes back from a thread`() async {
    let count = 20_000
    let thread = BatchAnswerer(size: count)
    let result = await Explorer(executions: 1).run {
      let sum = Sum()
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await sum.add(await thread.ask()) } }
      }
      let total = await sum.total
      if total != count { throw TimedOut() }
    }
    #expect(result.failure == nil)
  }

  @Test func `the main queue runs before a deadlock is reported`() async {
    let result = await Explorer(executions: 20).run {
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
    expectLostControl(result, to: "the main queue")
  }

  @Test func `a thread of the body resumes it`() async {
    let result = await Explorer(executions: 20).run {
      await withCheckedContinuation { continuation in Thread { continuation.resume() }.start() }
    }
    expectLostControl(result, to: "a thread")
  }

  @Test func `a limit of time holds where each execution waits for a thread`() async {
    let result = await Explorer(executions: 2_000, time: .milliseconds(50)).run {
      _ = await LegacyService().load(21)
    }
    #expect(result.executions < 500)
    #expect(result.failure == nil)
  }

  @Test(Self.seesWhatIsLeft) func `an answer in real time comes before a timeout of a minute`() async {
    let result = await Explorer(executions: 5).run {
      let answer = await withTaskGroup(of: Int.self) { group in
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread {
              Thread.sleep(forTimeInterval: 0.05)
              continuation.resume(returning: 42)
            }.start()
          }
        }
        group.addTask {
          try? await Task.sleep(for: .seconds(60))
          return 0
        }
        return await group.next() ?? 0
      }
      if answer != 42 { throw TimedOut() }
    }
    expectLostControl(result, to: "a thread")
  }

  @Test(Self.seesWhatIsLeft) func `an answer that the body does not wait for is waited for in the end`() async {
    let sum = Recorder<Int>()
    let result = await Explorer(executions: 20).run {
      let service = LegacyService()
      Task { sum.record(await service.load(21)) }
    }
    expectLostControl(result, to: "the dispatch queue \"legacy service\"")
    #expect(sum.events == Array(repeating: 42, count: 20))
  }

  @Test(Self.seesWhatIsLeft) func `a delay of a dispatch queue takes no real time`() async {
    // In real time it would look like a deadlock.
    let result = await Explorer(executions: 20).run {
      let before = Execution.clock.now
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 600) { continuation.resume() }
      }
      if before.duration(to: Execution.clock.now) != .seconds(600) { throw TimedOut() }
    }
    expectLostControl(result, to: "a global dispatch queue")
  }

  @Test func `a thread that was there before answers, and no deadlock is reported`() async {
    let answerer = Answerer(after: 0.01)
    let result = await Explorer(executions: 10).run {
      if await answerer.ask() != 42 { throw TimedOut() }
    }
    expectLostControl(result, to: "something outside Swift Concurrency")
  }

  @Test func `an actor with an executor of its own comes back`() async {
    let result = await Explorer(executions: 50).run {
      let actor = OnOwnQueue()
      await actor.increment()
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await actor.increment() } }
      }
      if await actor.count != 4 { throw TimedOut() }
    }
    expectLostControl(result, to: "the dispatch queue \"queue of an actor\"")
  }

  @Test func `a task executor of its own comes back`() async {
    let result = await Explorer(executions: 50).run {
      let pool = PoolExecutor()
      let sum = Sum()
      await withTaskExecutorPreference(pool) {
        for number in 1...3 { await sum.add(number) }
      }
      if await sum.total != 6 { throw TimedOut() }
    }
    expectLostControl(result, to: "the dispatch queue \"pool of its own\"")
  }

  @Test func `work that never comes back to the body is no reason for a warning`() async {
    let log = DispatchQueue(label: "log")
    let lines = Mutex(0)
    let result = await Explorer(executions: 100).run {
      for _ in 0..<3 {
        log.async { lines.withLock { $0 += 1 } }
        try await Task.sleep(for: .seconds(1))
      }
    }
    #expect(result.failure == nil)
    #expect(!result.warnings.contains { $0.hasPrefix("Lost control") })
    log.sync {}
    // The first execution runs twice where it is not seen that work is left to a queue.
    #expect(lines.withLock { $0 } == (PlatformWays.replaceLibraryFunctions ? 300 : 303))
  }

  @Test func `what never comes back is a deadlock that names where it went`() async throws {
    // The threads go on once the test is over, however long that takes.
    let isOver = DispatchGroup()
    isOver.enter()
    defer { isOver.leave() }
    let result = await Explorer(executions: 10).run {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
        Thread { isOver.wait() }.start()
      }
    }
    let message = try #require(result.failure?.messages.first)
    #expect(message.hasPrefix("Deadlock: the body has not returned"))
    if PlatformWays.replaceLibraryFunctions {
      #expect(message.contains("not back after a second of real time: a thread."))
    }
  }

  @Test func `an exhaustive search that lost control is not exhaustive`() async {
    let result = await Explorer(strategy: .exhaustive()).run { _ = await LegacyService().load(1) }
    #expect(result.failure == nil)
    #expect(!result.isExhaustive)
  }

  @Test func `an answer that is there before its task waits proves nothing`() async {
    let answers = Mutex(0)
    let result = await Explorer(strategy: .exhaustive()).run {
      let isFirst = answers.withLock { count in
        count += 1
        return count == 1
      }
      if !isFirst { _ = await LegacyService().load(1) }
    }
    #expect(result.failure == nil)
    #expect(!result.isExhaustive)
  }

  @Test func `a failure after lost control says so`() async throws {
    let result = await Explorer(executions: 10).run {
      _ = await LegacyService().load(1)
      throw TimedOut()
    }
    let failure = try #require(result.failure)
    #expect(failure.remarks.contains { $0.hasPrefix("Lost control: ") })
  }

  @Test func `an exploration inside another one waits for a queue, too`() async {
    let result = await Explorer(executions: 3).run {
      let inner = await Explorer(executions: 3).run {
        if await LegacyService().load(1) != 2 { throw TimedOut() }
      }
      if inner.failure != nil { throw TimedOut() }
    }
    #expect(result.failure == nil)
  }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "queue of an actor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private actor OnOwnQueue {
  private let executor = QueueExecutor()
  private(set) var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func increment() { count += 1 }
}
