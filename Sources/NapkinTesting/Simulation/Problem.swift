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
  init(_ issue: Issue) {
    let location = issue.sourceLocation
    self.init(
      kind: .issue(file: location?.fileID ?? "", line: location?.line ?? 0),
      message: issue.plainDescription,
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

  /// Nobody can go on; `waiting` says who waits, where that was looked at.
  static func deadlock(waiting: [String] = []) -> Problem {
    let who = waiting.isEmpty ? "" : "\nWho waits: \(waiting.joined(separator: "; "))."
    return Problem(
      kind: .deadlock,
      message: """
        Deadlock: the body has not returned, no task is ready and no timer is set.\(who)
        Likely cause: tasks wait for each other, a continuation is never resumed, or a stream never finishes. Something \
        outside Swift Concurrency (a dispatch queue, a thread, a real timer) that was to resume one looks the same from here.
        What to do: resume every continuation on every path, also on cancellation, and finish every stream.
        """
    )
  }

  /// What looked like a deadlock was resumed by somebody whom the exploration does not control.
  static func lostControl(waiting: [String] = []) -> Problem {
    let who = waiting.isEmpty ? "" : "\nWho waited: \(waiting.joined(separator: "; "))."
    return Problem(
      kind: .deadlock,
      message: """
        Lost control: the body waited for something outside Swift Concurrency, which resumed it from another thread.\(who)
        Likely cause: a dispatch queue, a thread, a real timer, the network or a callback of the system.
        What to do: hide it behind a protocol and give the explored body a double, such as a Stub or a Gate.
        """
    )
  }

  /// Somebody is on an executor that the exploration does not control; `away` says who is on which.
  static func lostControl(away: [String], waiting: [String]) -> Problem {
    let who = waiting.isEmpty ? "" : "\nWho waits: \(waiting.joined(separator: "; "))."
    return Problem(
      kind: .deadlock,
      message: """
        Lost control: a task went to an executor that the exploration does not control: \(away.joined(separator: "; ")).\(who)
        Likely cause: an actor has an unownedExecutor of its own, which runs its jobs on a dispatch queue or a thread.
        What to do: give the actor its executor from outside, and none in the explored body, or give the body a double.
        """
    )
  }

  static func livelock(steps: Int) -> Problem {
    Problem(
      kind: .livelock,
      message: """
        Livelock: \(steps) jobs have run, and the body has not returned.
        Likely cause: a loop waits for something by yielding or polling, and nothing makes it true.
        What to do: wait for it with a continuation, a stream or a task's value, so that the wait is seen.
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

extension Issue {
  /// The issue as the test run would print it, without its place.
  fileprivate var plainDescription: String {
    let comments = comments.map(\.rawValue).joined(separator: "\n")
    switch kind {
    case .unconditional:
      return comments.isEmpty ? "Issue recorded" : comments
    default:
      let text = "\(kind)"
      return comments.isEmpty ? text : "\(text): \(comments)"
    }
  }
}
