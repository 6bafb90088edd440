// SPDX-License-Identifier: Apache-2.0

#if os(Linux) && !NAPKIN_LIKE_APPLE

// The executors of the process are wrapped before `main` (see `Seam.swift`): no task exists yet, so no code can see
// a half-written executor. The wrappers pass everything on to the platform's executors, except the jobs of
// executions. The SPI is how the toolchain offers custom executors until they are public.
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency
internal import NapkinTestingCRuntime

enum ControlledExecutors: ExecutorFactory {
  private static let global = ControlledGlobalExecutor(PlatformExecutorFactory.defaultExecutor)
  private static let main = ControlledMainExecutor(PlatformExecutorFactory.mainExecutor)

  static var mainExecutor: any MainExecutor { main }
  static var defaultExecutor: any TaskExecutor { global }

  static func install() { _createExecutors(factory: ControlledExecutors.self) }

  /// Leaves a job to the platform's executor, on whatever thread this is.
  static func passOn(_ job: UnsafeMutableRawPointer, onMain: Bool) {
    let job = executorJob(at: job)
    if onMain { main.platform.enqueue(job) } else { global.platform.enqueue(job) }
  }

  /// The scheduler that takes the jobs of the calling thread, if it is the exploring one.
  @inline(__always)
  static var scheduler: Unmanaged<Scheduler>? {
    napkin_is_exploring_thread() ? Scheduler.unretained : nil
  }

  /// Whether the scheduler of the calling thread takes a job; no access counts meanwhile.
  @inline(__always)
  static func take(_ job: UnsafeMutableRawPointer, onMain: Bool) -> Bool {
    guard let scheduler else { return false }
    return scheduler._withUnsafeGuaranteedRef { $0.take(job, onMain: onMain) }
  }
}

final class ControlledGlobalExecutor: TaskExecutor, ControlledExecutor, @unchecked Sendable {
  // One object for the whole process, made by the platform to be used from all threads; its protocol does not say so.
  fileprivate let platform: any TaskExecutor
  let platformTimers: any SchedulingExecutor
  let isMain = false

  init(_ platform: any TaskExecutor) {
    self.platform = platform
    platformTimers = timers(of: platform)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = pointer(to: job)
    if ControlledExecutors.take(job, onMain: false) { return }
    if !Inbox.receive(job, onMain: false) { ControlledExecutors.passOn(job, onMain: false) }
  }
}

final class ControlledMainExecutor: MainExecutor, ControlledExecutor, @unchecked Sendable {
  // As above.
  fileprivate let platform: any MainExecutor
  let platformTimers: any SchedulingExecutor
  let isMain = true

  init(_ platform: any MainExecutor) {
    self.platform = platform
    platformTimers = timers(of: platform)
  }

  var isMainExecutor: Bool { true }
  func run() throws { try platform.run() }
  func stop() { platform.stop() }

  func checkIsolated() {
    if ControlledExecutors.scheduler == nil { platform.checkIsolated() } else { Seam.checkIsMain() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = pointer(to: job)
    if ControlledExecutors.take(job, onMain: true) { return }
    if !Inbox.receive(job, onMain: true) { ControlledExecutors.passOn(job, onMain: true) }
  }
}

/// The common part of the two executors: how a job waits for a time.
protocol ControlledExecutor: SchedulingExecutor {
  var platformTimers: any SchedulingExecutor { get }
  var isMain: Bool { get }
}

extension ControlledExecutor {
  func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
    let job = pointer(to: job)
    if takes(job, after: { duration(clock.now.duration(to: instant)) }) { return }
    platformTimers.enqueue(executorJob(at: job), at: instant, tolerance: tolerance, clock: clock)
  }

  func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
    let job = pointer(to: job)
    if takes(job, after: { duration(delay) }) { return }
    platformTimers.enqueue(executorJob(at: job), after: delay, tolerance: tolerance, clock: clock)
  }

  @inline(__always)
  private func takes(_ job: UnsafeMutableRawPointer, after delay: () -> Duration?) -> Bool {
    guard ControlledExecutors.scheduler != nil || napkin_owns_any(), let delay = delay() else { return false }
    if let scheduler = ControlledExecutors.scheduler {
      let counted = napkin_pause_accesses()
      defer { napkin_resume_accesses(counted) }
      if scheduler._withUnsafeGuaranteedRef({ $0.enqueue(job, after: delay, onMain: isMain) }) { return true }
    }
    return Inbox.receive(job, after: delay, onMain: isMain)
  }
}

/// A clock's duration, if it is the standard one; a cast would look for conformances each time.
@inline(__always)
private func duration<D>(_ duration: D) -> Duration? {
  D.self == Duration.self ? unsafeBitCast(duration, to: Duration.self) : nil
}

private func timers(of platform: any Executor) -> any SchedulingExecutor {
  guard let timers = platform as? any SchedulingExecutor else {
    // Before main there is no test to record an issue in; a toolchain like that has never been seen.
    preconditionFailure("NapkinTesting: \(type(of: platform)) of this toolchain cannot wait for a time.")
  }
  return timers
}

/// A job as the C functions take it; the runtime's `UnownedJob` is that one pointer.
private func pointer(to job: consuming ExecutorJob) -> UnsafeMutableRawPointer {
  unsafeBitCast(UnownedJob(job), to: UnsafeMutableRawPointer.self)
}

private func executorJob(at job: UnsafeMutableRawPointer) -> ExecutorJob {
  ExecutorJob(unsafeBitCast(job, to: UnownedJob.self))
}

#endif
