// SPDX-License-Identifier: Apache-2.0
public import Testing

extension Stub {
  /// Records the arguments and answers; an async method of the mock that throws any error calls it.
  ///
  ///     func login() async throws -> User { try await loginStub() }
  ///
  /// - Throws: The error of the answer, or `UnstubbedCall`.
  public nonisolated(nonsending) func callAsFunction<each Argument>(
    _ arguments: repeat each Argument, function: String = #function, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Output where Input == (repeat each Argument) {
    let call = StubCall(function: function, sourceLocation: sourceLocation)
    let input = (repeat each arguments)
    guard let answer = await take(input, call, where: { _ in true }) else { return try unanswered(input, call) }
    return try await answer.result(for: input).get()
  }

  /// Records the arguments and answers; a method of the mock that is not async, and throws any error, calls it.
  ///
  ///     func cachedUser() throws -> User { try cachedUserStub() }
  ///
  /// - Throws: The error of the answer, or `UnstubbedCall`.
  public func callAsFunction<each Argument>(
    _ arguments: repeat each Argument, function: String = #function, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Output where Input == (repeat each Argument) {
    let call = StubCall(function: function, sourceLocation: sourceLocation)
    let input = (repeat each arguments)
    guard let answer = takeAtOnce(input, call) else { return try unanswered(input, call) }
    do {
      return try answer.synchronousResult(for: input).get()
    } catch is AsyncAnswer {
      throw cannotWait(answer, call)
    }
  }

  /// Records the arguments and answers; an async method of the mock that throws nothing, or one type of errors, calls it.
  ///
  ///     func currentUser() async -> User { await userStub(default: .guest) }
  ///     func login() async throws(Refusal) -> User { try await loginStub(throwing: Refusal.self, default: .guest) }
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the call.
  ///   - failure: The type of the errors that the method throws.
  ///   - fallback: The output where an issue was recorded, since there is no answer, or it throws another error.
  ///   - function: The method of the mock, in diagnostics.
  ///   - sourceLocation: The line of the call, in diagnostics.
  /// - Returns: The output of the answer, or the default.
  /// - Throws: The error of the answer.
  public nonisolated(nonsending) func callAsFunction<each Argument, Failure: Error>(
    _ arguments: repeat each Argument, throwing failure: Failure.Type = Never.self,
    default fallback: @autoclosure () -> Output,
    function: String = #function, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws(Failure) -> Output where Input == (repeat each Argument) {
    let call = StubCall(function: function, sourceLocation: sourceLocation)
    let input = (repeat each arguments)
    guard let answer = await take(input, call, where: { $0 is Failure }) else {
      reportUnstubbed(input, call)
      return fallback()
    }
    return try output(of: await answer.result(for: input), answer, call, failure, default: fallback)
  }

  /// Records the arguments and answers; a method of the mock that is not async, and throws nothing or one type of errors,
  /// calls it.
  ///
  ///     func isOpen() -> Bool { isOpenStub(default: false) }
  ///
  /// Where an issue was recorded, since there is no answer or it cannot be used, the default is returned.
  ///
  /// - Throws: The error of the answer.
  public func callAsFunction<each Argument, Failure: Error>(
    _ arguments: repeat each Argument, throwing failure: Failure.Type = Never.self,
    default fallback: @autoclosure () -> Output,
    function: String = #function, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(Failure) -> Output where Input == (repeat each Argument) {
    let call = StubCall(function: function, sourceLocation: sourceLocation)
    let input = (repeat each arguments)
    guard let answer = takeAtOnce(input, call) else {
      reportUnstubbed(input, call)
      return fallback()
    }
    return try output(of: answer.synchronousResult(for: input), answer, call, failure, default: fallback)
  }
}

/// The method of a mock that calls its stub, and the line at which it does.
private struct StubCall {
  let function: String
  let sourceLocation: SourceLocation

  /// The name of the call in a diagnostic.
  var name: String { "\(function), at \(sourceLocation.fileName):\(sourceLocation.line)," }

  /// The line of the test that runs, since many tests share the line in the mock.
  var reported: SourceLocation { Test.current?.sourceLocation ?? sourceLocation }

