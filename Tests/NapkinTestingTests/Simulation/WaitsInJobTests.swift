// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NapkinTesting
import Synchronization
import Testing

/// Jobs that wait in the kernel for what another task does.
@Suite(
  .enabled(if: PlatformWays.replaceLibraryFunctions, "the wait is the system's here"),
  .disabled(if: Instrumentation.splitsSteps, "a task waits in place of its thread where steps are split"))
struct WaitsInJobTests {
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private actor Store {
    private(set) var value = 0
    func set(_ newValue: Int) { value = newValue }
    func wait(for semaphore: DispatchSemaphore) { Self.block(semaphore) }

    private static func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }
  }

  private static func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }
  private static func block(_ group: DispatchGroup) { group.wait() }

  @Test func `a job that waits for a semaphore lets the task run that signals it`() async {
    let orders = Mutex<Set<[String]>>([])
    let exploration = await Explorer(executions: 200).run {
      let semaphore = DispatchSemaphore(value: 0)
      let log = Log()
      let signalling = Task.detached {
        log.add("begins")
        await Task.yield()
        log.add("signals")
        semaphore.signal()
      }
      let other = Task { log.add("other") }
      Self.block(semaphore)
      log.add("goes on")
      await signalling.value
      await other.value
      let seen = log.all
      orders.withLock { _ = $0.insert(seen) }
      #expect(seen.firstIndex(of: "signals")! < seen.firstIndex(of: "goes on")!)
    }
    #expect(exploration.failure == nil)
    #expect(exploration.warnings == [])
    #expect(orders.withLock { $0.count } > 2)
  }

  @Test func `a wait lets time pass, and other jobs of the waiting actor wait for it`() async {
    let exploration = await Explorer(executions: 50).run {
      let (semaphore, group, store) = (DispatchSemaphore(value: 0), DispatchGroup(), Store())
      group.enter()
      async let waiting: Void = store.wait(for: semaphore)
      async let setting: Void = store.set(1)
      Task.detached {
        try await Task.sleep(for: .seconds(5))
        semaphore.signal()
        group.leave()
      }
      Self.block(group)
      _ = await (waiting, setting)
      #expect(await store.value == 1)
    }
    #expect(exploration.failure == nil)
  }

  @Test func `a job that waits for what its own actor would do is a deadlock`() async throws {
    let exploration = await Explorer(executions: 5).run {
      let (semaphore, store) = (DispatchSemaphore(value: 0), Store())
      async let waiting: Void = store.wait(for: semaphore)
      await Task.yield()
      await store.set(1)
      semaphore.signal()
      await waiting
    }
    let failure = try #require(exploration.failure)
    #expect(failure.diagnostics.first?.kind == .deadlock)
    #expect(failure.messages.first?.hasPrefix("Deadlock: a job waits for a semaphore") == true, "\(failure.messages)")
    if PlatformWays.findFunctions {
      #expect(failure.messages.first?.contains("WaitsInJobTests.swift:") == true, "\(failure.messages)")
    }
    let token = failure.schedule
    let again = await Explorer(executions: 1, strategy: .replay(token), shrinks: false).run {
      DispatchSemaphore(value: 0).signal()
    }
    #expect(again.failure == nil)
  }

  @Test func `a dispatch source that is armed is a warning with its line`() async {
    let exploration = await Explorer(executions: 10).run {
      let source = DispatchSource.makeTimerSource()
      source.schedule(deadline: .now() + 1)
      source.setEventHandler {}
      source.activate()
      async let one: Void = Task.yield()
      await one
      source.cancel()
    }
    let text =
      "A dispatch source was armed in this execution (WaitsInJobTests.swift:\(#line - 8)), and its time is real"
    #expect(exploration.warnings.contains { $0.hasPrefix(text) }, "\(exploration.warnings)")
  }

  @Test func `a wait for a queue ends with the queue, and nothing else runs meanwhile`() async {
    let exploration = await Explorer(executions: 100).run {
      let group = DispatchGroup()
      let log = Log()
      let other = Task { log.add("other") }
      DispatchQueue.global().async(group: group) {}
      let before = log.all
      Self.block(group)
      #expect(log.all == before)
      await other.value
    }
    #expect(exploration.failure == nil)
  }
}
