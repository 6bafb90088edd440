// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Subjects
import Synchronization
import Testing

private final class Poller: Sendable {
  static let lineOfTask = #line + 1
  func start() { Task { while !Task.isCancelled { await self.rest() } } }
  private func rest() async { try? await Task.sleep(for: .seconds(1)) }
}

/// How executions end that do not come to their end, and what is said of the limits.
@Suite(.serialized) struct EndingTests {
  @Test func `an isolated crash in the middle of a split step has its message and its line`() async throws {
    let heard = Words()
    await withKnownIssue {
      await Explorer(seed: 1, isolated: true).check { await countCarelessly() }
    } matching: { issue in
      heard.add(issue.comments.map(\.rawValue).joined())
      return true
    }
    #expect(heard.text.contains("the number has changed"), "\(heard.text)")
    #expect(
      heard.text.contains(#/, at Helpers\.swift:\d+ in (closure in )?Tally\.incrementCarelessly\(\)/#), "\(heard.text)")
    #expect(heard.text.contains("is preempted before"), "\(heard.text)")
    // Its token has the preemptions, without which the process goes on.
    let token = String(try #require(heard.text.firstMatch(of: #/\.replay\("([^"]+)"\)/#)?.output.1))
    await #expect(processExitsWith: .failure) { [token = token as String] in
      _ = await Explorer(strategy: .replay(token)).run { await countCarelessly() }
    }
  }

  @Test(arguments: Subject.stuck)
  func `what waits for ever is a deadlock, after which the process goes on`(_ subject: Subject) async throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 200, seed: seed, shrinks: false).run(subject.body)
      let failure = try #require(exploration.failure)
      #expect(failure.diagnostics.map(\.kind) == [.deadlock])
    }
  }

  // One that reached no execution would be an issue of this test run, by a test that it does not know.
  @Test func `an issue that a block records is its execution's`() async {
    func heard(_ leave: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) async -> [String]? {
      await Explorer(executions: 3, shrinks: false).run {
        await withCheckedContinuation { continuation in
          leave {
            Issue.record("out of paper")
            continuation.resume()
          }
        }
      }.failure?.messages
    }
    #expect(await heard { DispatchQueue(label: "printer").async(execute: $0) } == ["out of paper"])
    #expect(await heard { DispatchQueue.main.async(execute: $0) } == ["out of paper"])
    #expect(await heard { DispatchGroup().notify(queue: .global(), execute: $0) } == ["out of paper"])
    #expect(
      await heard { work in DispatchQueue.concurrentPerform(iterations: 2) { if $0 == 1 { work() } } } == [
        "out of paper"
      ])
    #expect(await heard { work in Thread(block: work).start() } == ["out of paper"])
  }

  @Test func `the task that keeps an object is named with the line that created it`() async throws {
    let failure = try #require(
      await Explorer(executions: 10).run {
        await expectDeallocated {
          let poller = Poller()
          poller.start()
          await Task.yield()
          return poller
        }
      }.failure)
    #expect(failure.report.contains("task 1 (created at EndingTests.swift:\(Poller.lineOfTask)"), "\(failure.report)")
  }

  @Test func `a semaphore that a discarded job waits for can be released`() async throws {
    for _ in 0..<3 {
      let semaphore = DispatchSemaphore(value: 1)
      let exploration = await Explorer(executions: 10, seed: 1, shrinks: false).run {
        async let first: Void = semaphore.wait()
        async let second: Void = semaphore.wait()
        _ = await (first, second)
      }
      #expect(exploration.failure?.diagnostics.first?.kind == .deadlock)
    }
  }

  @Test func `an execution with more tasks than are compared for races has a warning`() async {
    let exploration = await Explorer(executions: 1, strategy: .fifo).run {
      let counter = Tally()
      await withTaskGroup { group in
        for _ in 0..<4_200 { group.addTask { counter.increment() } }
      }
    }
    #expect(exploration.failure == nil)
    #expect(
      exploration.warnings.contains { $0.contains("since it has more than 4,096 tasks") }, "\(exploration.warnings)")
  }

  /// What is reported where a task waits in a loop for another one's flag.
  private func report(ofLoopThat idles: @escaping @Sendable () -> Void) async -> String {
    let heard = Words()
    await withKnownIssue {
      await Explorer(executions: 3, seed: 1).check {
        let flag = Flag()
        let counter = Tally()
        await withTaskGroup { group in
          group.addTask { while !flag.isReady.load(ordering: .acquiring) { idles() } }
          group.addTask { flag.isReady.store(true, ordering: .releasing) }
        }
        try #require(counter.value == 1)
      }
    } matching: { issue in
      heard.add(issue.comments.map(\.rawValue).joined())
      return true
    }
    return heard.text
  }

  @Test func `a loop that waits for another task is left, and the report says when`() async {
    let text = await report(ofLoopThat: {})
    #expect(text.contains("is preempted after 20,000 accesses in one step"), "\(text)")
  }

  @Test func `a loop that yields its thread lets others go on at once`() async {
    let text = await report(ofLoopThat: { sched_yield() })
    #expect(!text.isEmpty && !text.contains("20,000 accesses"), "\(text)")
  }

  @Test func `a discarded task gives back each of a hundred locks`() async {
    let locks = (0..<100).map { _ in NSLock() }
    let exploration = await Explorer(executions: 1, strategy: .fifo, shrinks: false).run {
      waitForever(with: locks)
    }
    #expect(exploration.failure?.diagnostics.map(\.kind) == [.deadlock])
    #expect(areFree(locks))
  }

  @Test func `the innermost of a hundred initialisers is waited for`() async {
    await Explorer(executions: 20, seed: 1, isolated: true).check {
      let nest = Nest()
      async let first: Void = nest.enter()
      async let second: Void = nest.enter(at: Nest.depth - 1)
      _ = await (first, second)
    }
  }

  @Test func `a race on a generic value is found below twenty accesses that have begun`() async {
    let exploration = await Explorer(executions: 1, strategy: .fifo, shrinks: false).run {
      let innermost = Variable(0)
      @Sendable func change(below variables: [Variable<Int>]) {
        guard let outer = variables.first else { return innermost.set(1) }
        outer.change { _ in change(below: Array(variables.dropFirst())) }
      }
      async let first: Void = change(below: (0..<20).map(Variable.init))
      async let second: Void = change(below: (0..<20).map(Variable.init))
      _ = await (first, second)
    }
    #expect(exploration.failure?.diagnostics.map(\.kind) == [.dataRace])
  }

  @Test func `more threads than the process can have say so`() async {
    let heard = Words()
    await withKnownIssue {
      await Explorer(executions: 1, strategy: .fifo, isolated: true).check {
        let semaphore = DispatchSemaphore(value: 0)
        await withTaskGroup { group in
          for _ in 0..<1_100 { group.addTask { semaphore.wait() } }
        }
      }
    } matching: { issue in
      heard.add(issue.comments.map(\.rawValue).joined())
      return true
    }
    #expect(heard.text.contains("no thread can be made to run a job in, while others wait"), "\(heard.text)")
  }
}

