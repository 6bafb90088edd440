// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Explorer {
  /// Explores the body, and records one issue if an execution failed.
  ///
  /// The issue stands where the failed expectation stands, or else at the call of this function. It says what happened,
  /// shows the shrunk interleaving and ends with the line that replays it.
  ///
  /// - Returns: The exploration, with its counts and its failure.
  @discardableResult
  public func check(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () async throws -> Void
  ) async -> Exploration {
    await SearchContext(self).check(sourceLocation: sourceLocation, body)
  }
}

extension SearchContext {
  /// Explores the body, and records one issue if an execution failed.
  ///
  /// Callers that know more of the body than the exploration does have warnings of their own.
  @discardableResult
  func check(
    sourceLocation: SourceLocation,
    _ body: @escaping @Sendable () async throws -> Void,
    warnings: (Exploration) async -> [Diagnostic] = { _ in [] }
  ) async -> Exploration {
    let (beginnings, surroundings) = (ExecutionBeginning.ofTest, ExecutionBeginning.aroundBody)
    let surrounded = surroundings.reduce(body) { inner, surround -> @Sendable () async throws -> Void in
      { try await surround(inner) }
    }
    var exploration = await runAsATest(FailureDatabase.key(sourceLocation)) {
      for begin in beginnings { begin() }
      try await surrounded()
    }
    exploration.diagnostics += await warnings(exploration) + KitVariables.takeWarnings()
    for failure in exploration.failures { failure.record(sourceLocation: sourceLocation) }
    for known in exploration.knownIssues {
      withKnownIssue { known.record(at: known.sourceLocation ?? sourceLocation) }
    }
    PassLine.print(exploration, at: sourceLocation)
    // The report of a failure has brought some already.
    let shown = exploration.failures.flatMap(\.shownWarnings)
    let doubts = exploration.failures.compactMap(\.doubt)
    for warning in exploration.diagnostics
    where !doubts.contains(warning) && !shown.contains(warning.uncounted) {
      Issue.record(
        Comment(rawValue: warning.description), severity: .warning,
        sourceLocation: warning.sourceLocation ?? sourceLocation)
    }
    return exploration
  }
}

extension Exploration {
  /// The result of an exploration that could not begin, recorded as one issue.
  static func failed(_ misuse: Diagnostic, recordedAt sourceLocation: SourceLocation) -> Exploration {
    let exploration = failed(misuse, seed: 0)
    exploration.failure?.record(sourceLocation: sourceLocation)
    return exploration
  }
}

/// Explores the body, and records one issue if an execution failed.
///
/// ```swift
/// await explore(executions: 10_000) {
///   let counter = Counter()
///   async let first: Void = counter.increment()
///   async let second: Void = counter.increment()
///   _ = await (first, second)
///   #expect(await counter.value == 2)
/// }
/// ```
///
/// It is short for ``Explorer/check(sourceLocation:_:)``; ``Explorer/init(executions:strategy:seed:shrinks:cancels:isolated:steps:time:busyTime:)``
/// describes the parameters.
@discardableResult
public func explore(
  executions: Int? = nil,
  strategy: Explorer.Strategy = .portfolio,
  seed: UInt64? = nil,
  busyTime: Duration? = .seconds(1),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async throws -> Void
) async -> Exploration {
  await Explorer(executions: executions, strategy: strategy, seed: seed, busyTime: busyTime).asked(by: "explore")
    .check(sourceLocation: sourceLocation, body)
}

/// The part of an execution that the traits of its test run before the body.
enum ExecutionBeginning {
  /// The closures of the traits around the running test, the outermost first.
  @TaskLocal static var ofTest: [@Sendable () -> Void] = []

  /// The checks around the body of each execution, the outermost last.
  @TaskLocal static var aroundBody: [@Sendable (_ body: @Sendable () async throws -> Void) async throws -> Void] = []
}
