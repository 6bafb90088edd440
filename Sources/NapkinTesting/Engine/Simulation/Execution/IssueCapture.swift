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
    guard let test = Self.test else {
      guard XCTestBridge.isInTestProcess else { return await work() }
      napkin_hear_issues(true)
      defer { napkin_hear_issues(false) }
      Carried.findTest()
      return await work()
    }
    let trait = IssueHandlingTrait.compactMapIssues { self.take($0) ? nil : $0 }
    let result = Mutex<Result?>(nil)
    napkin_hear_issues(true)
    defer { napkin_hear_issues(false) }
    do {
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        Carried.findTest()
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
    if let execution, execution === scope || scope == nil && Self.isOfTest {
      execution.hear(HeardIssue(issue))
      return true
    }
    // Of work without a test, which is not known to be this one's: Swift Testing offers it to every test, and prints it by itself.
    return !Self.isOfTest
  }

  /// Whether an error is the one that `Test.cancel` throws, after it has cancelled the test.
  static func cancelsTest(_ error: any Error) -> Bool { String(reflecting: type(of: error)) == "Testing.SkipInfo" }

  /// Whether the calling code runs in a test of Swift Testing.
  static var isOfTest: Bool { Test.current != nil || XCTestBridge.isInExitTest }
}

/// The task-locals that say whose an issue is, for work that inherits none: a detached task, a block of a queue, a thread.
///
/// They are Swift Testing's own for the running test, whose key is found by the name of its type, and the execution on the real
/// thread pool. So an issue of such work comes to its exploration, and to nothing else.
final class Carried: Sendable {
  private let binding: @Sendable (() -> Void) -> Void

  fileprivate init(_ binding: @escaping @Sendable (() -> Void) -> Void) { self.binding = binding }

  private static let test = Mutex<(any LocalOfTest)?>(nil)
  @TaskLocal private static var probe = false

  /// Looks for the key in a task of a test, once a process.
  static func findTest() {
    guard test.withLock({ $0 == nil }) else { return }
    napkin_find_locals(nil)
    $probe.withValue(true) { napkin_find_locals(Unmanaged.passUnretained($probe).toOpaque()) }
    var position = 0
    while let key = napkin_local_key(position) {
      let local = Unmanaged<AnyObject>.fromOpaque(key).takeUnretainedValue()
      let isOfRunner = String(reflecting: type(of: local)).contains("Testing.Runner.")
      if isOfRunner { test.withLock { $0 = local as? any LocalOfTest } }
      position += 1
    }
  }

  /// The task-locals of the calling code; nil if it is of no execution.
  static var here: Carried? {
    guard let scope = CurrentExecution.known else { return nil }
    if let test = test.withLock({ $0 }) { return test.carried(scope.isSimulated ? nil : scope) }
    // A test case of XCTest has no task-local; an execution is known by its thread there, but for one on the real thread pool.
    return scope.isSimulated ? nil : Carried { work in CurrentExecution.$inherited.withValue(scope, operation: work) }
  }

  func bound(_ work: () -> Void) { binding(work) }

  /// Does something while the current task has these task-locals, and no others; false, without that, if it is of no execution.
  static func task(_ create: () -> Void) -> Bool {
    guard let carried = here else { return false }
    let before = napkin_exchange_locals(0)
    carried.bound(create)
    _ = napkin_exchange_locals(before)
    return true
  }
}

private protocol LocalOfTest: AnyObject, Sendable {
  func carried(_ scope: (any ExecutionScope)?) -> Carried
}

extension TaskLocal: LocalOfTest {
  fileprivate func carried(_ scope: (any ExecutionScope)?) -> Carried {
    let value = get()
    return Carried { work in
      self.withValue(value) {
        guard let scope else { return work() }
        CurrentExecution.$inherited.withValue(scope, operation: work)
      }
    }
  }
}
