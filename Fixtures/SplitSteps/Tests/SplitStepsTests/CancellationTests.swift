// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Synchronization
import Testing

/// Opens once; a waiter goes on then, or when its task is cancelled.
private final class Latch: @unchecked Sendable {
  private let lock = NSLock()
  private var waiter: CheckedContinuation<Void, Never>?
  private var isOpen = false

  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = lock.withLock {
          if !isOpen { waiter = continuation }
          return isOpen
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      open()
    }
  }

  func open() {
    let waiter = lock.withLock {
      isOpen = true
      defer { self.waiter = nil }
      return self.waiter
    }
    waiter?.resume()
  }
}

/// What `cancels: true` cancels while a task is in the middle of its step.
@Suite struct CancellationTests {
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `a handler waits in the simulation for a lock that a task holds`(_ seed: UInt64) async {
    let exploration = await Explorer(executions: 1_000, seed: seed, cancels: true).run {
      let latch = Latch()
      let waits = Task { await latch.wait() }
      let opens = Task { latch.open() }
      await waits.value
      await opens.value
    }
    #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
    #expect((exploration.preemptions ?? 0) > 0)
  }

  /// Says that it was stopped in a variable that no lock keeps.
  private final class Stopped: @unchecked Sendable {
    private var isStopped = false
    private let lock = Mutex(0)
    func work() async {
      await withTaskCancellationHandler {
        while !isStopped,
          lock.withLock({
            $0 += 1
            return $0 < 3
          })
        {}
      } onCancel: {
        isStopped = true
      }
    }
  }

  @Test func `a race of a handler with its task names the cancellation`()
    async throws
  {
    let body: @Sendable () async -> Void = {
      let stopped = Stopped()
      let works = Task { await stopped.work() }
      async let other: Void = Task.yield()
      await works.value
      await other
    }
    let failure = try #require(await Explorer(executions: 1_000, seed: 1, cancels: true).run(body).failure)
    let text = failure.messages.joined(separator: "\n")
    #expect(failure.diagnostics.map(\.kind) == [.dataRace])
    let access = #/cancellation of task \d writes at CancellationTests\.swift:\d+ in closure in Stopped\.work\(\)/#
    #expect(text.contains(access), "\(text)\n\(failure)")
    let again = await Explorer(strategy: .replay(failure.schedule), shrinks: false).run(body)
    #expect(again.failure?.messages == failure.messages)
    #expect(again.warnings == [])
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `a handler runs after what its task did before, and before its scope ends`(
    _ seed: UInt64
  ) async {
    let exploration = await Explorer(executions: 1_000, seed: seed, cancels: true).run {
      let counts = Counts()
      let task = Task {
        counts.first = 1
        await withTaskCancellationHandler {
          await Task.yield()
        } onCancel: {
          counts.first += 1
        }
        counts.first += 1
      }
      await task.value
      counts.first += 1
    }
    #expect(exploration.failure == nil, "\(exploration.failure?.messages ?? [])")
  }
}
