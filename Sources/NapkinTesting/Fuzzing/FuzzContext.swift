// SPDX-License-Identifier: Apache-2.0

public import Testing

/// The environment of a fuzzed system, such as its services: made anew for each execution, and available to all closures.
///
/// ```swift
/// let clicks = FuzzContext { Recorder<Int>("Clicks") }
/// let fuzzer = Fuzzer { Cache(clicks: clicks()) }
///   .action("click") { _ in clicks().record(1) }
/// ```
///
/// The first call of an execution makes the value. It is held until the execution has ended, so a system that its services
/// keep alive is found as a leak.
public struct FuzzContext<Value: Sendable>: Sendable {
  private let make: @Sendable () -> Value
  private let values = PerExecution<Value>()

  /// Creates a context; the closure is called once for each execution that uses the value.
  public init(_ make: @escaping @Sendable () -> Value) {
    self.make = make
  }

  /// Returns the value of the current execution.
  ///
  /// Outside an execution it records an issue, and makes a value that no other call returns.
  public func callAsFunction(sourceLocation: SourceLocation = #_sourceLocation) -> Value {
    guard let scope = CurrentExecution.scope else {
      Diagnostic(
        .misuse, "A FuzzContext<\(Value.self)> was called outside an execution.",
        likelyCause: "it is called before the fuzzer runs, or by code that outlives the execution.",
        suggestion: "call it in the closures of the fuzzer only."
      ).record(at: sourceLocation)
      return make()
    }
    return values.value(in: scope, or: make)
  }
}
