// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The report of an execution that ends the process.
///
/// In a worker process that goes to the process that started it, for which it is a failure like any other. In any other one
/// the execution is filed in the failure database and printed, and another process runs it again and reports it in full.
package enum CrashReport {
  /// An execution, and the search that it belongs to.
  struct Subject {
    let execution: SimulatedExecution
    let search: Search
  }

  /// The executions that have begun and not ended.
  ///
  /// Written on the exploring thread only, and read there, or while it is held: a lock could be held for ever.
  nonisolated(unsafe) static var subjects: [Subject] = []

  /// The execution that the calling thread works for or, where that is not known, one that runs.
  private static var subject: Subject? {
    let owner = napkin_owning_here()
    return subjects.first { $0.execution.inbox.owner == owner } ?? subjects.first
  }

  /// How long one job may run before it counts as hanging, in seconds; `NAPKIN_HANG` changes it.
  static let timeout: UInt32 = {
    // A debugger may hold it up for hours.
    if Environment.isDebugged { return .max }
    return (try? RunSettings.hangTimeout { Environment[$0] }).map { UInt32($0) } ?? 30
  }()

  /// Begins to watch the main thread, once a process; an execution that is known to hang has a shorter timeout.
  static func prepare(hangTimeout: Int?) {
    napkin_watch({ signal in CrashReport.report(signal) }, min(timeout, hangTimeout.map { UInt32($0) } ?? timeout))
    _ = isPrepared
  }

  private static let isPrepared: Bool = {
    napkin_end_with_parent(Worker.current != nil)
    napkin_watch_exit { CrashReport.reportExit(status: $0) }
    return true
  }()

  /// Reports that the code under test exits the process, which then does not end as one whose tests have passed.
  private static func reportExit(status: Int32) {
    guard let subject else { return }
    if let worker = Worker.current {
      worker.report(subject.execution.ending(.exit))
      // A status that is not known here goes with the exit.
      if status >= 0 { napkin_leave(status) }
      return
    }
    print(.exit(status: status < 0 ? nil : Int(status)), subject)
    napkin_leave(max(1, status))
  }

  private static func report(_ signal: Int32) {
    guard let subject else { return }
    if let worker = Worker.current {
      napkin_show_kept_output()
      worker.report(subject.execution.ending(signal == 0 ? .hang : .crash, signal: signal))
      napkin_has_begun_report()
    } else {
      let overflows = napkin_stack_overflowed()
      // The runtime has printed its message already, and only the stack says which it was.
      if signal != 0, !overflows, napkin_resumes_once_more() { return print(.resumedTwice(), subject) }
      print(signal == 0 ? .hangingJob() : .signal(Int(signal), overflows: overflows), subject)
    }
  }

  private static func print(_ happened: Diagnostic, _ subject: Subject) {
    napkin_show_kept_output()
    let (execution, context) = (subject.execution, subject.search.context)
    let order = execution.holdsBack ? 0 : BuildFingerprint.countsArrivals
    let build = BuildFingerprint.current(in: context.key)
    let token = ReplayToken(execution.sequence, fingerprint: build | order).text
    // Of another thread it is not known that the execution has started it.
    let isOfExecution = napkin_owning_here() == execution.inbox.owner
    let canBeIsolated = context.task.flatMap { WorkerProcess.arguments(filter: $0.filter) } != nil
    // Where it would end the process again, before anything else, the next run looks for it anew.
    if isOfExecution, canBeIsolated, let key = context.key {
      context.database?.store(token, for: key, endsProcess: true)
    }
    let text = """

      NapkinTesting, execution \(execution.request.number) with seed \(context.explorer.seed)\(context.key.map { " of \($0)" } ?? ""):
      \(happened.summary)\(isOfExecution ? "" : "\n" + Self.elsewhere)
      Likely cause: \(happened.likelyCause ?? "it is not known.")
      What to do: run this one execution in a debugger, with the trait or the strategy
      .replay("\(token)")
      or for any test with NAPKIN_REPLAY=\(token)
      \(advice(canBeIsolated: canBeIsolated))

      """
    napkin_has_begun_report()
    napkin_write_error(text, text.utf8.count)
    // The rest costs more, and can fail where little works any more.
    if let place = Symbolicator.caller() {
      let line = "At \(place.located(", in ")).\n"
      napkin_write_error(line, line.utf8.count)
    }
    guard isOfExecution, let task = context.task else { return }
    Autopsy.begin(task, execution: execution.request.number, seed: context.explorer.seed, token: token)
  }

  /// How the other tests go on after such an end.
  package static func advice(canBeIsolated: Bool) -> String {
    canBeIsolated
      ? "With isolated: true, or NAPKIN_ISOLATE=1, it is a failure like any other, and the other tests go on."
      : "As a @Test with .interleavings(…, isolated: true), run by swift test, it is a failure with a timeline, and the others go on."
  }

  private static let elsewhere = """
    It is on a thread that no execution controls: the code under test may have started it, or another test that runs meanwhile.
    """
}

extension SimulatedExecution {
  /// How the execution ends this process.
  fileprivate func ending(_ way: WorkerEnding.Report.Way, signal: Int32 = 0) -> WorkerEnding.Report {
    WorkerEnding.Report(
      way: way, signal: Int(signal), overflows: way == .crash && napkin_stack_overflowed(), execution: request.number,
      outcome: ExecutionOutcome(cutShort: self))
  }
}

/// A process that a crashing one starts in its last moments: it runs the execution again in processes of its own, shrinks it,
/// and writes its report.
package enum Autopsy {
  /// The exploration that this process is to look at; nil if it is no such process.
  static var key: String? { subject?.key }

  // The execution and the seed of the process that crashed come before the key.
  private static let subject: (execution: Int, seed: UInt64, key: String)? = {
    let parts = Environment["NAPKIN_AUTOPSY"]?.split(separator: " ", maxSplits: 2) ?? []
    guard parts.count == 3, let execution = Int(parts[0]), let seed = UInt64(parts[1]) else { return nil }
    return (execution, seed, String(parts[2]))
  }()

  /// The exploration with the number that the execution had where it crashed; here it is the first.
  static func renumbered(_ exploration: Exploration) -> Exploration {
    guard let subject else { return exploration }
    var exploration = exploration
    for index in exploration.failures.indices where exploration.failures[index].execution > 0 {
      (exploration.failures[index].execution, exploration.failures[index].seed) = (subject.execution, subject.seed)
    }
    return exploration
  }

  /// How many seconds it may take.
  private static let seconds: UInt32 = 60

  /// Starts the process, and waits for it; it is called in a signal handler.
  static func begin(_ task: WorkerTask, execution: Int, seed: UInt64, token: String) {
    guard key == nil, Worker.current == nil, let arguments = WorkerProcess.arguments(filter: task.filter) else {
      return
    }
    let changes = [
      "NAPKIN_AUTOPSY=\(execution) \(seed) \(task.key)", "NAPKIN_ISOLATE=1", "NAPKIN_REPLAY=\(token)",
      "NAPKIN_DATABASE=off", "SWIFT_BACKTRACE=enable=no", "NAPKIN_JOBS",
    ]
    napkin_extend_last_moments(seconds + 5)
    _ = WorkerProcess.withCStrings(arguments) { arguments in
      WorkerProcess.withCStrings(changes) { napkin_run_process(arguments, $0, 2, seconds) }
    }
  }

  /// Writes the report of this process to the standard error of the one that crashed.
  package static func write(_ report: String) {
    guard key != nil else { return }
    let text = "\n" + report + "\n"
    _ = napkin_write_all(Int32(napkin_worker_output), text, text.utf8.count)
  }
}
