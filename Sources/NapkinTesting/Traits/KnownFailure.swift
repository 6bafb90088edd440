// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Names a known failure, past which explorations of the test continue, so that one open bug does not hide the next: that of
/// a trait, those of `explore`, and those of each `check` in its body.
///
/// Write it as ``Testing/Trait/knownFailure(_:)``.
public struct KnownFailureTrait: TestTrait, SuiteTrait, TestScoping {
  let failure: String

  /// Whether a suite applies it to its tests: true.
  public var isRecursive: Bool { true }

  /// Runs the test with its known failures, for `explore` and each `check` in it.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.withFailures(of: test) { try await function() }
  }

  /// Sets all known failures of the test, whatever the order of its traits.
  static func withFailures(of test: Test, _ body: () async throws -> Void) async rethrows {
    let failures = test.traits.compactMap { ($0 as? Self)?.failure }
    try await KnownFailures.$ofTest.withValue(failures) { try await body() }
  }
}

extension Trait where Self == KnownFailureTrait {
  /// Continues past a known failure, and reports up to five other ones.
  ///
  /// ```swift
  /// @Test(.interleavings(1_000), .knownFailure("the second answer is lost"))
  /// func `answers arrive`() async {
  ///   let number = Execution.draw(.int(in: 1...9))
  ///   if number == 9 { Issue.record("the second answer is lost") }
  /// }
  /// ```
  ///
  /// A known failure that occurs is a known issue of the test; one that does not is a warning.
  ///
  /// An execution that fails with something else as well is a failure by that.
  ///
  /// - Parameter failure: The token of the failure, or a part of its diagnostic's text. A token is replayed first, and the
  ///   same kind of diagnostic at the same line is known from then on, with all that follows from it in the replay. A
  ///   warning says so where the replay is not the recorded execution any more: then nothing is known by it.
  /// - Returns: The trait.
  public static func knownFailure(_ failure: String) -> Self { Self(failure: failure) }
}
