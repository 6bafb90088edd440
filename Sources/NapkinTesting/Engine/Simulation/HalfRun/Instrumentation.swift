// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The flags that the program was built with.
package enum Instrumentation {
  /// Whether steps can be split; a test that counts whole steps, or takes one for granted, does not hold there.
  package static let splitsSteps = napkin_splitting() == Int32(napkin_splits_steps)

  /// Whether jobs can be stopped where they call the runtime, as in any other program.
  package static let stopsAtCalls = napkin_stops_at_calls()

  /// Has a job taken for one that waits for a lock of a stopped one, as soon as it is in its own code.
  ///
  /// - Returns: How many jobs have lost their turn in this process.
  @discardableResult
  package static func takesTurns(inHaste isHasty: Bool) -> Int { Int(napkin_be_hasty(isHasty)) }

  /// Does what only a reported execution does, without a count of its accesses.
  ///
  /// So an access has the same number there as in the executions that are not reported, and a preemption the same place.
  package static func uncounted<Result>(_ work: () -> Result) -> Result {
    let counted = napkin_pause_accesses()
    defer { napkin_resume_accesses(counted) }
    return work()
  }

  /// Whether a library at a path is the system's or the toolchain's; that of a user is code under test wherever it is.
  package static func isOfSystem(_ path: String) -> Bool { napkin_is_of_system(path) }

  /// Begins to list the state that tests share, if the environment asks for it; says so where that cannot be done.
  package static func listSharedState(_ begin: () -> Bool) {
    guard let text = Environment["NAPKIN_SHARED"], !text.isEmpty, text != "0" else { return }
    // The process that has started this one writes the list.
    guard Environment["NAPKIN_WORKER"] == nil else { return }
    let error: String
    if text != "1" {
      error = "The environment variable NAPKIN_SHARED is \"\(text)\", which is not 0 or 1."
    } else if !begin() {
      error = "NAPKIN_SHARED=1 hears of no variable: build and run with NAPKIN_SPLIT=1, on Linux."
    } else {
      return
    }
    let line = "✘ \(error)\n"
    napkin_write_error(line, line.utf8.count)
  }

  /// The reason why every exploration of this process runs whole steps, though split ones were asked for.
  static let warnings: [Diagnostic] = {
    let isAskedFor = !["", "0", nil].contains(Environment["NAPKIN_SPLIT"])
    let warning = Diagnostic.wholeSteps(Int(napkin_splitting()), isAskedFor: isAskedFor)
    return warning.map { [$0] } ?? []
  }()
}

extension Diagnostic {
  /// The flags by which code under test calls the functions for its accesses.
  private static let flags = "-Xswiftc -Xfrontend -Xswiftc -sanitize=thread"

  /// Steps are split neither in part nor in silence: the half that is missing is named; nil where nothing was asked for in vain.
  package static func wholeSteps(_ state: Int, isAskedFor: Bool) -> Diagnostic? {
    let (cause, suggestion): (String, String)
    switch state {
    case napkin_split_not_linked:
      cause = "the code calls the functions for its accesses, but NapkinTesting was built without NAPKIN_SPLIT."
      suggestion = "set NAPKIN_SPLIT=1 in the environment of swift build and swift test, beside the flags."
    case napkin_split_not_compiled:
      cause = "NAPKIN_SPLIT is set, but the code under test was compiled without calls for its accesses."
      suggestion = "build with \(flags), too, or unset NAPKIN_SPLIT."
    case napkin_split_not_asked where isAskedFor:
      cause = "NAPKIN_SPLIT is set now, but was not when this program was built."
      suggestion = "set it for the build, too, with \(flags) and a scratch path of its own."
    case napkin_split_beside_sanitizer:
      cause = "the program is linked with a sanitizer, which has the functions for accesses itself."
      suggestion = "build without --sanitize, with NAPKIN_SPLIT=1 and \(flags)."
    case napkin_split_without_symbols:
      cause = "the program has no symbol table, which distinguishes the code under test from the kit's."
      suggestion = "do not strip it."
    case napkin_split_elsewhere:
      cause = "steps are split on Linux only."
      suggestion = "unset NAPKIN_SPLIT and leave the flags out, or run these tests on Linux."
    default: return nil
    }
    return Diagnostic(
      warning: .wholeSteps, "No step is split, though it was asked for.", likelyCause: cause, suggestion: suggestion)
  }
}

extension Diagnostic {
  /// A replay met a lock that a stopped step had.
  static let lostStop = Diagnostic(
    warning: .lostStop,
    "A step that was stopped at a call had a lock that another task wants, so this execution says nothing.",
    likelyCause: "the code has another lock at that call than where the token was recorded.",
    suggestion: "explore it again without the token.")

  static let stopsNoMore = Diagnostic(
    warning: .stopsNoMore,
    "No step is stopped at its calls any more, since 200 that were had a lock that another task wants.",
    likelyCause: "the code starts, resumes or cancels tasks under locks, at many lines.",
    suggestion: "do so after the lock is given back, or split steps, where locks are seen.")
}
