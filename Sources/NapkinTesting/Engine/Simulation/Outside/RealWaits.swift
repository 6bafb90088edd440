// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

// Where the runtime's own yields and sleeps come to no hook, code of another image waits in real time. How its tasks look then is
// learned from tasks that wait so before the first execution.

extension SelfTest {
  /// Waits once in each of the runtime's own ways; whether every task has come back.
  static func learnRealWaits(_ scheduler: Scheduler, _ inbox: Inbox) -> Bool {
    var isOrderly = true
    var unknown: [String] = []
    let end = Stopwatch.now + limit
    for wait in RealWait.all {
      let signal = Signal()
      napkin_leave_waits(true)
      let task = Task { @concurrent in
        await wait.body()
        signal.send()
      }
      _ = scheduler.runReady(limit: 100)
      napkin_leave_waits(false)
      let isKnown = napkin_learn_wait(unsafeBitCast(task, to: UnsafeMutableRawPointer.self), wait.kind)
      extendLifetime(task)
      if !isKnown { unknown.append(wait.name) }
      if !signal.comes(until: end, inbox, scheduler) { isOrderly = false }
    }
    note(.realWaits, unknown.isEmpty ? nil : unknown.joined(separator: ", "))
    return isOrderly
  }
}

/// A way to wait that takes a millisecond of real time at most.
struct RealWait {
  let name: String
  let kind: Int32
  let body: @Sendable () async -> Void

  static let duration = Duration.milliseconds(1)

  static func yield(_ name: String, _ body: @escaping @Sendable () async -> Void) -> Self {
    Self(name: name, kind: Int32(napkin_waits_by_yielding), body: body)
  }

  static func sleep(_ name: String, _ body: @escaping @Sendable () async throws -> Void) -> Self {
    Self(name: name, kind: Int32(napkin_waits_by_sleeping)) { try? await body() }
  }

  #if !NAPKIN_LIKE_APPLE && !canImport(Darwin)
  /// None where yields and sleeps of every image come to the executors.
  static let all: [Self] = []
  #endif
}

extension Diagnostic {
  static func realWaitsAreNotKnown(_ names: String) -> Diagnostic {
    Diagnostic(
      warning: .realWaits,
      "A task of another image that waits by \(names) cannot be distinguished from one that waits for ever: it may be called a deadlock.",
      likelyCause: "the Swift runtime keeps its tasks in another way than this version of NapkinTesting knows.",
      suggestion: "\(oneImage).")
  }
}
