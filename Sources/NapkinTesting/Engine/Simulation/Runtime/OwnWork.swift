// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Work of the kit in the middle of a job, which is no part of it: no hang is looked for meanwhile.
///
/// On a machine with much to do, the first line of a large program takes seconds to find.
package enum OwnWork {
  /// Does the work.
  package static func run<Result>(_ work: () -> Result) -> Result {
    napkin_begin_own_work()
    defer { napkin_end_own_work() }
    return work()
  }
}
