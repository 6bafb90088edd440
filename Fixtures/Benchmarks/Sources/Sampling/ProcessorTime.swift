// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The time that this process has worked, on all its threads together.
///
/// What runs on one thread is measured by it, since it does not grow while other processes have the core.
package enum ProcessorTime {
  package static var nanoseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
