// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Finds variables in the environment that are nearly, but not quite, those of the kit.
package enum MisspeltVariables {
  /// The variables of the kit and of its manifest.
  private static let known = [
    "AUTOPSY", "CORPUS", "DATABASE", "EDITOR", "EXECUTIONS", "HANG_TIMEOUT", "ISOLATE", "JOBS", "LIKE_APPLE", "LOG",
    "OUTPUT", "PROFILE", "QUIET", "REPLAY", "REPORT_DIR", "SEED", "SELF_TEST", "SHARD", "SPLIT", "STOP", "STRICT",
    "TIME_BUDGET", "VERBOSE", "WORKER",
  ].map { "NAPKIN_" + $0 }

  /// The most letters that are missing, added or others; in a short name, two make another word.
  private static func mostMistakes(in name: String) -> Int { name.utf8.count > 12 ? 2 : 1 }

  private static let areReported = Mutex(false)

  /// The warnings for the environment of this process, once a process.
  package static func takeWarnings() -> [Diagnostic] {
    let isFirst = areReported.withLock { areReported in
      defer { areReported = true }
      return !areReported
    }
    return isFirst ? warnings(of: Environment.names) : []
  }

  /// A warning for each name that is a mistake away from one of the kit's.
  package static func warnings(of names: [String]) -> [Diagnostic] {
    names.sorted().compactMap { name in
      guard name.uppercased().hasPrefix("NAPKIN"), !known.contains(name) else { return nil }
      let near = known.map { (name: $0, mistakes: mistakes(in: name, for: $0)) }.min { $0.mistakes < $1.mistakes }
      guard let near, near.mistakes <= mostMistakes(in: near.name) else { return nil }
      return Diagnostic(
        warning: "variable \(name)", "The environment variable \(name) has no effect.",
        likelyCause: "it was mistyped, and \(near.name) is meant.",
        suggestion: "set \(near.name), and unset the other.")
    }
  }

  /// The number of letters to add, to remove or to replace until one text is the other: the Levenshtein distance.
  private static func mistakes(in text: String, for wanted: String) -> Int {
    let wanted = Array(wanted.utf8)
    var row = Array(0...wanted.count)
    for (index, letter) in text.uppercased().utf8.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in wanted.indices {
        let above = row[column + 1]
        row[column + 1] = min(row[column] + 1, above + 1, diagonal + (letter == wanted[column] ? 0 : 1))
        diagonal = above
      }
    }
    return row[wanted.count]
  }
}
