// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// What is told of an execution that takes the process with it: how to run it again.
///
/// A crash cannot be shrunk, since every attempt would be the last. It is filed in the failure database, so the next run
/// begins with it.
enum Farewell {
  /// The execution that runs now, as far as a farewell needs it.
  struct Subject {
    var explorer: Explorer
    var execution: Int
    var scheduler: Scheduler
    var tape: ChoiceTape
  }

  // Read and written on the exploring thread only, which says farewell, too, whatever actor its job is on.
  nonisolated(unsafe) static var subject: Subject?

  /// How long one job may run before it counts as hanging, in seconds; `NAPKIN_HANG_TIMEOUT` changes it.
  private static let patience: UInt32 = {
    let text = napkin_environment("NAPKIN_HANG_TIMEOUT").map { String(cString: $0) }
    return text.flatMap { UInt32($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 30
  }()

  /// Begins to watch the main thread, once a process.
  static func prepare() {
    napkin_watch({ signal in Farewell.say(signal) }, patience)
  }

  private static func say(_ signal: Int32) {
    guard let subject else { return }
    napkin_show_kept_output()
    var sequence = subject.tape.recorded
    sequence.schedule = subject.scheduler.trace.choices
    let order = subject.scheduler.strategy.holdsBack ? 0 : BuildFingerprint.countsArrivals
    let token = ReplayToken(sequence, fingerprint: BuildFingerprint.current | order).text
    if let key = subject.explorer.key { subject.explorer.database?.store(token, for: key) }
    let happened =
      signal == 0
      ? """
      Hang: a job has run for more than \(patience) seconds without suspending.
      Likely cause: it waits for a lock, a semaphore or a thread that only another task could free; it computes for long; \
      or it loops around a sleep, which returns at once in a task that was cancelled.
      """
      : """
      Crash: the process ends with signal \(signal).
      Likely cause: a precondition failed, or a trap, in the job of this execution that ran last.
      """
    let text = """

      NapkinTesting, execution \(subject.execution) with seed \(subject.explorer.seed)\(subject.explorer.key.map { " of \($0)" } ?? ""):
      \(happened)
      What to do: run this one execution in a debugger, with the trait or the strategy
      .replay("\(token)")
      or for any test with NAPKIN_REPLAY=\(token)

      """
    napkin_write_error(text, text.utf8.count)
  }
}
