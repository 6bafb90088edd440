// SPDX-License-Identifier: Apache-2.0

/// Decides what becomes of a request or of a callback's return, and does nothing itself.
///
/// | phase       | `activate`      | `deactivate`     | `fallAsleep`     | callback returned                            |
/// |---|---|---|---|---|
/// | inactive    | → activating,   | settled          | asleep           |                                              |
/// |             | drive           |                  |                  |                                              |
/// | activating  | wait            | wait, interrupt  | asleep,          | → active; if interrupted (L5):               |
/// |             |                 |                  | interrupt        | → resigning                                  |
/// | active      | settled         | → resigning,     | asleep           |                                              |
/// |             |                 | drive            |                  |                                              |
/// | resigning   | wait            | wait             | asleep           | → inactive; if wanted again (L3):            |
/// |             |                 |                  |                  | → activating                                 |
///
/// Only the caller that was told to drive runs callbacks, one after the other, until none is left: hence they
/// alternate and never overlap (L2). The last request to arrive is the one in `wantsActive` (L3).
struct LifecycleMachine: Sendable {
  enum Phase: UInt8 { case inactive, activating, active, resigning }
  enum Step: UInt8 { case didBecomeActive, willResignActive }

  /// What a caller has to do.
  enum Answer: Equatable {
    case settled
    case drive(Step)
    case wait, waitAfterInterrupt
  }

  /// Who among the waiting may go.
  enum Release: UInt8 { case nobody, whoWantedInactive, everybody }

  private(set) var phase = Phase.inactive
  private(set) var wantsActive = false

  /// Tells a router that was deactivated, which sleeps, from one that never lived, as in a unit test (T7).
  private(set) var wasActive = false

  /// A callback that was cancelled is followed by a resignation, whatever is wanted since: its work was cut short.
  private(set) var isInterrupted = false

  /// The tree wants this node inactive, because it is detached or stands under a sleeper.
  private(set) var isDismissed = false

  /// The same, and nothing has activated it on its own since.
  private(set) var isAsleep = false

  /// L1: from before `didBecomeActive()` until after `willResignActive()`.
  var isActive: Bool { phase != .inactive }

  /// What stands below it is being put to sleep, whether or not it is wanted again.
  var isFallingAsleep: Bool {
    isAsleep || isInterrupted || phase == .resigning
  }

  /// T7: what is attached here stays dormant.
  var makesChildrenSleep: Bool {
    isFallingAsleep || (phase == .inactive && wasActive)
  }

  mutating func activate() -> Answer {
    wantsActive = true
    switch phase {
    case .inactive:
      begin()
      return .drive(.didBecomeActive)
    case .activating, .resigning: return .wait
    case .active: return .settled
    }
  }

  mutating func deactivate() -> Answer {
    wantsActive = false
    switch phase {
    case .inactive: return .settled
    case .activating:
      isInterrupted = true
      return .waitAfterInterrupt
    case .active:
      phase = .resigning
      return .drive(.willResignActive)
    case .resigning: return .wait
    }
  }

  /// Returns true if the running callback is to be cancelled, which needs somebody who can resign afterwards.
  mutating func fallAsleep(canResign: Bool) -> Bool {
    isAsleep = true
    isDismissed = true
    guard phase == .activating, canResign else { return false }
    wantsActive = false
    isInterrupted = true
    return true
  }

  mutating func wakeUp() {
    isAsleep = false
    isDismissed = false
  }

  /// The running callback has returned: what comes next, and who need not wait for it.
  mutating func callbackReturned() -> (next: Step?, release: Release) {
    switch phase {
    case .activating where isInterrupted:
      isInterrupted = false
      phase = .resigning
      return (.willResignActive, .nobody)
    case .activating:
      phase = .active
      return (nil, .everybody)
    case .resigning where wantsActive:
      begin()
      return (.didBecomeActive, .whoWantedInactive)
    case .resigning:
      phase = .inactive
      return (nil, .everybody)
    case .inactive, .active: preconditionFailure("A callback returned that nobody had started")
    }
  }

  private mutating func begin() {
    phase = .activating
    wasActive = true
    isAsleep = false
  }
}
