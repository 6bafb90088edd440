// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Runs the explorations of a test, or of a suite, under a profile.
///
/// Write it as ``Testing/Trait/profile(_:)``.
public struct ProfileTrait: TestTrait, SuiteTrait, TestScoping {
  let profile: RunProfile

  /// Whether a suite applies it to its tests: true, unless a test has its own.
  public var isRecursive: Bool { true }

  /// Runs the test with the profile, or with that of `NAPKIN_PROFILE` where it is set.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.withProfile(of: test) { try await function() }
  }

  /// Sets the profile that is written closest to the test, whatever the order of its traits.
  static func withProfile(of test: Test, _ body: () async throws -> Void) async rethrows {
    let profile = test.traits.compactMap { ($0 as? Self)?.profile }.last
    try await RunProfile.$ofTrait.withValue(profile ?? RunProfile.ofTrait) { try await body() }
  }
}

extension Trait where Self == ProfileTrait {
  /// Runs the explorations of the test, or of the suite, under a profile.
  ///
  ///     @Suite(.profile(.nightly)) struct CheckoutTests { … }
  ///
  /// It applies to traits, `explore` and every `check`. `NAPKIN_PROFILE` and `NAPKIN_EXECUTIONS` override it.
  public static func profile(_ profile: RunProfile) -> Self { Self(profile: profile) }
}
