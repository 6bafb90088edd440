// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Execution {
  /// Lets each call to an actor begin and end after drawn virtual times, so that both are late, and in any order.
  ///
  /// ```swift
  /// let server = FakeServer()
  /// Execution.answersInAnyOrder(of: server, within: .seconds(3))
  /// ```
  ///
  /// An actor that stands for a server works on one call after the other and answers in the order of the calls, which no
  /// network does: requests and answers that overtake each other, and timeouts, are never seen with it. With this, a task that
  /// enters or leaves the actor goes on at once, or is held back for one to four quarters of the longest time, both taken
  /// together. A failure shows the times, and has as many calls at once as it can.
  ///
  /// A task leaves the actor at the end of a call from elsewhere, and also where the actor itself awaits something elsewhere.
  /// A task that is cancelled is held back as long. A closure of which the call is the last act, such as
  /// `Task { await server.log() }`, may end on the actor, and is not held back then. For a test with a trait there is
  /// ``Testing/Trait/answersInAnyOrder(of:within:sourceLocation:)``, for a stub ``Stub/answersInAnyOrder(within:sourceLocation:)``.
  /// Outside an exploration it records an issue; on the real thread pool nothing happens.
  ///
  /// - Parameters:
  ///   - actor: The actor; it is not kept alive.
  ///   - longest: The longest time that an answer takes.
  ///   - sourceLocation: Where a time that is not positive, or the main actor, is reported.
  public static func answersInAnyOrder(
    of actor: some Actor, within longest: Duration = .seconds(1), sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let name = "Execution.answersInAnyOrder(of: \(type(of: actor)))"
    guard longest.canBeLatency(of: name, at: sourceLocation) else { return }
    guard type(of: actor).canAnswerLate(name, at: sourceLocation) else { return }
    scope(of: "answersInAnyOrder(of: \(type(of: actor)))", at: sourceLocation)?.delayAnswers(of: actor, within: longest)
  }

  /// Lets each call to any actor of a type end after a drawn virtual time; see
  /// ``Execution/answersInAnyOrder(of:within:sourceLocation:)-(Actor,_,_)``.
  ///
  /// - Parameters:
  ///   - type: The type itself, not one that it conforms to. An actor with an executor of its own has to be given as such.
  ///   - longest: The longest time that an answer takes.
  ///   - sourceLocation: Where a time that is not positive is reported.
  public static func answersInAnyOrder<A: Actor>(
    of type: A.Type, within longest: Duration = .seconds(1), sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let name = "Execution.answersInAnyOrder(of: \(type).self)"
    guard longest.canBeLatency(of: name, at: sourceLocation), type.canAnswerLate(name, at: sourceLocation) else {
      return
    }
    scope(of: "answersInAnyOrder(of: \(type).self)", at: sourceLocation)?.delayAnswers(ofAll: type, within: longest)
  }
}

extension Actor {
  /// Whether its calls can be held back; if not, that is recorded.
  fileprivate static func canAnswerLate(_ function: String, at sourceLocation: SourceLocation) -> Bool {
    guard self is MainActor.Type else { return true }
    Diagnostic(
      .misuse, "\(function) would hold back whatever leaves the main actor.",
      likelyCause: "the fake is isolated to the main actor, and is no actor of its own.",
      suggestion: "write the fake as an actor, or use a Stub that answers in any order."
    ).record(at: sourceLocation)
    return false
  }
}

extension Duration {
  /// Whether an answer can take a part of it; if not, that is recorded.
  package func canBeLatency(of function: String, at sourceLocation: SourceLocation) -> Bool {
    if self > .zero { return true }
    Diagnostic(
      .misuse, "\(function) was given within: \(self), in which no answer can take time.",
      likelyCause: "the time was computed, or mistyped.", suggestion: "pass a positive time, such as .seconds(1)."
    ).record(at: sourceLocation)
    return false
  }
}
