// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Runs a test under many interleavings, with no change to its body.
///
/// Write it as ``Testing/Trait/interleavings(_:strategy:seed:cancels:sourceLocation:)``.
public struct InterleavingsTrait: TestTrait, SuiteTrait, TestScoping {
  let explorer: Explorer
  // The line of the trait; one that is written as a property cannot know it, and takes the test's.
  let sourceLocation: SourceLocation?

  /// On a suite it stands for every test in it.
  public var isRecursive: Bool { true }

  /// Explores the test in place of running it once.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    // A suite has a scope too, which is no test to be explored.
    guard testCase != nil else { return try await function() }
    _ = await withBorrowedBody(function) { body in
      await explorer.check(sourceLocation: sourceLocation ?? test.sourceLocation, body)
    }
  }
}

extension Trait where Self == InterleavingsTrait {
  /// Runs the test under so many interleavings, and records the smallest failure if one fails.
  ///
  /// ```swift
  /// @Test(.interleavings(1_000)) func `two increments count twice`() async {
  ///   let counter = Counter()
  ///   async let first: Void = counter.increment()
  ///   async let second: Void = counter.increment()
  ///   _ = await (first, second)
  ///   #expect(await counter.value == 2)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - executions: How many executions to run at most.
  ///   - strategy: How the next job is picked.
  ///   - seed: Where all randomness comes from; the same seed gives the same executions in the same build.
  ///   - cancels: Whether tasks are cancelled, too, at any of their suspensions.
  ///   - sourceLocation: Where to record a failure that no expectation's line stands for.
  /// - Returns: The trait.
  public static func interleavings(
    _ executions: Int = 1_000,
    strategy: Explorer.Strategy = .portfolio,
    seed: UInt64? = nil,
    cancels: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    Self(
      explorer: Explorer(executions: executions, strategy: strategy, seed: seed, cancels: cancels),
      sourceLocation: sourceLocation)
  }

  /// Runs the one execution that a failure's token stands for.
  ///
  /// Once the bug is fixed the test passes, and goes on to guard against its return.
  public static func replay(_ schedule: String, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    Self(
      explorer: Explorer(executions: 1, strategy: .replay(schedule), shrinks: false),
      sourceLocation: sourceLocation
    )
  }

  /// Runs the test once, in the order of a plain run, in virtual time: sleeping costs nothing.
  public static var simulated: Self {
    Self(explorer: Explorer(executions: 1, strategy: .fifo), sourceLocation: nil)
  }
}