  func diagnostic(_ summary: String, likelyCause: String, suggestion: String) -> Diagnostic {
    var diagnostic = Diagnostic(.misuse, summary, likelyCause: likelyCause, suggestion: suggestion)
    diagnostic.subject = .call("\(function) \(sourceLocation)")
    return diagnostic
  }
}

extension Stub {
  /// Waits until the request is there, records it and takes its answer, or an error in its place, and waits for that.
  private nonisolated(nonsending) func take(
    _ input: Input, _ call: StubCall, where canThrow: (any Error) -> Bool
  ) async -> StubAnswer<Input, Output>? {
    recorder.announce(input, by: call.function)
    let all = StubsInAnyOrder.current
    let latency = Latency.drawn(of: call.function, within: answers.update { $0.longest } ?? all?.longest)
    await Latency.wait(for: latency?.there)
    recorder.record(input, by: call.function)
    let (answer, gate) = answers.update { ($0.next(), $0.gate) }
    let failure = all?.failure(of: call.function, where: canThrow)
    await CurrentExecution.schedulingPoint()
    await Latency.wait(for: latency?.back)
    await gate?.pass()
    return failure.map { StubAnswer(kind: .result(.failure($0)), sourceLocation: call.sourceLocation) } ?? answer
  }

  private func takeAtOnce(_ input: Input, _ call: StubCall) -> StubAnswer<Input, Output>? {
    recorder.announce(input, by: call.function)
    recorder.record(input, by: call.function)
    let (answer, gate) = answers.update { ($0.next(), $0.gate) }
    if gate != nil {
      call.diagnostic(
        "\(call.name) has a stub that waits at a Gate, and is not async.",
        likelyCause: "`waits(at:)` was called on the stub of another function.",
        suggestion: "hold an async function in its place; this call goes on without waiting."
      ).record(at: call.reported)
    }
    return answer
  }

  private func unanswered(_ input: Input, _ call: StubCall) throws -> Output {
    if let empty = StubAnswer<Input, Output>.empty { return empty }
    throw reportUnstubbed(input, call)
  }

  @discardableResult
  private func reportUnstubbed(_ input: Input, _ call: StubCall) -> UnstubbedCall {
    let error = UnstubbedCall(description: "\(call.name) was called with \(input), and its stub has no answer")
    guard StubAnswer<Input, Output>.empty == nil else { return error }
    call.diagnostic(
      "\(error).",
      likelyCause: "the test does not expect this call, or has set up another instance of the mock.",
      suggestion: """
        call `returns(_:)`, `throws(_:)` or `answers(_:)` first; this call throws `UnstubbedCall`, or returns its `default:`.
        """
    ).record(at: call.reported)
    return error
  }

  private func output<Failure: Error>(
    of result: Result<Output, any Error>, _ answer: StubAnswer<Input, Output>, _ call: StubCall,
    _ failure: Failure.Type, default fallback: () -> Output
  ) throws(Failure) -> Output {
    switch result {
    case .success(let output): return output
    case .failure(let error as Failure): throw error
    case .failure(is AsyncAnswer): _ = cannotWait(answer, call)
    case .failure(let error):
      call.diagnostic(
        """
        \(call.name) has a stub that throws \(error), and \
        \(Failure.self == Never.self ? "cannot throw" : "throws \(Failure.self) only").
        """,
        likelyCause: "the answer was written for a requirement that throws other errors.",
        suggestion: "let the answer return a value or throw what the function throws; this call returns its `default:`."
      ).record(at: answer.sourceLocation)
    }
    return fallback()
  }

  private func cannotWait(_ answer: StubAnswer<Input, Output>, _ call: StubCall) -> UnstubbedCall {
    let error = UnstubbedCall(description: "\(call.name) has a stub that answers by an async closure, and is not async")
    call.diagnostic(
      "\(error).",
      likelyCause: "the closure awaits something, or was made as an async function.",
      suggestion: "answer with `returns(_:)`, or a closure that awaits nothing; this call has no answer."
    ).record(at: answer.sourceLocation)
    return error
  }
}
