// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Explorer {
  /// Explores the body, and records one issue if an execution failed.
  ///
  /// The issue stands where the failed expectation stands, or else at the call of this function. It tells what happened,
  /// shows the shrunk interleaving and ends with the line that replays it.
  ///
  /// - Returns: What was found, for those who want to look closer.
  @discardableResult
  public func check(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () async throws -> Void
  ) async -> Exploration {
    let exploration = await run(body)
    exploration.failure?.record(of: exploration, sourceLocation: sourceLocation)
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
/// It is short for ``Explorer/check(sourceLocation:_:)``; ``Explorer/init(executions:strategy:seed:shrinks:)`` says what
/// the parameters mean.
@discardableResult
public func explore(
  executions: Int = 1_000,
  strategy: Explorer.Strategy = .portfolio,
  seed: UInt64? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async throws -> Void
) async -> Exploration {
  await Explorer(executions: executions, strategy: strategy, seed: seed).check(sourceLocation: sourceLocation, body)
}
