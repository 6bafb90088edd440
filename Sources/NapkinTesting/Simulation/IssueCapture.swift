// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import Testing

/// Takes the issues that a body records, so that only the one failure in the end reaches the test run.
final class IssueCapture: Sendable {
  private let issues = Mutex<[Issue]>([])

  /// Hands out what was recorded since the last call.
  func take() -> [Issue] {
    issues.withLock {
      guard !$0.isEmpty else { return [] }
      let taken = $0
      $0.removeAll(keepingCapacity: true)
      return taken
    }
  }

  var isEmpty: Bool { issues.withLock { $0.isEmpty } }

  /// Runs `work` so that the issues of the current test come here; outside a test there is nothing to intercept.
  func around(_ work: @Sendable () async -> Void) async {
    guard let test = Test.current else { return await work() }
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      if let scope = CurrentExecution.scope, scope.isLogged { scope.log(issue) }
      self.issues.withLock { $0.append(issue) }
      return nil
    }
    do {
      try await trait.provideScope(for: test, testCase: Test.Case.current, performing: work)
    } catch {
      // `work` does not throw, so this is the testing library's own; it belongs to the test run.
      Issue.record(error)
    }
  }
}

extension ExecutionScope {
  /// Adds an issue to the timeline when it is recorded.
  fileprivate func log(_ issue: Issue) {
    let line = issue.sourceLocation.map { "\($0.fileName):\($0.line)" }
    log(issue.isFailure ? .issue(Problem(issue).message) : .note(Problem(issue).message), line: line)
  }
}
