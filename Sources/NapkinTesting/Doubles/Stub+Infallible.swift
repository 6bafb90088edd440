// SPDX-License-Identifier: Apache-2.0
public import Testing

// A method that cannot throw needs a value when a call has no answer, or when the answer throws: the mock provides it.
extension Stub {
  /// Answers a method that cannot throw; a call without an answer records one issue and returns the default.
  ///
  ///     func currentUser() async -> User { await userStub(default: .guest) }
  public nonisolated(nonsending) func callAsFunction(
    _ input: Input,
    default fallback: @autoclosure () -> Output,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Output {
    do {
      return try await callAsFunction(input, sourceLocation: sourceLocation)
    } catch is UnstubbedCall {
      return fallback()
    } catch {
      threw(error, at: sourceLocation)
      return fallback()
    }
  }

  /// Answers a method that cannot throw; a call without an answer records one issue and returns the default.
  public nonisolated(nonsending) func callAsFunction(
    default fallback: @autoclosure () -> Output,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Output where Input == Void {
    await callAsFunction((), default: fallback(), sourceLocation: sourceLocation)
  }

  /// Answers a method that is not `async`, with the answers of `returns` and `throws` only.
  ///
  ///     func cachedUser() -> User? { userStub.callSynchronously((), default: nil) }
  public func callSynchronously(
    _ input: Input,
    default fallback: @autoclosure () -> Output,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Output {
    recorder.record(input)
    switch answers.update({ $0.next() }) {
    case .result(.success(let output)):
      return output
    case .result(.failure(let error)):
      threw(error, at: sourceLocation)
    case .body:
      Diagnostic(
        .misuse,
        "\(recorder.name) was called by a function that is not async, and its answer is an async closure.",
        likelyCause: "the answer was set with `answers(_:)` or a closure for `init`.",
        suggestion: "answer with `returns(_:)`; this call returns its `default:`."
      ).record(at: sourceLocation)
    case nil:
      if let nothing = Self.nothing { return nothing }
      _ = unstubbed(input, at: sourceLocation)
    }
    return fallback()
  }

  private func threw(_ error: any Error, at sourceLocation: SourceLocation) {
    Diagnostic(
      .misuse,
      "\(recorder.name) threw \(error) into a function that cannot throw.",
      likelyCause: "the answer was written for a requirement that throws.",
      suggestion: "let the answer return a value; this call returns its `default:`."
    ).record(at: sourceLocation)
  }
}
