// SPDX-License-Identifier: Apache-2.0

// The default argument of a stub is expanded in the file that calls it, where `#_sourceLocation` must be known; a file of
// mocks need not import Testing.
@_exported public import Testing

/// One function of a mock, which records its calls and answers as the test decides.
///
///     struct UserServiceMock: UserService {
///       let loginStub = Stub<Void, User>(returning: User(name: "Joe"))
///       let searchStub = Stub<(String, Int), [User]>()
///       func login() async throws -> User { try await loginStub() }
///       func search(_ text: String, page: Int) async throws -> [User] { try await searchStub(text, page) }
///     }
///
///     service.loginStub.throws(Offline(), times: 1)
///     #expect(service.searchStub.calls == [("rib", 1)])
///
/// Several arguments are a tuple without labels. A function that is not `async` calls its stub in the same way, without
/// `await`.
///
/// A call uses the next queued answer, or else the default answer. With neither, a stub returns nothing, `nil`, `false`
/// or an empty collection if its output is `Void`, an optional, `Bool` or a collection (text is none). Any other output
/// has to be given: the call records one issue, and throws `UnstubbedCall` or returns its `default:`.
///
/// Under an exploration every call of an async function is a scheduling point, as it would be with a real service, so the
/// answers to overlapping calls arrive in any order. They take no time, unless ``answersInAnyOrder(within:sourceLocation:)``
/// says so.
public final class Stub<Input: Sendable, Output: Sendable>: Recording {
  /// The arguments of a call.
  public typealias Event = Input

  /// A closure that answers calls of async functions.
  public typealias Handler = @Sendable (Input) async throws -> Output

  /// A closure that answers calls of all functions, also of those that are not async.
  public typealias SynchronousHandler = @Sendable (Input) throws -> Output

  struct Answers: Sendable {
    var queue: [StubAnswer<Input, Output>] = []
    var standing: StubAnswer<Input, Output>?
    var gate: Gate?
    /// The longest time of a request and its answer, where these take time.
    var longest: Duration?

    mutating func next() -> StubAnswer<Input, Output>? { queue.isEmpty ? standing : queue.removeFirst() }
  }

  let answers: Monitored<Answers>

  /// The arguments of all calls, to be awaited: `await stub.recorder.events(atLeast: 2)`.
  ///
  /// Its name is that of the function that calls the stub, from the first call on.
  public let recorder = Recorder<Input>("Stub<\(Input.self), \(Output.self)>")

  private init(standing: StubAnswer<Input, Output>?) {
    answers = Monitored(Answers(standing: standing))
  }

  /// Makes a stub without an answer.
  public convenience init() {
    self.init(standing: nil)
  }

  /// Makes a stub that returns the same value from every call.
  public convenience init(returning output: Output, sourceLocation: SourceLocation = #_sourceLocation) {
    self.init(standing: StubAnswer(kind: .result(.success(output)), sourceLocation: sourceLocation))
  }

  /// Makes a stub that runs a closure for every call of an async function.
  public convenience init(_ body: @escaping Handler, sourceLocation: SourceLocation = #_sourceLocation) {
    self.init(standing: StubAnswer(kind: .async(body), sourceLocation: sourceLocation))
  }

  /// Makes a stub that runs a closure for every call.
  public convenience init(_ body: @escaping SynchronousHandler, sourceLocation: SourceLocation = #_sourceLocation) {
    self.init(standing: StubAnswer(kind: .synchronous(body), sourceLocation: sourceLocation))
  }

  /// Makes a stub that runs a closure for every call of an async function.
  public convenience init(
    _ body: @escaping @Sendable () async throws -> Output, sourceLocation: SourceLocation = #_sourceLocation
  ) where Input == Void {
    self.init(standing: StubAnswer(kind: .async { _ in try await body() }, sourceLocation: sourceLocation))
  }

  /// Makes a stub that runs a closure for every call.
  public convenience init(
    _ body: @escaping @Sendable () throws -> Output, sourceLocation: SourceLocation = #_sourceLocation
  ) where Input == Void {
    self.init(standing: StubAnswer(kind: .synchronous { _ in try body() }, sourceLocation: sourceLocation))
  }

  /// The arguments of all calls, oldest first.
  public var calls: [Input] { recorder.events }
}

/// The error of a `Stub` that is called without an answer; an issue was recorded.
public struct UnstubbedCall: Error, Hashable, CustomStringConvertible {
  /// The function that called the stub, and the arguments.
  public let description: String
}

/// Compares recorded calls of a function with several arguments, since tuples are not `Equatable`.
///
///     let searchStub = Stub<(String, Int), [User]>()
///     #expect(service.searchStub.calls == [("rib", 1), ("rib", 2)])
///
/// The tuples have no labels, and their elements are equal one by one.
@_disfavoredOverload
public func == <each Element: Equatable>(_ one: [(repeat each Element)], _ other: [(repeat each Element)]) -> Bool {
  guard one.count == other.count else { return false }
  for index in one.indices {
    let (left, right) = (one[index], other[index])
    for (leftElement, rightElement) in repeat (each left, each right) {
      guard leftElement == rightElement else { return false }
    }
  }
  return true
}
