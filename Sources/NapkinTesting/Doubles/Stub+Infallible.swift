// SPDX-License-Identifier: Apache-2.0
public import Testing

// A requirement that does not throw has nothing to give back when a call has no answer, or when the answer throws. The
// kit must not trap and cannot make a value up, so the mock names one.
extension Stub {
  /// Is called by a mock's method that cannot throw: a call without an answer records one issue and gives the fallback.
  ///
  ///     func currentUser() async -> User { await userStub(orElse: .guest) }
  public nonisolated(nonsending) func callAsFunction(
    _ input: Input,
    orElse fallback: @autoclosure () -> Output,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Output {
    do {
      return try await callAsFunction(input, sourceLocation: sourceLocation)
    } catch is UnstubbedCall {
      return fallback()
    } catch {
      complain(of: error, at: sourceLocation)
      return fallback()
    }
  }

  /// Is called by a mock's method that cannot throw: a call without an answer records one issue and gives the fallback.
  public nonisolated(nonsending) func callAsFunction(
    orElse fallback: @autoclosure () -> Output,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Output where Input == Void {
    await callAsFunction((), orElse: fallback(), sourceLocation: sourceLocation)
  }

  /// Is called by a mock's method that is not `async`: only what was said with `returns` and `throws` can answer it.
  ///
  ///     func cachedUser() -> User? { userStub.immediately((), orElse: nil) }
  public func immediately(
    _ input: Input,
    orElse fallback: @autoclosure () -> Output,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Output {
    recorder.record(input)
    switch answers.update({ $0.next() }) {
    case .result(.success(let output)):
      return output
    case .result(.failure(let error)):
      complain(of: error, at: sourceLocation)
    case .body:
      Diagnostic(
        .misuse,
        "\(recorder.name) was called by a function that is not async, and its answer is an async closure.",
        likelyCause: "the answer was given with `answers(_:)`, a closure for `init`, or `handler`.",
        suggestion: "answer with `returns(_:)`; here the call gives what `orElse:` names."
      ).record(at: sourceLocation)
    case nil:
      if let nothing = Self.nothing { return nothing }
      _ = complain(of: input, at: sourceLocation)
    }
    return fallback()
  }

  private func complain(of error: any Error, at sourceLocation: SourceLocation) {
    Diagnostic(
      .misuse,
      "\(recorder.name) threw \(error) into a function that cannot throw.",
      likelyCause: "the answer was written for a requirement that throws.",
      suggestion: "let the answer return a value; here the call gives what `orElse:` names."
    ).record(at: sourceLocation)
  }
}
