// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

@Suite struct RetakenDeadlockTests {
  /// A body that nothing resumes the first time it is called.
  private func stuckOnce() -> @Sendable () async -> Void {
    let wasCalled = Mutex(false)
    return {
      let isFirst = wasCalled.withLock { wasCalled in
        defer { wasCalled = true }
        return !wasCalled
      }
      await Task {}.value
      if isFirst { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
  }

  @Test func `a deadlock that does not come again is lost control`() async {
    let result = await Explorer(executions: 20).run(stuckOnce())
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    #expect(result.executions == 20)
    #expect(result.warnings.contains { $0.hasPrefix("Lost control: in execution 1 ") }, "\(result.warnings)")
  }

  @Test func `a deadlock that comes again is one`() async throws {
    let result = await Explorer(executions: 20).run {
      await Task {}.value
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    let failure = try #require(result.failure)
    #expect(failure.messages.first?.hasPrefix("Deadlock: ") == true)
    #expect(failure.doubt == nil)
  }
}
