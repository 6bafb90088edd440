// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Work of the kit in the middle of a job, which is no part of it: no hang is looked for meanwhile, and the thread is not held.
///
/// The longest search for a line that was measured took a third of a second of a processor.
package enum OwnWork {
  /// Does the work.
  package static func run<Result>(_ work: () -> Result) -> Result {
    napkin_begin_own_work()
    defer { napkin_end_own_work() }
    return work()
  }
}
