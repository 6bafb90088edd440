// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Execution {
  /// Counts the executions in which it is called with this name.
  ///
  /// ```swift
  /// guard text == self.text else { return Execution.label("stale answer dropped") }
  /// ```
  ///
  /// ``Exploration/labels`` has the counts, over all processes of an exploration; an execution counts once, however often it
  /// calls this. The actions of a fuzzer are labels by their names. Outside an exploration it records an issue.
  ///
  /// Claessen and Hughes, "QuickCheck: a lightweight tool for random testing of Haskell programs", ICFP 2000.
  ///
  /// - Parameters:
  ///   - name: The label.
  ///   - sourceLocation: The line at which a call outside an exploration is recorded.
  public static func label(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
    scope(of: "label(\"\(name)\")", at: sourceLocation)?.label(name)
  }

  /// Fails the exploration where `condition` held in fewer than `share` of its executions; with 0, in none.
  ///
  /// ```swift
  /// Execution.sometimes("ri is answered first", await model.results == ["ribs", "rice"], atLeast: 0.2)
  /// ```
  ///
  /// An expectation that never gets to the interesting state always passes; this says that it never got there. The counts are
  /// in ``Exploration/labels``, under the same name. An execution that calls it several times meets it if the condition held
  /// once. ``Explorer/Strategy/guided``, and so every second execution of the portfolio, goes back to executions that come by it.
  ///
  /// It is judged at the end of an exploration without another failure. It is not judged by a replay, by `.simulated`, and
  /// on one machine of several, none of which runs all executions. A call that no execution comes by is not known, so write
  /// it where each comes by. Outside an exploration it records an issue.
  ///
  /// - Parameters:
  ///   - name: The name of the condition, by which it is counted.
  ///   - condition: Whether the execution got there.
  ///   - share: The least share of the executions in which it has to hold, from 0 to 1.
  ///   - sourceLocation: The line at which the failure is recorded.
  public static func sometimes(
    _ name: String, _ condition: Bool, atLeast share: Double = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard (0...1).contains(share) else {
      Diagnostic(
        .misuse, "Execution.sometimes(\"\(name)\", atLeast: \(share)) asks for a share that no exploration can have.",
        likelyCause: "the share was given in per cent, or computed.",
        suggestion: "pass a number from 0 to 1, such as 0.05 for one execution in twenty."
      ).record(at: sourceLocation)
      return
    }
    scope(of: "sometimes(\"\(name)\")", at: sourceLocation)?
      .reach(Goal(name: name, share: share, sourceLocation: sourceLocation), isMet: condition)
  }
}
