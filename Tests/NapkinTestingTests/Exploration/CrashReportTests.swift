// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting
import Testing

private actor Cell {
  private(set) var value = 0
  func set(_ newValue: Int) { value = newValue }
}

/// Traps in the interleavings in which an update is lost.
@Sendable private func trapping() async {
  let cell = Cell()
  await withTaskGroup { group in
    for _ in 0..<2 { group.addTask { await cell.set(await cell.value + 1) } }
  }
  let value = await cell.value
  precondition(value == 2)
}

/// Recurses until the stack is full.
@Sendable private func sum(to number: Int) -> Int { number == 0 ? 0 : number &+ sum(to: number - 1) }

@Suite struct CrashReportTests {
  #if os(macOS) || os(Linux)
  @Test func `a crash report says how to run the execution again, and its token crashes again`() async throws {
    let crash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(executions: 1_000, strategy: .random, seed: 7, trapping)
    }
    let text = String(decoding: try #require(crash).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Crash: the process ends with signal"))
    let token = try #require(text.firstMatch(of: /\.replay\("(nk1\.[^"]+)"\)/)).output.1
    await #expect(processExitsWith: .failure) { [token = String(token) as String] in
      await explore(strategy: .replay(token), trapping)
    }
  }

  @Test func `the report of a stack overflow says how to run the execution again`() async throws {
    let crash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(executions: 1) { _ = sum(to: .max) }
    }
    let text = String(decoding: try #require(crash).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Crash: the stack overflows, and the process ends with signal 11"))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }

  @Test(.disabled(if: Instrumentation.splitsSteps, "the wait is a deadlock where steps are split, and no hang"))
  func `a job that never suspends is reported as a hang`() async throws {
    let hang = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
      setenv("NAPKIN_HANG_TIMEOUT", "1", 1)
      await explore(executions: 1) { DispatchSemaphore(value: 0).wait() }
    }
    let text = String(decoding: try #require(hang).standardErrorContent, as: UTF8.self)
    #expect(text.contains("Hang: a job has run for more than 1 seconds without suspending."))
    #expect(text.contains("NAPKIN_REPLAY=nk1."))
  }
  #endif
}
