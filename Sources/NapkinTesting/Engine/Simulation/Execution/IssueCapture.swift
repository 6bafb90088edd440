// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization
internal import Testing

/// Takes the issues that a body records, so that only the one failure in the end reaches the test run.
///
/// Each goes to the execution that recorded it. Issues between two executions belong to the test run.
final class IssueCapture: Sendable {
  private let running = Mutex<(any ExecutionScope)?>(nil)
  // Whether no other test runs in this process at the same time: in a worker process, and in a test case of XCTest.
  private let isAlone = napkin_environment("NAPKIN_WORKER") != nil || XCTestBridge.place == .ours && !isOfTest

  // The execution that runs now in such a process.
  private static let only = Mutex<(any ExecutionScope)?>(nil)

  func begin(_ execution: any ExecutionScope) { set(execution) }

  func end() { set(nil) }

  private func set(_ execution: (any ExecutionScope)?) {
    running.withLock { $0 = execution }
    if isAlone { Self.only.withLock { $0 = execution } }
  }

  /// The execution that takes the issues of a thread without a task, if it is known to be the only one; nil elsewhere.
  ///
  /// Such a thread may work for the execution in a way that nothing shows, as an `Operation` does. In a process with other
  /// tests its issue may be theirs; here nothing else would report it.
  static var ofThread: (any ExecutionScope)? {
    guard let only = only.withLock({ $0 }), withUnsafeCurrentTask(body: { $0 == nil }) else { return nil }
    return only
  }

  /// Runs `work` so that the issues of the current test come here.
  ///
  /// In an `XCTestCase` they come by ``XCTestBridge``, and outside of any test there is nothing to take.
  func around<Result: Sendable>(_ work: @Sendable () async -> Result) async -> Result {
    guard let test = Self.test else { return await work() }
    let trait = IssueHandlingTrait.compactMapIssues { self.take($0) ? nil : $0 }
    let result = Mutex<Result?>(nil)
    do {
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        let value = await work()
        result.withLock { $0 = value }
      }
    } catch {
      // `work` does not throw, so this is the testing library's own; it belongs to the test run.
      Issue.record(error)
    }
    if let value = result.withLock({ $0 }) { return value }
    return await work()
  }

  /// The test that the issues are recorded for.
  private static var test: Test? {
    if let test = Test.current { return test }
    // An exit test takes issues as a test does, but has no test to name; the trait does not look at the one it is given.
    guard XCTestBridge.isInExitTest else { return nil }
    return Test.__type(IssueCapture.self, traits: [], sourceLocation: #_sourceLocation)
  }

  /// Hands an issue to the execution that recorded it; false if that was none of this exploration's.
  private func take(_ issue: Issue) -> Bool {
    let execution = running.withLock { $0 }
    let scope = CurrentExecution.hearing
    if let execution, execution === scope || scope == nil && (Self.isOfTest || !execution.isSimulated) {
      execution.hear(HeardIssue(issue))
      return true
    }
    // Of a detached task of another test: Swift Testing offers it to every test that runs, and prints it by itself.
    return !Self.isOfTest
  }

  /// Whether the calling code runs in a test of Swift Testing.
  static var isOfTest: Bool { Test.current != nil || XCTestBridge.isInExitTest }
}
