// SPDX-License-Identifier: Apache-2.0

/// A choice sequence as one short word that survives shells, URLs, log files and source code.
///
/// `nk1.` and then base64url, nothing else. Zeros, which most of a schedule consists of, cost one byte a run. A token
/// is about forty characters for a shrunk failure.
package struct ReplayToken: Sendable, Equatable {
  /// The choices; those read from a text have no bounds and no spans until an execution has met them.
  package var sequence: ChoiceSequence

  /// Which build and code the choices were recorded with, as a number that only means something when compared.
  package var fingerprint: UInt64

  /// How many choices the recorded execution met, so that a replay can say that it met another number.
  package var count: Int

  package init(_ sequence: ChoiceSequence, fingerprint: UInt64) {
    self.init(sequence, fingerprint: fingerprint, count: sequence.count)
  }

  init(_ sequence: ChoiceSequence, fingerprint: UInt64, count: Int) {
    self.sequence = sequence
    self.fingerprint = fingerprint
    self.count = count
  }
}
