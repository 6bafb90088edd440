// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
public import Testing

/// Lets fakes answer in any order in the explorations of a test.
///
/// Write it as ``Testing/Trait/answersInAnyOrder(of:within:sourceLocation:)`` or
/// ``Testing/Trait/stubsAnswerInAnyOrder(within:throwing:sourceLocation:)``.
public struct AnswersInAnyOrderTrait: TestTrait, SuiteTrait, TestScoping {
  /// The call that each execution begins with.
  let name: String
  let sourceLocation: SourceLocation
  let begin: @Sendable () -> Void

  private let identity = Identity()
  private final class Identity: Sendable {}
  private final class Beginning: Sendable { let hasCome = Atomic(false) }

  // The traits of the suites that the running test is in, some tests of which may explore nothing.
  @TaskLocal private static var ofSuites: [Identity] = []

  /// Whether a suite applies it to its tests: true.
  public var isRecursive: Bool { true }

  /// Returns the trait for suites and for each case of a test.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    test.isSuite || testCase != nil ? self : nil
  }

  /// Has each execution of the test begin with it, by whatever the test is explored.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else {
      return try await Self.$ofSuites.withValue(Self.ofSuites + [identity]) { try await function() }
    }
    let beginning = Beginning()
    let begin: @Sendable () -> Void = {
      beginning.hasCome.store(true, ordering: .relaxed)
      self.begin()
    }
    // A trait that explores, and stands before this one, is in an execution here.
    if CurrentExecution.scope != nil { begin() }
    try await ExecutionBeginning.$ofTest.withValue(ExecutionBeginning.ofTest + [begin]) { try await function() }
    if beginning.hasCome.load(ordering: .relaxed) || Self.ofSuites.contains(where: { $0 === identity }) { return }
    Diagnostic(
      .misuse, "The trait .\(name) has no effect.", likelyCause: "the test explores nothing.",
      suggestion: "add the trait .interleavings(…) to the test, or remove this one."
    ).record(at: sourceLocation)
  }
}

extension Trait where Self == AnswersInAnyOrderTrait {
  /// Lets each call to an actor of this type begin and end after drawn virtual times, where the test is explored.
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
    Self(name: "answersInAnyOrder(of: \(type).self)", sourceLocation: sourceLocation) {
      Execution.answersInAnyOrder(of: type, within: longest, sourceLocation: sourceLocation)
    }
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
    Self(name: "stubsAnswerInAnyOrder()", sourceLocation: sourceLocation) {
      Execution.stubsAnswerInAnyOrder(within: longest, throwing: error, sourceLocation: sourceLocation)
    }
  }
}
