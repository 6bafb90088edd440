// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import NapkinTesting
import Testing

private struct Unexpected: Error {}

// Not for async code, the compiler says; code that is called from it asks all the same.
private func isMainThread() -> Bool { Thread.isMainThread }

/// The answers to code of an execution that asks for the main thread to know whether it is on the main actor.
@Suite(.enabled(if: PlatformWays.replaceLibraryFunctions, "here it hears of the thread"))
struct MainThreadTests {
  @Test func `code on the main actor is on the main thread and the main queue`() async {
    let result = await Explorer(executions: 20).run {
      try await MainActor.run {
        dispatchPrecondition(condition: .onQueue(.main))
        guard isMainThread() else { throw Unexpected() }
      }
    }
    #expect(result.failure == nil)
  }

  @Test func `code on no actor and on another one is off the main thread and the main queue`() async {
    let result = await Explorer(executions: 20).run {
      dispatchPrecondition(condition: .notOnQueue(.main))
      guard !isMainThread() else { throw Unexpected() }
      try await Other().run {
        dispatchPrecondition(condition: .notOnQueue(.main))
        guard !isMainThread() else { throw Unexpected() }
      }
    }
    #expect(result.failure == nil)
  }

  @Test func `what is left to the main queue is on it`() async {
    let result = await Explorer(executions: 5).run {
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          dispatchPrecondition(condition: .onQueue(.main))
          continuation.resume()
        }
      }
    }
    #expect(result.failure == nil)
  }

  #if os(macOS) || os(Linux)
  @Test func `asserting the main queue elsewhere ends the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = await Explorer(executions: 1).run { dispatchPrecondition(condition: .onQueue(.main)) }
    }
  }

  @Test func `asserting another queue on the main actor ends the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = await Explorer(executions: 1).run {
        await MainActor.run { dispatchPrecondition(condition: .notOnQueue(.main)) }
      }
    }
  }
  #endif
}

private actor Other {
  func run(_ body: @Sendable () throws -> Void) rethrows { try body() }
}
