// SPDX-License-Identifier: Apache-2.0
public import Testing

/// One function of a mock: it notes what it is called with, and answers as the test says.
///
///     struct UserServiceMock: UserService {
///       let loginStub = Stub<Void, User>(returning: User(name: "Joe"))
///       func login() async throws -> User { try await loginStub() }
///     }
///
///     service.loginStub.throws(Offline())
///     service.loginStub.returns(inOrder: first, second)
///
/// A call asks, in this order: the answers that were queued for one call each, then the standing answer. With neither,
/// a stub whose output is `Void` returns, and any other records one issue and throws `UnstubbedCall`.
/// Under an exploration every call is a scheduling point, as it would be with a real service.
public final class Stub<Input: Sendable, Output: Sendable>: Sendable {
  /// How a call is answered.
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

  /// What the stub was called with, to be awaited: `await stub.recorder.events(atLeast: 2)`.
  public let recorder = Recorder<Input>("Stub<\(Input.self), \(Output.self)>")

  private init(standing: Answer?) {
    answers = Monitored(Answers(standing: standing))
  }

  /// Has no answer yet.
  public convenience init() {
    self.init(standing: nil)
  }

  /// Returns the same value from every call.
  public convenience init(returning output: Output) {
    self.init(standing: .result(.success(output)))
  }

  /// Answers every call by running a closure.
  public convenience init(_ body: @escaping Handler) {
    self.init(standing: .body(body))
  }

  /// Answers every call by running a closure.
  public convenience init(_ body: @escaping @Sendable () async throws -> Output) where Input == Void {
    self.init(standing: .body { _ in try await body() })
  }

  /// What the stub was called with, oldest first.
  public var calls: [Input] { recorder.events }

  /// Is called by the mock's own method: notes the input, then answers.
  ///
  /// - Throws: What the answer throws, or `UnstubbedCall`.
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
      throw complain(of: input, at: sourceLocation)
    }
    return try await answer.handler(input)
  }

  /// Is called by the mock's own method: notes the call, then answers.
  ///
  /// - Throws: What the answer throws, or `UnstubbedCall`.
  public nonisolated(nonsending) func callAsFunction(
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Output where Input == Void {
    try await callAsFunction((), sourceLocation: sourceLocation)
  }

  /// What a function that returns nothing returns, without having been told.
  static var nothing: Output? { Output.self == Void.self ? () as? Output : nil }

  func complain(of input: Input, at sourceLocation: SourceLocation) -> UnstubbedCall {
    let call = UnstubbedCall(description: "\(recorder.name) was called with \(input), and has no answer")
    Diagnostic(
      .misuse,
      "\(call).",
      likelyCause: "the test does not expect this call, or set up another instance of the mock.",
      suggestion: "say `returns(_:)`, `throws(_:)` or `answers(_:)` before the call; here it throws `UnstubbedCall`."
    ).record(at: sourceLocation)
    return call
  }
}