private func countCarelessly() async {
  let counter = Tally()
  await withTaskGroup { group in
    for _ in 0..<2 { group.addTask { counter.incrementCarelessly() } }
  }
}

private func waitForever(with locks: [NSLock]) {
  for lock in locks { lock.lock() }
  DispatchSemaphore(value: 0).wait()
}

private func areFree(_ locks: [NSLock]) -> Bool { locks.allSatisfy { $0.try() } }

/// Initialisers that run once, each inside the one before; the innermost takes a while.
private final class Nest: @unchecked Sendable {
  static let depth = 100
  private let controls = UnsafeMutablePointer<pthread_once_t>.allocate(capacity: depth)
  // Of the task that enters; a function of C can be handed nothing.
  @TaskLocal private static var next: (nest: Nest, place: Int)?

  init() { controls.initialize(repeating: 0, count: Self.depth) }
  deinit { controls.deallocate() }

  func enter(at place: Int = 0) {
    guard place < Self.depth else { return Thread.sleep(forTimeInterval: 1) }
    Self.$next.withValue((self, place + 1)) {
      _ = pthread_once(controls + place) {
        guard let next = Nest.next else { return }
        next.nest.enter(at: next.place)
      }
    }
  }
}

/// A variable to which the compiler knows of no access but by the law of exclusivity.
private final class Variable<Value>: @unchecked Sendable {
  private var value: Value
  init(_ value: Value) { self.value = value }

  @inline(never) func set(_ new: Value) { value = new }
  @inline(never) func change(_ body: (inout Value) -> Void) { body(&value) }
}
