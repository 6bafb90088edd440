// SPDX-License-Identifier: Apache-2.0

extension Diagnostic {
  /// A job that does not suspend.
  static func hangingJob() -> Diagnostic {
    Diagnostic(
      .hang, "Hang: a job has run for more than \(CrashReport.timeout) seconds without suspending.",
      likelyCause: """
        it waits for a lock, a semaphore or a thread that only another task could free; it computes for long; or it loops \
        around a sleep, which returns at once in a task that was cancelled.
        """,
      suggestion: "wait by suspending, so that the tasks that it waits for can run.")
  }

  /// The time of an exploration was over in the middle of an execution.
  static func outOfTime(after steps: Int) -> Diagnostic {
    Diagnostic(
      warning: .time,
      "The time of the exploration was over when an execution had run \(steps.grouped) jobs. It was left there, unjudged.",
      likelyCause: "the body goes on without an end, or for long.",
      suggestion: "pass a smaller number of steps:, beyond which an execution is a livelock, or more time:.")
  }

  /// The task of an exploration was cancelled.
  static func cancelled(after executions: Int) -> Diagnostic {
    Diagnostic(
      warning: .cancelled,
      "The exploration was cancelled, and ended with execution \(executions.grouped).",
      likelyCause: "the test's time limit was over, or the test was cancelled.",
      suggestion: "pass fewer executions, or a time: that is shorter than the test's limit.")
  }

  /// The code under test has called `exit`; the status is nil where a handler of exits does not get it, as on Apple's.
  static func exit(status: Int?) -> Diagnostic {
    Diagnostic(
      .crash, "Crash: the code under test ends the process\(status.map { ", with exit status \($0)" } ?? "").",
      likelyCause: "it calls exit, or something that does.",
      suggestion: "let it throw, or call a function that a test can replace.")
  }

  /// The process ends with a signal.
  package static func signal(_ signal: Int, overflows: Bool) -> Diagnostic {
    if overflows {
      return Diagnostic(
        .crash, "Crash: the stack overflows (signal \(signal)).",
        likelyCause: "functions call each other without an end, or deeper than the stack is.",
        suggestion: "find the call that repeats, and end the recursion or make it a loop.")
    }
    switch signal {
    case 7, 10, 11:
      return Diagnostic(
        .crash, "Crash: an address is used that has no memory (signal \(signal)).",
        likelyCause: "an unsafe pointer or an unowned reference is used after its object is gone, or a data race.",
        suggestion: "look at what the last step uses; --sanitize=address and --sanitize=thread report more.")
    case 9:
      return Diagnostic(
        .crash, "Crash: the process is killed (signal 9).",
        likelyCause: "the system has no memory left, or a time limit of the machine or the container is over.",
        suggestion: "look into the system's log, and at how much memory the body takes.")
    case 13:
      return Diagnostic(
        .crash, "Crash: a pipe or a socket is written to that has no reader (signal 13).",
        likelyCause: "its other end is closed, or has not been opened in this execution.",
        suggestion: "ignore SIGPIPE, as a server does, and handle the error that the write returns then.")
    case 2, 14, 15:
      return Diagnostic(
        .crash, "Crash: the process is asked to end (signal \(signal)).",
        likelyCause: "the code under test sends the signal, or sets an alarm; or something outside of it does.",
        suggestion: "find what sends it, and let a test replace it.")
    default:
      return Diagnostic(
        .crash, "Crash: the process ends with signal \(signal).",
        likelyCause: "a precondition failed, or a trap, in the job that ran last.",
        suggestion: "follow the lanes to the last step: it is the one that ends the process.")
    }
  }
}
