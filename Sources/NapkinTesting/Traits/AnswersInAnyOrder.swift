// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Lets the actors of a type answer in any order in a test that is explored.
///
/// Write it as ``Testing/Trait/answersInAnyOrder(of:within:sourceLocation:)``.
public struct AnswersInAnyOrderTrait: TestTrait, SuiteTrait {
  /// Begins an execution with it.
  let begin: @Sendable () -> Void

  /// Whether a suite applies it to its tests: true.
  public var isRecursive: Bool { true }
}

extension Trait where Self == AnswersInAnyOrderTrait {
  /// Lets each call to an actor of this type end after a drawn virtual time, in a test that is explored.
  ///
  /// ```swift
  /// @Test(.interleavings(1_000), .answersInAnyOrder(of: FakeServer.self))
  /// func `what is typed last is what is shown`() async {
  /// ```
  ///
  /// It is ``Execution/answersInAnyOrder(of:within:sourceLocation:)-(Actor,_,_)`` at the beginning of each execution.
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
}
