// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

@Suite struct RetakenDeadlockTests {
  @Test func `a deadlock that does not come again is lost control`() async {
    let wasCalled = Mutex(false)
    let result = await Explorer(executions: 20).run {
      let isFirst = wasCalled.withLock { wasCalled in
        defer { wasCalled = true }
        return !wasCalled
      }
      await Task {}.value
      // Nothing resumes it, once.
      if isFirst { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    #expect(result.executions == 20)
    #expect(result.warnings.contains { $0.hasPrefix("Lost control: in execution 1 ") }, "\(result.warnings)")
  }

  @Test func `a deadlock behind a known failure is run again, too`() async {
    let wasCalled = Mutex(false)
    var explorer = Explorer(executions: 20)
    explorer.known = ["always"]
    let result = await explorer.run {
      Issue.record("always")
      let isFirst = wasCalled.withLock { wasCalled in
        defer { wasCalled = true }
        return !wasCalled
      }
      await Task {}.value
      if isFirst { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
    #expect(result.knownFailures.first?.executions == 20)
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
