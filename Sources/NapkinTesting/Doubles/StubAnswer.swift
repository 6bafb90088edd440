// SPDX-License-Identifier: Apache-2.0
internal import Testing

/// One answer of a stub, with the line of the test that decided on it.
struct StubAnswer<Input: Sendable, Output: Sendable>: Sendable {
  enum Kind: Sendable {
    case result(Result<Output, any Error>)
    case synchronous(@Sendable (Input) throws -> Output)
    case async(@Sendable (Input) async throws -> Output)
  }

  let kind: Kind
  let sourceLocation: SourceLocation

  init(_ kind: Kind, _ sourceLocation: SourceLocation) {
    self.kind = kind
    self.sourceLocation = sourceLocation
  }

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
