// SPDX-License-Identifier: Apache-2.0

extension DecisivePair: CustomStringConvertible {
  /// The pair in a sentence: the order that fails, and the difference to one that passes.
  public var description: String {
    if isCancellation {
      return """
        It fails where \(first.task) cancels \(second.task) (\(first.place())) before \
        \(second.clause(after: first, isKnown: true)); not cancelled, it passes.
        """
    }
    if let preemption {
      return """
        It fails where \(second.preempted(preemption)), and \(first.clause(after: second)) before it goes on in step \
        \(second.step); without that, it passes.
        """
    }
    return "It fails where \(first.clause()) before \(second.clause(after: first)); \(otherwise)"
  }

  private var otherwise: String {
    if count == 1 {
      return "the other way round\(isReachable ? "" : ", with \(first.task) arriving later,") it passes."
    }
    return "no single pair of steps decides: the nearest execution that passes has \(count) the other way round."
  }

  /// Whether a step of the timeline is one of the two.
  func marks(_ step: Int) -> Bool { step == first.step || step == second.step }
}

extension DecisivePair.Step {
  /// The task, its function and where it is found; a file is named once for both, and a cancellation that `isKnown` not at all.
  func clause(after other: Self? = nil, isKnown: Bool = false) -> String {
    "\(task)\(isCancelled && !isKnown ? ", which is cancelled," : "") \(action) (\(place(after: other)))"
  }

  func preempted(_ moment: String) -> String {
    "\(task) \(moment)\(function.map { " in `\($0)`" } ?? "")\(line.map { " (\($0))" } ?? "")"
  }

  private var action: String {
    if let function {
      let called = caller.map { ", called by `\($0)`" } ?? ""
      return "\(isResumption ? "goes on in" : "begins") `\(function)`\(called)"
    }
    if let note { return "runs \"\(note)\"" + (actor.map { " on \($0)" } ?? "") }
    return "runs" + (code.map { " `\($0)`" } ?? "") + (actor.map { " on \($0)" } ?? "")
  }

  func place(after other: Self? = nil) -> String {
    let number = "step \(step)"
    guard let line else { return number }
    guard let file = line.lastIndex(of: ":"), let before = other?.line, before.hasPrefix(line[...file]) else {
      return "\(line), \(number)"
    }
    return "\(line[file...]), \(number)"
  }
}
