// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Runs the explorations of a test, or of a suite, under a profile.
///
/// Write it as ``Testing/Trait/profile(_:)``.
public struct ProfileTrait: TestTrait, SuiteTrait, TestScoping {
  let profile: RunProfile

  /// Suites hand it down to their tests, for which a trait of their own holds.
  public var isRecursive: Bool { true }

  /// Runs the test with the profile; `NAPKIN_PROFILE` holds in its place where it is set.
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
  /// It acts on traits, `explore` and every `check`. `NAPKIN_PROFILE` and `NAPKIN_EXECUTIONS` hold in its place.
  public static func profile(_ profile: RunProfile) -> Self { Self(profile: profile) }
}
