// SPDX-License-Identifier: Apache-2.0
// The default argument of a stub is expanded in the file that calls it, where `#_sourceLocation` must be known; a file of
// mocks need not import Testing.
@_exported public import Testing

/// One function of a mock, which records its calls and answers as the test decides.
///
///     struct UserServiceMock: UserService {
///       let loginStub = Stub<Void, User>(returning: User(name: "Joe"))
///       func login() async throws -> User { try await loginStub() }
///     }
///
///     service.loginStub.throws(Offline())
///     service.loginStub.returns(inOrder: first, second)
///
/// A call uses the next queued answer, or else the default answer. With neither, a stub with the output `Void` returns,
/// and any other records one issue and throws `UnstubbedCall`.
/// Under an exploration every call is a scheduling point, as it would be with a real service.
public final class Stub<Input: Sendable, Output: Sendable>: Sendable {
  /// A closure that answers a call.
  public typealias Handler = @Sendable (Input) async throws -> Output

  enum Answer: Sendable {
    case result(Result<Output, any Error>)
    case body(Handler)

    var handler: Handler {
      switch self {
      case .result(let result): { _ in try result.get() }
      case .body(let body): body
      }
    }
  }

  struct Answers: Sendable {
    var queue: [Answer] = []
    var standing: Answer?
    var gate: Gate?

    mutating func next() -> Answer? { queue.isEmpty ? standing : queue.removeFirst() }
  }

  let answers: Monitored<Answers>

  /// The inputs of all calls, to be awaited: `await stub.recorder.events(atLeast: 2)`.
  public let recorder = Recorder<Input>("Stub<\(Input.self), \(Output.self)>")

  private init(standing: Answer?) {
    answers = Monitored(Answers(standing: standing))
  }

  /// Makes a stub without an answer.
  public convenience init() {
    self.init(standing: nil)
  }

  /// Makes a stub that returns the same value from every call.
  public convenience init(returning output: Output) {
    self.init(standing: .result(.success(output)))
  }

  /// Makes a stub that runs a closure for every call.
  public convenience init(_ body: @escaping Handler) {
    self.init(standing: .body(body))
  }

  /// Makes a stub that runs a closure for every call.
  public convenience init(_ body: @escaping @Sendable () async throws -> Output) where Input == Void {
    self.init(standing: .body { _ in try await body() })
  }

  /// The inputs of all calls, oldest first.
  public var calls: [Input] { recorder.events }

  /// Records the input and answers; the method of the mock calls it.
  ///
  /// - Throws: The error of the answer, or `UnstubbedCall`.
  public nonisolated(nonsending) func callAsFunction(
    _ input: Input,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Output {
    recorder.record(input)
    let (answer, gate) = answers.update { ($0.next(), $0.gate) }
    await CurrentExecution.schedulingPoint()
    await gate?.pass()
    guard let answer else {
      if let nothing = Self.nothing { return nothing }
      throw unstubbed(input, at: sourceLocation)
    }
    return try await answer.handler(input)
  }

  /// Records the call and answers; the method of the mock calls it.
  ///
  /// - Throws: The error of the answer, or `UnstubbedCall`.
  public nonisolated(nonsending) func callAsFunction(
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Output where Input == Void {
    try await callAsFunction((), sourceLocation: sourceLocation)
  }

  /// The answer of a function that returns `Void`, for a call without an answer.
  static var nothing: Output? { Output.self == Void.self ? () as? Output : nil }

  func unstubbed(_ input: Input, at sourceLocation: SourceLocation) -> UnstubbedCall {
    let call = UnstubbedCall(description: "\(recorder.name) was called with \(input), and has no answer")
    Diagnostic(
      .misuse,
      "\(call).",
      likelyCause: "the test does not expect this call, or has set up another instance of the mock.",
      suggestion: "call `returns(_:)`, `throws(_:)` or `answers(_:)` first; this call throws `UnstubbedCall`."
    ).record(at: sourceLocation)
    return call
  }
}

/// The error of a `Stub` that is called without an answer; an issue was recorded.
public struct UnstubbedCall: Error, Hashable, CustomStringConvertible {
  /// The type of the stub, and the input of the call.
  public let description: String
}
