// SPDX-License-Identifier: Apache-2.0

public import Testing

/// The functions that the body of an exploration can call: drawn values, notes, virtual time.
public enum Execution {
  /// Draws a value that the exploration varies from one execution to the next, and shrinks when it fails.
  ///
  /// ```swift
  /// let count = Execution.draw(.int(in: 1...5), "taps")
  /// ```
  ///
  /// Outside an exploration it records an issue and returns the generator's simplest value.
  ///
  /// - Parameters:
  ///   - generator: The generator of the value.
  ///   - label: The name of the value in the report of a failure.
  ///   - sourceLocation: The line at which a call outside an exploration is recorded.
  /// - Returns: A value of the generator, a different one in most executions.
  public static func draw<Value>(
    _ generator: Gen<Value>,
    _ label: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Value {
    if let execution = scope(of: "draw(\(label.map { "\"\($0)\"" } ?? ""))", at: sourceLocation) {
      return execution.draw(generator, label) { String(describing: $0) }
    }
    let tape = ChoiceTape()
    defer { tape.recordProblems() }
    return generator.draw(from: tape)
  }

  /// The execution of a call; where there is none, that the call has no effect is recorded.
  package static func scope(
    of call: @autoclosure () -> String, at sourceLocation: SourceLocation
  ) -> (any ExecutionScope)? {
    if let scope = CurrentExecution.scope { return scope }
    Diagnostic(
      .misuse, "Execution.\(call()) was called outside an exploration.",
      likelyCause: "the test is not explored, or this is called before its body starts.",
      suggestion: "add the trait .interleavings(…) to the test, or call this inside explore { … }."
    ).record(at: sourceLocation)
    return nil
  }

  /// Writes a line into the timeline of this execution, which is shown if it fails.
  ///
  /// Outside an exploration there is no timeline, and nothing happens.
  public static func note(_ text: @autoclosure () -> String) {
    CurrentExecution.scope?.note(text())
  }

  /// Reports how close this execution has come to the target of the test; the search tries to raise the number.
  ///
  /// ```swift
  /// Execution.target(await counter.longestQueue)
  /// ```
  ///
  /// Executions with the highest numbers are run again with a part of their schedule or of their data varied, by every second
  /// execution of ``Explorer/Strategy/portfolio`` and by ``Explorer/Strategy/guided``; other strategies do not look at it. Of
  /// several numbers in one execution the highest counts. Outside an exploration it records an issue.
  ///
  /// Löscher and Sagonas, "Targeted property-based testing", ISSTA 2017.
  ///
  /// - Parameters:
  ///   - score: A number that is higher the closer the execution is, such as a length, a depth or a difference.
  ///   - sourceLocation: The line at which a score that is not a number is recorded.
  public static func target(_ score: Double, sourceLocation: SourceLocation = #_sourceLocation) {
    guard !score.isNaN else {
      Diagnostic(
        .misuse, "Execution.target(nan) says nothing of how close the execution is.",
        likelyCause: "it is computed by a division by zero, or from infinities.",
        suggestion: "pass a number, and call it only where there is one."
      ).record(at: sourceLocation)
      return
    }
    scope(of: "target(\(score))", at: sourceLocation)?.target(score)
  }

  /// Reports a score that is a whole number; see ``Execution/target(_:sourceLocation:)-(Double,_)``.
  public static func target(_ score: some BinaryInteger, sourceLocation: SourceLocation = #_sourceLocation) {
    target(Double(score), sourceLocation: sourceLocation)
  }

  /// Waits until no other task of this execution can continue without time passing.
  ///
  /// All effects of work that has begun have happened then, whatever the schedule, and no sleep has ended: use it instead of
  /// a loop of `Task.yield()`. Of several tasks that settle, one returns at a time. A task that polls with `Task.yield()`
  /// keeps all others from settling. Outside an exploration it records an issue and returns at once; where executions run on the
  /// real thread pool, as with ``Explorer/Strategy/parallel``, it returns after some milliseconds.
  public nonisolated(nonsending) static func settle(sourceLocation: SourceLocation = #_sourceLocation) async {
    await scope(of: "settle()", at: sourceLocation)?.quiescence()
  }

  /// Whether the schedule and the time of the current task are controlled by an exploration.
  public static var isSimulated: Bool { CurrentExecution.scope?.isSimulated ?? false }
}

extension ChoiceTape {
  /// Records the diagnostics of generators, each at the line that made the generator.
  func recordProblems() {
    for problem in problems { problem.record(at: problem.sourceLocation ?? #_sourceLocation) }
  }
}
