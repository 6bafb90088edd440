// SPDX-License-Identifier: Apache-2.0
public import Testing

/// Checks that nothing a test made is left after it: interactors, routers and the doubles of the kit, by name.
///
///     @Suite(.leakChecked) struct HomeTests { … }
///
/// Every test of the suite is checked by itself. See `expectNoLeaks` for the objects that are observed, and for the same
/// check as a function.
public struct LeakCheckTrait: TestTrait, SuiteTrait, TestScoping {
  let timeout: Duration

  /// Whether a suite applies it to its tests: true.
  public var isRecursive: Bool { true }

  /// Runs the test, then checks that the objects that it made are released.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let (timeout, place) = (timeout, test.sourceLocation)
    // A test that explores is checked in each execution, whose failure has its timeline and its token.
    guard CurrentExecution.scope != nil || !test.traits.contains(where: { $0 is InterleavingsTrait }) else {
      return try await ExecutionBeginning.$aroundBody.withValue(
        [{ body in try await expectNoLeaks(within: timeout, sourceLocation: place) { try await body() } }]
          + ExecutionBeginning.aroundBody
      ) { try await function() }
    }
    try await expectNoLeaks(within: timeout, sourceLocation: place) { try await function() }
  }
}

extension Trait where Self == LeakCheckTrait {
  /// Checks that nothing a test made is left one second after it.
  public static var leakChecked: LeakCheckTrait { leakChecked(within: .seconds(1)) }

  /// Checks that nothing a test made is left when a timeout has passed after it.
  ///
  /// - Parameter timeout: The real time that deallocation may take.
  /// - Returns: The trait.
  public static func leakChecked(within timeout: Duration) -> LeakCheckTrait { LeakCheckTrait(timeout: timeout) }
}
