// SPDX-License-Identifier: Apache-2.0

extension Diagnostic {
  /// An issue that the body recorded; one that the kit recorded keeps its kind, its cause and its suggestion.
  init(_ issue: HeardIssue) {
    self = issue.diagnostic ?? Diagnostic(.expectation, issue.text)
    sourceLocation = issue.sourceLocation
  }

  /// An error that the body threw.
  init(thrown error: any Error) {
    self.init(.thrownError(type: String(describing: type(of: error))), "Caught error: \(error)")
  }

  /// Whether the execution would never end, so that only the limit of steps ends it.
  var isEndless: Bool { kind == .livelock || kind == .outlivingTask }

  /// A task that waits, in words.
  struct Wait {
    let text: String
    /// Whether it was cancelled.
    let isCancelled: Bool
    /// Whether it waits in a function of the code under test, and not in the test itself.
    let isInCode: Bool
  }

  /// No task can continue: each one that waits, and each place outside Swift Concurrency that has not returned a task.
  static func deadlock(waiting: [Wait] = [], outside: [String] = []) -> Diagnostic {
    var lines = ["Deadlock: the body has not returned, no task is ready and no timer is set."]
    if !waiting.isEmpty { lines.append("Waiting: \(waiting.map(\.text).joined(separator: "; ")).") }
    if !outside.isEmpty {
      lines.append("Not under control, and not back after a second of real time: \(outside.joined(separator: "; ")).")
    }
    // A task of the test waits for those of the code under test.
    let stuck = waiting.first(where: \.isCancelled).map { [$0] } ?? waiting.filter(\.isInCode)
    if outside.isEmpty, (1...mostNamed).contains(stuck.count) {
      let words = stuck.map(\.text).joined(separator: "; ")
      lines[0] = "Deadlock: \(words), and nothing resumes \(stuck.count == 1 ? "it" : "them")."
    }
    if outside.isEmpty, stuck.contains(where: \.isCancelled) {
      return Diagnostic(
        .deadlock, lines.joined(separator: "\n"),
        likelyCause: """
          a cancelled task waits for a continuation that its cancellation does not resume: onCancel may have run before the \
          continuation was stored, or nothing looks at the cancellation.
          """,
        suggestion: """
          look for the cancellation where the continuation is stored, under the same lock or on the same actor, and resume \
          it there.
          """)
    }
    return Diagnostic(
      .deadlock, lines.joined(separator: "\n"),
      likelyCause: """
        tasks wait for each other, a continuation is never resumed, or a stream never finishes. Something outside Swift \
        Concurrency (a dispatch queue, a thread, a real timer) that takes longer looks the same from here.
        """,
      suggestion: "resume every continuation on every path, also on cancellation, and finish every stream.")
  }

  // More tasks that wait are in the list of all alone.
  private static let mostNamed = 3

  /// A checked continuation is resumed a second time, which ends the process.
  static func resumedTwice(by resumers: [String] = [], message: String? = nil) -> Diagnostic {
    var diagnostic = Diagnostic(
      .crash,
      "Crash: a continuation is resumed more than once"
        + (resumers.isEmpty ? "." : ": \(resumers.map { "by \($0)" }.joined(separator: "; and ")).")
        + (message.map { "\n\($0)" } ?? ""),
      likelyCause: "two paths resume it, such as an answer and a timeout.",
      suggestion: "take the continuation out of its place before it is resumed, so that the second path finds none.")
    diagnostic.subject = .resumption
    return diagnostic
  }

  static func livelock(steps: Int) -> Diagnostic {
    Diagnostic(
      .livelock, "Livelock: \(steps) jobs have run, and the body has not returned.",
      likelyCause: "a loop waits for something by yielding or polling, and nothing makes it true.",
      suggestion: """
        wait for it with a continuation, a stream or a task's value, so that the wait is seen; a body that really runs \
        that many jobs takes steps: \(steps * 10).
        """)
  }

  /// The body has not returned on the real thread pool, where a deadlock and a long wait look alike.
  static func hang(after timeout: Duration) -> Diagnostic {
    Diagnostic(
      .hang, "Hang: the body did not return within \(timeout.brief) on the real thread pool.",
      likelyCause: "tasks wait for each other, or a continuation is never resumed.",
      suggestion: "run the same body under .portfolio, where a deadlock is found at once and can be replayed.")
  }

  /// A task is made ready again, by the code at a place, while it is ready; or, where it `hasGoneOn`, while it runs or waits for
  /// something else, or after its end.
  static func doubleResume(of task: String?, hasGoneOn: Bool, before: String?, at place: SourcePlace?) -> Diagnostic {
    let again = before == nil ? ", at" : "; and now at"
    let position = (before.map { ", by \($0)" } ?? "") + (place.map { "\(again) \($0.located())" } ?? "")
    let state = hasGoneOn ? "its continuation was resumed before" : "it has not gone on since it was resumed before"
    return Diagnostic(
      .doubleResume, "\(task ?? "A task") is resumed twice: \(state)\(position).",
      likelyCause: "two paths of the code resume one UnsafeContinuation.",
      suggestion: """
        take the continuation out of where it is kept before it is resumed, as by an exchange with nil; use a \
        CheckedContinuation, which says so outside of explorations, too.
        """)
  }

  static let outlivingTask = Diagnostic(
    .outlivingTask, "A task outlives the body: the body has returned, and a task that it started never ends.",
    likelyCause: "an unstructured task loops without looking at its cancellation.",
    suggestion: "end the task before the body returns, or let its loop check Task.isCancelled.")

  /// No actor was called of a type whose actors are to answer in any order, which counts if that is so in all executions.
  static func neverCalled(_ type: any Actor.Type) -> Diagnostic {
    Diagnostic(
      warning: .neverCalled(String(reflecting: type)),
      "Execution.answersInAnyOrder(of: \(type).self) has no effect: no \(type) was called from elsewhere.",
      likelyCause: "the test uses another fake, or calls this one from the actor itself alone.",
      suggestion:
        "name the type of the fake that the code under test calls; for a Stub there is stubsAnswerInAnyOrder().")
  }
}

/// Says how far a failure can be trusted.
enum Remark {
  /// How much time passed in the middle of work; nil if none did.
  static func timePassed(in log: EventLog) -> String? {
    let times = log.timePassed
    guard !times.isEmpty else { return nil }
    let total = times.count == 1 ? "" : ", together \(times.reduce(.zero, +).brief)"
    return """
      Time passed \(times.count == 1 ? "once" : "\(times.count) times") while a task was ready\(total), as on a machine that \
      is slow or busy: a sleep or a timeout ended in the middle of work. `busyTime: .zero` explores without.
      """
  }
  static let isParallel = """
    It ran on the real thread pool, where the order of things is not controlled: it cannot be replayed or shrunk.
    """
  static let isOutOfControl = """
    Lost control: the body left something to other threads, which do it in an order that a replay need not repeat.
    """
}
