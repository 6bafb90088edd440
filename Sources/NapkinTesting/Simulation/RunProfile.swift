// SPDX-License-Identifier: Apache-2.0

/// How much a run of the tests explores, and whether it remembers: one word for a whole machine.
///
/// `NAPKIN_PROFILE` chooses it by name. Where nothing does, it is ``ci`` on a machine that sets `CI`, as every hosted runner
/// does, and ``standard`` elsewhere.
package struct RunProfile: Sendable, Hashable {
  package let name: String

  /// By how much the executions that a test asks for are multiplied.
  package let factor: Int

  /// Whether failures are kept in the ``FailureDatabase``, and replayed first in the next run.
  package let remembers: Bool

  /// At a desk: as the test says, beginning with what failed last time.
  package static let standard = RunProfile(name: "standard", factor: 1, remembers: true)

  /// On a machine that others wait for: as the test says, and nothing is left from an earlier run or for a later one.
  package static let ci = RunProfile(name: "ci", factor: 1, remembers: false)

  /// Overnight: twenty times as many executions, and nothing is left either.
  package static let nightly = RunProfile(name: "nightly", factor: 20, remembers: false)

  /// Every profile that `NAPKIN_PROFILE` can name.
  package static let all = [standard, ci, nightly]

  /// The profile that the variables of an environment name; nil where they name none that there is.
  package init?(_ variable: (String) -> String?) {
    guard let name = variable("NAPKIN_PROFILE"), !name.isEmpty else {
      self = variable("CI").map { $0.isEmpty || $0 == "false" } ?? true ? .standard : .ci
      return
    }
    guard let profile = Self.all.first(where: { $0.name == name }) else { return nil }
    self = profile
  }

  private init(name: String, factor: Int, remembers: Bool) {
    self.name = name
    self.factor = factor
    self.remembers = remembers
  }
}
