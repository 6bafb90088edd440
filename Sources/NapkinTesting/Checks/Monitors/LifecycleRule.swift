// SPDX-License-Identifier: Apache-2.0

/// What a fuzzer watches for, rule by rule of the lifecycle contract, and what ``TreeFuzzer/without(_:)`` switches off.
public enum LifecycleRule: String, Sendable, Hashable, CaseIterable {
  /// `didBecomeActive()` and `willResignActive()` alternate and never overlap (L2), and `isActive` encloses both (L1).
  case alternation = "L2"

  /// At rest, every activation and deactivation has come to its end (L3).
  case completion = "L3"

  /// Work is bound inside the active scope only, is cancelled with it, and ends after that (L6).
  case boundWork = "L6"

  /// A router is loaded once in its life, after its first activation (T1).
  case loading = "T1"

  /// A router has one parent, stands in its children once, and is never below itself (T2).
  case placement = "T2"

  /// What leaves its parent is inactive, with all below it (T4).
  case detachment = "T4"

  /// At rest nothing is active below what was deactivated (T7).
  case dormancy = "T7"

  /// When the root was released nothing of its tree is left (T10).
  case release = "T10"

  /// No call breaks the rules for callers, such as attaching what is attached already (M1).
  case misuse = "M1"

  /// The rule's number in the contract, which the report of a failure begins with.
  public var number: String { rawValue }
}
