// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Stub {
  /// Returns a value from every call without a queued answer, or from the next calls only.
  ///
  /// - Parameters:
  ///   - output: The value.
  ///   - times: The number of calls that it is queued for; nil makes it the default answer, in place of an earlier one.
  ///   - sourceLocation: The line that a diagnostic about this answer names.
  /// - Returns: The stub.
  @discardableResult
  public func returns(
    _ output: Output, times: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    add(.result(.success(output)), times, sourceLocation)
  }

  /// Throws an error from every call without a queued answer, or from the next calls only.
  ///
  ///     service.loginStub.throws(Offline(), times: 1).returns(joe)
  @discardableResult
  public func `throws`(
    _ error: any Error, times: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    add(.result(.failure(error)), times, sourceLocation)
  }

  /// Runs a closure for every call of an async function without a queued answer, or for the next calls only.
  @discardableResult
  public func answers(
    times: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping Handler
  ) -> Self {
    add(.async(body), times, sourceLocation)
  }

  /// Runs a closure for every call without a queued answer, or for the next calls only.
  @discardableResult
  public func answers(
    times: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping SynchronousHandler
  ) -> Self {
    add(.synchronous(body), times, sourceLocation)
  }

  /// Queues values for the next calls, one each; after them the default answer is used again.
  @discardableResult
  public func returns(inOrder outputs: Output..., sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    answers.update { answers in
      answers.queue += outputs.map { StubAnswer(kind: .result(.success($0)), sourceLocation: sourceLocation) }
    }
    return self
  }

  /// Makes every call of an async function pass a gate before it is answered; the call is recorded before it waits.
  @discardableResult
  public func waits(at gate: Gate?) -> Self {
    answers.update { $0.gate = gate }
    return self
  }

  private func add(
    _ kind: StubAnswer<Input, Output>.Kind, _ times: Int?, _ sourceLocation: SourceLocation
  ) -> Self {
    let answer = StubAnswer(kind: kind, sourceLocation: sourceLocation)
    guard let times else {
      answers.update { $0.standing = answer }
      return self
    }
    if times < 1 {
      Diagnostic(
        .misuse, "\(recorder.name): an answer cannot be given \(times) times.",
        likelyCause: "`times:` was computed, or is meant for another call.",
        suggestion: "give 1 or more, or leave `times:` out for an answer to every call."
      ).record(at: sourceLocation)
      return self
    }
    answers.update { $0.queue += Array(repeating: answer, count: times) }
    return self
  }
}

/// One answer of a stub, with the line of the test that decided on it.
struct StubAnswer<Input: Sendable, Output: Sendable>: Sendable {
  enum Kind: Sendable {
    case result(Result<Output, any Error>)
    case synchronous(@Sendable (Input) throws -> Output)
    case async(@Sendable (Input) async throws -> Output)
  }

  let kind: Kind
  let sourceLocation: SourceLocation

  nonisolated(nonsending) func result(for input: Input) async -> Result<Output, any Error> {
    guard case .async(let body) = kind else { return synchronousResult(for: input) }
    do { return .success(try await body(input)) } catch { return .failure(error) }
  }

  /// The result without suspending; an async closure cannot be run.
  func synchronousResult(for input: Input) -> Result<Output, any Error> {
    switch kind {
    case .result(let result): result
    case .synchronous(let body): Result { try body(input) }
    case .async: .failure(AsyncAnswer())
    }
  }

  /// The answer of a stub without one; nil where the type of the output has no empty value.
  static var empty: Output? {
    switch Output.self {
    case is Void.Type: () as? Output
    case let type as any ExpressibleByNilLiteral.Type: type.init(nilLiteral: ()) as? Output
    case is Bool.Type: false as? Output
    case let type as any ExpressibleByArrayLiteral.Type: noElements(type) as? Output
    case let type as any ExpressibleByDictionaryLiteral.Type: noValues(type) as? Output
    default: nil
    }
  }

  private static func noElements<T: ExpressibleByArrayLiteral>(_ type: T.Type) -> T { [] }
  private static func noValues<T: ExpressibleByDictionaryLiteral>(_ type: T.Type) -> T { [:] }
}

/// An answer by an async closure, where the function that calls the stub is not async.
struct AsyncAnswer: Error {}
