// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Lets fakes answer in any order in the explorations of a test.
///
/// Write it as ``Testing/Trait/answersInAnyOrder(of:within:sourceLocation:)`` or
/// ``Testing/Trait/stubsAnswerInAnyOrder(within:throwing:sourceLocation:)``.
public struct AnswersInAnyOrderTrait: TestTrait, SuiteTrait, TestScoping {
  /// Begins an execution with it.
  let begin: @Sendable () -> Void

  /// Whether a suite applies it to its tests: true.
  public var isRecursive: Bool { true }

  /// Has each execution of the test begin with it, by whatever the test is explored.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // A trait that explores, and stands before this one, is in an execution here.
    if CurrentExecution.scope != nil { begin() }
    try await ExecutionBeginning.$ofTest.withValue(ExecutionBeginning.ofTest + [begin]) { try await function() }
  }
}

extension Trait where Self == AnswersInAnyOrderTrait {
  /// Lets each call to an actor of this type end after a drawn virtual time, where the test is explored.
  ///
  /// ```swift
  /// @Test(.interleavings(1_000), .answersInAnyOrder(of: FakeServer.self))
  /// func `what is typed last is what is shown`() async {
  /// ```
  ///
  /// It is ``Execution/answersInAnyOrder(of:within:sourceLocation:)-(Actor,_,_)`` at the beginning of each execution, by a trait,
  /// `explore`, or a fuzzer.
  ///
  /// - Parameters:
  ///   - type: The type of the fake, which is an actor.
  ///   - longest: The longest time that an answer takes; it is positive.
  ///   - sourceLocation: Where a time that is not positive is reported.
  /// - Returns: The trait.
  public static func answersInAnyOrder<A: Actor>(
    of type: A.Type, within longest: Duration = .seconds(1), sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    Self { Execution.answersInAnyOrder(of: type, within: longest, sourceLocation: sourceLocation) }
  }

  /// Lets each async call of each ``Stub`` be answered after a drawn virtual time, or fail, where the test is explored.
  ///
  /// ```swift
  /// @Test(.interleavings(200), .stubsAnswerInAnyOrder(throwing: Offline()))
  /// ```
  ///
  /// It is ``Execution/stubsAnswerInAnyOrder(within:throwing:sourceLocation:)`` at the beginning of each execution.
  public static func stubsAnswerInAnyOrder(
    within longest: Duration = .seconds(1), throwing error: (any Error)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    Self { Execution.stubsAnswerInAnyOrder(within: longest, throwing: error, sourceLocation: sourceLocation) }
  }
}
