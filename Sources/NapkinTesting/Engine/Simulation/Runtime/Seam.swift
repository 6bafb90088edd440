// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

// How this module gets between Swift's runtime and the jobs: by custom executors where the toolchain has them, and by the
// runtime's hooks elsewhere, with `Task.yield()` and sleeping taken by their symbols (`Interposed.swift`). The kit calls
// `install()` before `main`, when no task exists yet but those that a constructor has started.
//
// `NAPKIN_LIKE_APPLE=1 swift build` builds for the hooks on Linux, which is how they are tested.
package enum Seam {
  /// Takes control of the runtime.
  package static func install() {
    XCTestBridge.install()
    Inbox.watchOutside()
    Scheduler.takeJobs()
    #if os(Linux) && !NAPKIN_LIKE_APPLE
    ControlledExecutors.install()
    #else
    HookedMainExecutor.install()
    #endif
  }

  /// Whether jobs come by the runtime's hooks.
  static var isByHooks: Bool {
    #if os(Linux) && !NAPKIN_LIKE_APPLE
    false
    #else
    true
    #endif
  }

  /// Leaves a job to the platform's executor, on whatever thread this is.
  static func passOn(_ job: UnsafeMutableRawPointer, onMain: Bool) {
    #if os(Linux) && !NAPKIN_LIKE_APPLE
    ControlledExecutors.passOn(job, onMain: onMain)
    #else
    napkin_pass_on(job, onMain)
    #endif
  }

  /// Traps, as the platform does, unless the exploring thread runs a job of the main actor: it is the main thread, too.
  static func checkIsMain() {
    if napkin_is_main(napkin_current_executor()) || napkin_is_on_main_queue() { return }
    // A failed precondition would name this file.
    let text = "Incorrect actor executor assumption; expected the main actor's executor.\n"
    napkin_write_error(text, text.utf8.count)
    abort()
  }
}

/// The main executor on the exploring thread, where hooks are used.
final class HookedMainExecutor: SerialExecutor {
  private static let shared = HookedMainExecutor()

  static func install() {
    let executor = unsafeBitCast(shared.asUnownedSerialExecutor(), to: napkin_executor.self)
    napkin_find_hooks(
      { job, nanoseconds in
        let delay = nanoseconds < 0 ? nil : Duration.nanoseconds(nanoseconds)
        guard napkin_is_exploring_thread() else { return Inbox.receive(job, after: delay, onMain: false) }
        guard let scheduler = Scheduler.current else { return false }
        guard let delay else { return scheduler.take(job, onMain: false) }
        return scheduler.enqueue(job, after: delay, onMain: false)
      }, executor)
  }

  /// A continuation keeps this executor, so another thread that resumes it comes here, too.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = unsafeBitCast(UnownedJob(job), to: UnsafeMutableRawPointer.self)
    if napkin_is_exploring_thread(), Scheduler.current?.take(job, onMain: true) == true { return }
    if !Inbox.receive(job, onMain: true) { napkin_pass_on(job, true) }
  }

  func checkIsolated() { Seam.checkIsMain() }
}
