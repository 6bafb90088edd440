// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCSplitting
internal import NapkinTestingEngine
internal import Synchronization

/// Split steps, as the engine and the test kit come to them.
package enum Splitting {
  /// Has the engine name races and locks.
  package static func install() { Instrumentation.install(Reports()) }

  /// Begins to list the state that tests share, by a function that returns the test that its caller is in; false if it cannot.
  package static func listSharedState(_ test: @escaping @Sendable () -> String?) -> Bool { SharedState.install(test) }
}

private struct Reports: SplitReports {
  // A copy of the lock's code is in each module, and the linker takes one: where that one has no calls, nothing is known of the order
  // of tasks.
  private static let seesMutexes: Bool = {
    let mutex = Mutex(0)
    let before = napkin_exchanges()
    mutex.withLock { $0 += 1 }
    return napkin_exchanges() - before >= 2
  }()

  var seesMutexes: Bool { Self.seesMutexes }

  func race(among accesses: OpaquePointer, titles: (Int) -> String) -> Diagnostic? {
    withoutActuallyEscaping(titles) { RaceReport(accesses, $0)?.diagnostic }
  }

  func unseenRaces(among accesses: OpaquePointer) -> Diagnostic? {
    seesMutexes ? .unseenRaces(among: accesses) : .unseenMutexes
  }

  func isCircle(_ waiting: [OpaquePointer]) -> Bool { LockReport(waiting: waiting).isCircle }

  func deadlock(of waiting: [OpaquePointer], titles: ((Int) -> String)?) -> Diagnostic {
    LockReport(waiting: waiting).deadlock(titles)
  }
}
