// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The jobs that wait in the kernel, as for a semaphore, each above the one before on the exploring thread's stack.
struct WaitsInJob {
  /// The actors that they are on, which no other job enters.
  fileprivate var actors: [UInt] = []
  fileprivate var idleSince: Duration?

  /// Whether one waits for what nothing can bring any more; the execution is a deadlock, and is run to its next suspension.
  fileprivate(set) var isStuck = false

  // How long another thread may take that is not known to work for the execution; and until one that is known has ended its work.
  fileprivate static let forUnknownThreads = Duration.seconds(1)
  fileprivate static let forKnownThreads = Duration.milliseconds(20)
  fileprivate static let deepest = 100
}

extension Scheduler {
  /// Goes on with another task, on this stack, while the running job waits; on threads another one would.
  ///
  /// Work that was left to threads is waited for first, so that its end does not decide about the order of the tasks.
  func waitInJob() -> Int32 {
    if inJob.isStuck { return Int32(napkin_wait_is_in_vain) }
    guard halfRun == nil || Instrumentation.stopsAtCalls, !napkin_is_creating(), !napkin_is_starting(),
      inJob.actors.count < WaitsInJob.deepest
    else { return Int32(napkin_wait_is_real) }
    let idle = idleTime()
    if inbox.pending.count != 0 || napkin_has_left_something() && idle < WaitsInJob.forKnownThreads {
      return waitForThread(inbox.pending.count != 0)
    }
    if inbox.deliver(to: self) || halfRun.map(runOtherInThread) ?? runOther() || advance() {
      inJob.idleSince = nil
      return Int32(napkin_wait_goes_on)
    }
    if idle < WaitsInJob.forUnknownThreads { return waitForThread(false) }
    inJob.isStuck = true
    problems.append(.deadlock(inJobAt: log == nil ? nil : Symbolicator.caller()))
    return Int32(napkin_wait_is_in_vain)
  }

  private func idleTime() -> Duration {
    let now = Stopwatch.now
    let start = inJob.idleSince ?? now
    inJob.idleSince = start
    return now - start
  }

  private func waitForThread(_ isKnown: Bool) -> Int32 {
    napkin_await_ring(napkin_rings(), Duration.milliseconds(1).wholeNanoseconds)
    if isKnown { inJob.idleSince = nil }
    return Int32(napkin_wait_goes_on)
  }

  /// Runs a job that is ready on none of the actors that a waiting job is on; false if there is none.
  private func runOther() -> Bool {
    let (executor, task) = (napkin_current_executor(), running)
    inJob.actors.append(napkin_is_main(executor) ? main.identity : executor.identity)
    var kept: [ReadyJob] = []
    for rank in (0..<ready.count).reversed() where ready[rank].target != 0 && inJob.actors.contains(ready[rank].target)
    {
      kept.append(ready.remove(at: rank))
    }
    let isReady = ready.count != 0
    if isReady { step() }
    for job in kept.reversed() {
      _ = ready.putBack(job)
      if holdsBack { ready.settleLast() }
    }
    inJob.actors.removeLast()
    running = task
    log?.goesOn(task)
    return isReady
  }
}

extension Diagnostic {
  /// A job waits in the kernel for what only another task could bring.
  fileprivate static func deadlock(inJobAt place: SourcePlace?) -> Diagnostic {
    let line = place.map { "\nAt \($0.located())." } ?? ""
    return Diagnostic(
      .deadlock, "Deadlock: a job waits for a semaphore or a group, and no task can go on.\(line)",
      likelyCause: "what it waits for is to be done by a task that waits itself, or by nothing.",
      suggestion: "wait by suspending, as for a task's value or a continuation, and resume it on every path.")
  }
}
