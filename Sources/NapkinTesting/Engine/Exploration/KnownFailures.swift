// SPDX-License-Identifier: Apache-2.0

/// Failures that an exploration is to go on past: by a part of what they say, or as the same failure as that of a token.
struct KnownFailures: Sendable {
  fileprivate struct Entry: Sendable {
    var name: String
    /// The diagnostic that the token of that name failed with; nil for a text.
    var diagnostic: Diagnostic?
  }

  private var entries: [Entry] = []

  /// The most failures that are reported of one exploration that goes on.
  static let mostReported = 5

  /// Runs those that are tokens, to see what they fail with; one that does not fail any more is none.
  ///
  /// - Returns: nil where there are no names.
  static func learn(_ names: [String], by replay: ReplayRequest.Replay) async -> KnownFailures? {
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
      if let first = outcome.diagnostics.first { known.entries.append(Entry(name: name, diagnostic: first)) }
    }
    return known
  }

  /// Returns the name of a known failure; nil if it is another one.
  func name(of failed: [Diagnostic]) -> String? {
    guard let first = failed.first else { return nil }
    return entries.first { entry in
      entry.diagnostic.map { first.isSameFailure(as: $0) } ?? first.description.contains(entry.name)
    }?.name
  }

  init() {}
}

extension KnownFailures: WireValue {
  package func write(to wire: inout Wire) { wire.write(entries) }
  package init(from wire: inout Wire) { entries = wire.read() }
}

extension KnownFailures.Entry: WireValue {
  package func write(to wire: inout Wire) { wire.write(name, diagnostic) }
  package init(from wire: inout Wire) { self.init(name: wire.read(), diagnostic: wire.read()) }
}
