// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// A process that a crashing one starts in its last moments: it runs the execution again in processes of its own, shrinks it,
/// and writes its report.
enum Autopsy {
  /// The exploration that this process is to look at; nil if it is no such process.
  static let key = Environment["NAPKIN_AUTOPSY"]

  /// How many seconds it may take.
  private static let seconds: UInt32 = 60

  /// Starts the process, and waits for it; it is called in a signal handler.
  static func begin(_ task: WorkerProcess.Task, token: String) {
    guard key == nil, Worker.current == nil, let arguments = WorkerProcess.arguments(filter: task.filter) else {
      return
    }
    let changes = [
      "NAPKIN_AUTOPSY=\(task.key)", "NAPKIN_ISOLATE=1", "NAPKIN_REPLAY=\(token)", "NAPKIN_DATABASE=off",
      "SWIFT_BACKTRACE=enable=no", "NAPKIN_JOBS", "NAPKIN_LOG",
    ]
    napkin_extend_last_moments(seconds + 5)
    _ = WorkerProcess.withCStrings(arguments) { arguments in
      WorkerProcess.withCStrings(changes) { napkin_run_process(arguments, $0, 2, seconds) }
    }
  }

  /// Writes the report of this process to the standard error of the one that crashed.
  static func write(_ report: String) {
    guard key != nil else { return }
    let text = "\n" + report + "\n"
    _ = napkin_write_all(Int32(napkin_worker_output), text, text.utf8.count)
  }
}
