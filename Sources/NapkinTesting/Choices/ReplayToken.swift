// SPDX-License-Identifier: Apache-2.0

/// A choice sequence as one short word that survives shells, URLs, log files and source code.
///
/// `nk1.` and then base64url, nothing else. Zeros, which most of a schedule consists of, cost one byte a run, so the
/// token of a shrunk failure has about thirty to fifty characters.
package struct ReplayToken: Sendable, Equatable {
  /// The choices, zeros and all; those read from a text have no bounds and no spans until an execution has met them.
  package var sequence: ChoiceSequence

  /// Which build and code the choices were recorded with, as a number that only means something when compared.
  package var fingerprint: UInt64

  package init(_ sequence: ChoiceSequence, fingerprint: UInt64) {
    self.sequence = sequence
    self.fingerprint = fingerprint
  }

  /// How many choices the recorded execution met, so that a replay can say that it met another number.
  package var count: Int { sequence.count }

  /// The most choices that a text is read back with; a longer one is refused, as no execution is that long.
  package static let longest = 1 << 24

  static let family = "nk"
  static let version = "nk1"
}
