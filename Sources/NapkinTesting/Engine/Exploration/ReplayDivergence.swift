// SPDX-License-Identifier: Apache-2.0

extension Explorer {
  /// The fingerprint of the tokens that it makes; a replay of this build's token makes that one again.
  var fingerprint: UInt64 {
    if let text = strategy.token, let token = try? ReplayToken(text), BuildFingerprint.isCurrent(token.fingerprint) {
      return token.fingerprint & ~BuildFingerprint.countsArrivals
    }
    return BuildFingerprint.current(in: key)
  }
}

extension ReplayToken {
  /// A warning if a replayed execution was not quite the recorded one, by the number of choices that it met.
  ///
  /// A rank or a number that was out of reach counts, too: there were fewer tasks ready, or less to choose from.
  func divergence(met: Int, outOfReach: Int, in key: String?) -> Diagnostic? {
    guard count != met || outOfReach > 0 else { return nil }
    let happened =
      count != met
      ? "the replay met \(met) choices and the recorded execution \(count)"
      : "\(outOfReach) of the \(met) recorded choices were out of reach in the replay"
    return Diagnostic(
      warning: "divergence", kind: .divergence,
      "Divergence: \(happened), so it was another execution. A pass says nothing of the recorded failure.",
      likelyCause: BuildFingerprint.isOfAnother(fingerprint, than: key)
        ? "the token is of another test, or of this one with other arguments."
        : BuildFingerprint.isCurrent(fingerprint)
          ? """
          the token is of another test, or the body depends on something besides its choices: the build is the one that \
          recorded it.
          """
          : """
          it was recorded with another build: debug and release builds differ in their scheduling points, and so does \
          changed code.
          """,
      suggestion: "explore the test again without the token; if it fails, pin the token of that failure.")
  }
}
