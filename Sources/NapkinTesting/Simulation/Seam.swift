// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

// How this module gets between Swift's runtime and the jobs: by custom executors where the toolchain has them, and by
// the runtime's hooks elsewhere. The loader calls the function below before `main`, when no task exists yet.
//
// `NAPKIN_SEAM=hooks` takes the hooks on Linux too, which is how they are tried. There they see tasks, actors, hops and the
// main actor, but neither `Task.yield()` nor sleeping, which that runtime sends to its executors directly: a body that
// does either gets out of control, and the exploration calls what it then sees a deadlock.
enum Seam {
  static func install() {
    XCTestBridge.install()
    Inbox.watchOutside()
    #if os(Linux)
    let wanted = napkin_environment("NAPKIN_SEAM").map { String(cString: $0) }
    if wanted != "hooks" {
      ControlledExecutors.install()
      return MisuseReporter.install()
    }
    #endif
    HookedMainExecutor.install()
    MisuseReporter.install()
  }
}

#if os(Linux)
@section(".init_array") @used
let installSeam: @convention(c) () -> Void = { Seam.install() }
#elseif canImport(Darwin)
@section("__DATA,__mod_init_func") @used
let installSeam: @convention(c) () -> Void = { Seam.install() }
#endif

/// What the runtime takes for the main executor on the exploring thread, where hooks are used.
final class HookedMainExecutor: SerialExecutor {
  private static let shared = HookedMainExecutor()

  static func install() {
    let executor = unsafeBitCast(shared.asUnownedSerialExecutor(), to: napkin_executor.self)
    _ = napkin_install_hooks(
      { job, delay in
        if delay < 0 {
          Scheduler.current?.enqueue(job, onMain: false)
        } else {
          Scheduler.current?.enqueue(job, after: .nanoseconds(delay), onMain: false)
        }
      }, { Inbox.receive($0, onMain: false) }, executor)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = unsafeBitCast(UnownedJob(job), to: UnsafeMutableRawPointer.self)
    Scheduler.current?.enqueue(job, onMain: true)
  }

  func checkIsolated() {}
}
