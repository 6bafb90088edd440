// SPDX-License-Identifier: Apache-2.0

/// Failures that an exploration is to go on past: by a part of their text, or as the same failure as that of a token.
package struct KnownFailures: Sendable {
  /// The names that the traits of the running test give.
  @TaskLocal package static var ofTest: [String] = []

  fileprivate struct Entry: Sendable {
    var name: String
    /// The diagnostics of the token's replay: the failure, and then those that follow from it; empty for a text.
    var diagnostics: [Diagnostic] = []

    /// Whether a diagnostic of an execution is known by this entry.
    func knows(_ diagnostic: Diagnostic, among all: [Diagnostic]) -> Bool {
      guard let first = diagnostics.first else { return diagnostic.description.contains(name) }
      // Diagnostics that follow from the failure are known together with it, and none by itself.
      return diagnostics.contains(where: diagnostic.isSameFailure) && all.contains(where: first.isSameFailure)
    }
  }

  private var entries: [Entry] = []

  /// Why tokens among the names are no known failures.
  private(set) var warnings: [Diagnostic] = []

  /// The most failures that are reported of one exploration that goes on.
  static let mostReported = 5

  /// The diagnostic for a name that would make every failure known.
  static func misuse(of names: [String]) -> Diagnostic? {
    guard names.contains(where: { $0.allSatisfy(\.isWhitespace) }) else { return nil }
    return Diagnostic(
      .misuse, ".knownFailure(\"\") knows every failure, since each has an empty text in it.",
      likelyCause: "the text was computed, or is still to be filled in.",
      suggestion: "pass a part of the failure's text, or its token.")
  }

  /// Replays the tokens, for the diagnostics of their failures; one that does not fail any more is none, nor is one whose
  /// replay is another execution than the recorded one.
  ///
  /// - Returns: nil where there are no names.
  static func learn(
    _ names: [String], in key: String?, by replay: ReplayRequest.Replay
  ) async -> KnownFailures? {
    if names.isEmpty { return nil }
    var known = KnownFailures()
    for name in names {
      guard let token = try? ReplayToken(name) else {
        known.entries.append(Entry(name: name))
        continue
      }
      let countsArrivals = token.fingerprint & BuildFingerprint.countsArrivals != 0
      var request = ReplayRequest(token.sequence, order: countsArrivals ? .translated : .recorded)
      request.isOfToken = true
      let outcome = await replay(request)
      if let divergence = token.divergence(met: outcome.met, outOfReach: outcome.outOfReach, in: key) {
        known.warnings.append(divergence.ofKnownFailure(name))
      } else if !outcome.diagnostics.isEmpty {
        known.entries.append(Entry(name: name, diagnostics: outcome.diagnostics))
      }
    }
    return known
  }

  /// Returns the names by which diagnostics of an execution are known.
  func names(of failed: [Diagnostic]) -> [String] {
    entries.filter { entry in failed.contains { entry.knows($0, among: failed) } }.map(\.name)
  }

  /// Returns the diagnostics of an execution that are not known.
  func unknown(of failed: [Diagnostic]) -> [Diagnostic] {
    failed.filter { diagnostic in !entries.contains { $0.knows(diagnostic, among: failed) } }
  }

  init() {}
}

extension Diagnostic {
  /// The divergence of a replay, as a warning that a known failure is not known by its token any more.
  fileprivate func ofKnownFailure(_ name: String) -> Diagnostic {
    var copy = self
    copy.subject = Self.subject(ofKnownFailure: name)
    copy.summary += "\nThe known failure \(name) excuses nothing."
    copy.suggestion = "explore the test without it, and name the token of the failure that is reported, or remove it."
    return copy
  }

  /// The subject of the warning that a token is no known failure.
  package static func subject(ofKnownFailure name: String) -> String { "known failure \(name)" }
}

extension KnownFailures: WireValue {
  package func write(to wire: inout Wire) { wire.write(entries) }
  package init(from wire: inout Wire) { entries = wire.read() }
}

extension KnownFailures.Entry: WireValue {
  package func write(to wire: inout Wire) { wire.write(name, diagnostics) }
  package init(from wire: inout Wire) { self.init(name: wire.read(), diagnostics: wire.read()) }
}
