// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The reports of a program whose steps are split, about memory and locks; the module `NapkinTestingSplitting` makes them.
package protocol SplitReports: Sendable {
  /// Whether code that takes and gives back a Mutex says so, without which no race can be looked for.
  var seesMutexes: Bool { get }

  /// The first data race of an execution, by its accesses and the titles of its tasks; nil if there was none.
  func race(among accesses: OpaquePointer, titles: (Int) -> String) -> Diagnostic?

  /// The reason why a race may have gone unseen in the execution; nil if there is none.
  func unseenRaces(among accesses: OpaquePointer) -> Diagnostic?

  /// Whether threads of the simulation wait for locks that they hold themselves, in a circle.
  func isCircle(_ waiting: [OpaquePointer]) -> Bool

  /// The deadlock of threads that wait for locks; without words about each where no titles are known.
  func deadlock(of waiting: [OpaquePointer], titles: ((Int) -> String)?) -> Diagnostic
}

extension Instrumentation {
  // A protocol alone gets another layer each time that the lock hands it out.
  private struct Installed: Sendable {
    let reports: any SplitReports
  }

  private static let installed = Mutex<Installed?>(nil)

  /// The reports about split steps; nil where steps are not split.
  static var reports: (any SplitReports)? { splitsSteps ? installed.withLock { $0 }?.reports : nil }

  /// Takes the reports about split steps before `main`, when it is not known yet whether the program was compiled for them.
  package static func install(_ reports: some SplitReports) {
    installed.withLock { $0 = Installed(reports: reports) }
  }
}

extension Scheduler {
  /// The first data race of the execution; nil if there was none, or steps are not split.
  func takeRace() -> Diagnostic? {
    guard let halfRun, let reports = Instrumentation.reports else { return nil }
    if let warning = reports.unseenRaces(among: halfRun.counts) { warn(warning) }
    return reports.race(among: halfRun.counts) { log?.log.title(ofTask: $0) ?? "task \($0)" }
  }

  /// Whether tasks wait for locks that they hold themselves.
  var isInLockCycle: Bool {
    guard let waiting = halfRun?.waiting, !waiting.isEmpty else { return false }
    return Instrumentation.reports?.isCircle(waiting) ?? false
  }

  /// The deadlock of tasks that wait for locks; nil if none does.
  ///
  /// Only an execution with a log names them.
  var lockDeadlock: Diagnostic? {
    guard let waiting = halfRun?.waiting, !waiting.isEmpty else { return nil }
    return Instrumentation.reports?.deadlock(of: waiting, titles: log?.log.title)
  }
}
