// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// One thing that went wrong in an execution.
struct Problem: Sendable {
  /// What kind of thing, so that a shrunk execution can be asked whether it fails in the same way.
  enum Kind: Sendable, Hashable {
    /// An issue was recorded, at a line.
    case issue(file: String, line: Int)
    /// The body threw an error of a type.
    case thrown(type: String)
    /// Nobody is ready, no timer is set, and the body has not returned.
    case deadlock
    /// More jobs ran than the limit allows, and the body has not returned.
    case livelock
    /// The body has returned, but what it started goes on for ever.
    case straggler
    /// A broken invariant, by its name.
    case invariant(String)
    /// The exploration was asked for something that cannot be done.
    case misuse
  }

  var kind: Kind
  var message: String
  var sourceLocation: SourceLocation?

  init(kind: Kind, message: String, sourceLocation: SourceLocation? = nil) {
    self.kind = kind
    self.message = message
    self.sourceLocation = sourceLocation
  }
}

extension Problem {
  init(_ issue: HeardIssue) {
    let location = issue.sourceLocation
    self.init(
      kind: .issue(file: location?.fileID ?? "", line: location?.line ?? 0),
      message: issue.text,
      sourceLocation: location
    )
  }

  init(thrown error: any Error) {
    self.init(
      kind: .thrown(type: String(describing: type(of: error))),
      message: "Caught error: \(error)",
      sourceLocation: nil
    )
  }
}

extension Problem {
  /// A wrong argument, reported at the line of the caller.
  init(_ diagnostic: Diagnostic) {
    self.init(kind: .misuse, message: diagnostic.description, sourceLocation: diagnostic.sourceLocation)
  }

  /// No task can go on; `waiting` says which wait, and `outside` where something is that has not come back.
  static func deadlock(waiting: [String] = [], outside: [String] = []) -> Problem {
    var lines = ["Deadlock: the body has not returned, no task is ready and no timer is set."]
    if !waiting.isEmpty { lines.append("Who waits: \(waiting.joined(separator: "; ")).") }
    if !outside.isEmpty {
      lines.append("Not under control, and not back after a second of real time: \(outside.joined(separator: "; ")).")
    }
    lines.append(
      """
      Likely cause: tasks wait for each other, a continuation is never resumed, or a stream never finishes. Something \
      outside Swift Concurrency (a dispatch queue, a thread, a real timer) that takes longer looks the same from here.
      What to do: resume every continuation on every path, also on cancellation, and finish every stream.
      """)
    return Problem(kind: .deadlock, message: lines.joined(separator: "\n"))
  }

  static func livelock(steps: Int) -> Problem {
    Problem(
      kind: .livelock,
      message: """
        Livelock: \(steps) jobs have run, and the body has not returned.
        Likely cause: a loop waits for something by yielding or polling, and nothing makes it true.
        What to do: wait for it with a continuation, a stream or a task's value, so that the wait is seen; a body that \
        really has so much to do takes steps: \(steps * 10).
        """
    )
  }

  static func stuck(after patience: Duration) -> Problem {
    Problem(
      kind: .deadlock,
      message: """
        Stuck: the body did not return within \(patience) on the real thread pool.
        Likely cause: tasks wait for each other, or a continuation is never resumed.
        What to do: run the same body under .portfolio, where a deadlock is found at once and can be replayed.
        """
    )
  }

  static var straggler: Problem {
    Problem(
      kind: .straggler,
      message: """
        A task outlives the body: the body has returned, and what it started goes on and on.
        Likely cause: an unstructured task loops without looking at its cancellation.
        What to do: end the task before the body returns, or let its loop check Task.isCancelled.
        """
    )
  }
}
