// SPDX-License-Identifier: Apache-2.0

/// The effort of the explorations of a run or a suite, and whether failures are remembered.
///
///     extension RunProfile {
///       static let soak = RunProfile("soak", executions: 10, time: .seconds(60))
///     }
///
///     @Suite(.profile(.soak)) struct CheckoutTests { … }
///
/// `NAPKIN_PROFILE` chooses one of ``standard``, ``ci`` and ``nightly`` for a whole run, whatever the traits say. Where
/// neither does, it is ``ci`` on a machine that sets `CI`, as every hosted runner does, and ``standard`` elsewhere.
public struct RunProfile: Sendable, Hashable {
  /// The name in diagnostics, by which `NAPKIN_PROFILE` chooses those of the kit.
  public let name: String

  /// The factor for the number of executions of each test.
  package let factor: Int

  /// Whether failures are kept in the ``FailureDatabase``, and replayed first in the next run.
  package private(set) var remembers: Bool

  /// How long an exploration may take.
  package let time: Duration?

  /// Creates a profile.
  ///
  /// - Parameters:
  ///   - name: The name in diagnostics.
  ///   - factor: The factor for the number of executions of each test, 1 or more.
  ///   - time: The most real time of each exploration; a shorter limit of a test holds. Nil sets no limit.
  ///   - remembersFailures: Whether a failure is kept, and replayed first in the next run. Where `CI` is set, none is.
  public init(_ name: String, executions factor: Int = 1, time: Duration? = nil, remembersFailures: Bool = true) {
    self.name = name
    self.factor = factor
    self.time = time
    remembers = remembersFailures
  }

  /// For development: the executions of the test, after a replay of what failed last time.
  public static let standard = RunProfile("standard")

  /// For continuous integration: the executions of the test; failures are neither replayed nor kept.
  public static let ci = RunProfile("ci", remembersFailures: false)

  /// For nightly runs: twenty times as many executions; failures are neither replayed nor kept.
  public static let nightly = RunProfile("nightly", executions: 20, remembersFailures: false)

  /// Every profile that `NAPKIN_PROFILE` can name.
  package static let all = [standard, ci, nightly]

  /// The profile that a trait of the running test, or of its suite, sets.
  @TaskLocal package static var ofTrait: RunProfile?

  /// The profile that the variables of an environment and the traits choose; nil if the variable names an unknown one.
  package init?(_ variable: (String) -> String?) {
    if let name = variable("NAPKIN_PROFILE"), !name.isEmpty {
      guard let profile = Self.all.first(where: { $0.name == name }) else { return nil }
      self = profile
      return
    }
    let isCI = variable("CI").map { !$0.isEmpty && $0 != "false" } ?? false
    self = Self.ofTrait ?? (isCI ? .ci : .standard)
    if isCI { remembers = false }
  }

  /// The diagnostic for a profile that no exploration could follow.
  package var misuse: Diagnostic? {
    if factor < 1 {
      return Diagnostic(
        .misuse, "RunProfile(\"\(name)\", executions: \(factor)) leaves no execution to run.",
        likelyCause: "the factor was computed, or mistyped.", suggestion: "pass 1 or more.")
    }
    guard let time, time <= .zero else { return nil }
    return Diagnostic(
      .misuse, "RunProfile(\"\(name)\", time: \(time)) leaves no time to run an execution.",
      likelyCause: "the time was computed, or mistyped.", suggestion: "pass a positive time, or none for no limit.")
  }
}
