// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// How a worker process ended in the middle of an execution.
struct WorkerEnding: Sendable {
  /// A process's report of its own end.
  struct Report: Codable, Sendable {
    enum Way: String, Codable { case crash, hang, exit }

    let way: Way
    let signal: Int
    let overflows: Bool
    /// The number of the execution.
    let execution: Int
    /// How far the execution came.
    let outcome: ExecutionOutcome
  }

  /// The report of its signal handler; nil if there was none.
  var report: Report?
  /// The innermost function of the code under test at the end.
  var place: SourcePlace?
  /// The exit status, or the negative number of the signal.
  var status = 0
  /// The standard error of the process.
  var errors = ""
  /// Why there is no ending of the code under test to report: the process says nothing that could be read, or is none.
  var loss: String?

  static let unreadable = WorkerEnding(loss: "sent an answer that cannot be read")
  static let notStarted = WorkerEnding(loss: "could not be started, or did not come to the exploration")

  /// How far the execution came.
  var outcome: ExecutionOutcome {
    var outcome = report?.outcome ?? ExecutionOutcome()
    outcome.diagnostics = [diagnostic]
    return outcome
  }

  /// The way in which it ended, with the line.
  var diagnostic: Diagnostic {
    if let loss {
      return Diagnostic(
        .lostControl, "A process for executions of this exploration \(loss).",
        likelyCause: "the machine has no memory or no processes left, or something else writes to what it answers by.",
        suggestion: "run it again, with fewer processes, or without isolated:, NAPKIN_ISOLATE and NAPKIN_JOBS.")
    }
    var diagnostic = report?.way == .hang ? .hangingJob() : crash
    guard let place else { return diagnostic }
    diagnostic.locate(at: place)
    if let file = place.file, let line = place.line {
      let name = file.split(separator: "/").last ?? "file"
      diagnostic.sourceLocation = SourceLocation(
        fileID: "\(place.module)/\(name)", filePath: file, line: line, column: 1)
    }
    return diagnostic
  }

  private var crash: Diagnostic {
    let signal = report?.signal ?? max(0, -status)
    if report?.way == .exit || status >= 0 {
      return .exit(status: status < 0 ? nil : status)
    }
    guard let message = message(before: signal) else { return .signal(signal, overflows: report?.overflows == true) }
    if message.contains("CONTINUATION MISUSE") {
      return .resumedTwice(by: resumers(of: message), message: message)
    }
    return Diagnostic(
      .crash, "Crash: \(message)", likelyCause: "what the code takes for granted does not hold in this execution.",
      suggestion: "follow the lanes to the last step: it is the one that ends the process.")
  }

  /// The steps that resumed the continuation of the message, before and at the end; empty where only one of them is known.
  ///
  /// The message has the name of the function that waited.
  private func resumers(of message: String) -> [String] {
    guard let log = report?.outcome.log, let last = log.events.last(where: { $0.task != nil }), let task = last.task,
      let function = message.firstMatch(of: #/MISUSE: (.+) tried to resume/#)?.1
    else { return [] }
    let waited = Set(log.events.filter { $0.source?.function == String(function) }.compactMap(\.task))
    let resumptions = waited.compactMap { log.resumption(of: $0) }
    return resumptions.count == 1 ? [resumptions[0], log.words(task, last.step, place)] : []
  }

  /// The first line of the message with which the runtime ends the process; nil for an end that the runtime has no part in.
  ///
  /// Standard error has lines of the code under test before it, which may look the same.
  private func message(before signal: Int) -> String? {
    let start = #/^(.*\.swift:\d+: )?(Fatal error|Precondition failed|Assertion failed|error: data race detected)\b/#
    let access = "Simultaneous accesses to "
    let isolation = "Incorrect actor executor assumption"
    let lines = errors.split(separator: "\n")
    // The signals are SIGILL, SIGTRAP and SIGABRT. A message before a trap may have several lines, before an abort it has one.
    return switch signal {
    case 4, 5: lines.last { $0.contains(start) }.map(String.init)
    case 6 where lines.last?.hasPrefix("Fatal access conflict") == true:
      // The addresses differ from one execution to the next.
      lines.last { $0.hasPrefix(access) }?.split(separator: ", ", maxSplits: 1).last.map { "\(access)an object, \($0)" }
    case 6: lines.last.flatMap { $0.contains(start) || $0.hasPrefix(isolation) ? String($0) : nil }
    default: nil
    }
  }
}

extension Diagnostic {
  /// Adds the place to the first sentence, unless that names the places of two steps.
  fileprivate mutating func locate(at place: SourcePlace) {
    if subject == .resumption, summary.contains(": by ") { return }
    var lines = summary.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines[0].hasSuffix(".") { lines[0].removeLast() }
    lines[0] += ", at \(place.located())."
    summary = lines.joined(separator: "\n")
  }
}
