// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The steps of a replay before which a debugger may stop: `NAPKIN_STOP=3@Account.swift:12,5`, with the lines of those that have one.
///
/// Before each of them the replay calls `napkin_stop_here(step, address)`, which does nothing. A debugger with a breakpoint
/// there sets another one at the address where the task goes on in that line; if that is zero, at the line itself.
package struct DebuggerStops: Sendable, Equatable {
  /// A step to stop at.
  package struct Stop: Sendable, Equatable, CustomStringConvertible {
    package let step: Int
    /// The file and the line, such as `Account.swift:12`; nil where they are not known.
    package let line: String?

    package init(step: Int, line: String?) { (self.step, self.line) = (step, line) }

    /// The step as the variable has it.
    package var description: String { "\(step)" + (line.map { "@\($0)" } ?? "") }
  }

  package let stops: [Stop]

  init() { stops = [] }

  /// Reads steps with commas between; nil where one of them cannot be read.
  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    stops = parts.compactMap { part in
      let words = part.split(separator: "@", maxSplits: 1).map(String.init)
      guard let step = words.first.flatMap({ Int($0) }), step > 0 else { return nil }
      return Stop(step: step, line: words.dropFirst().first)
    }
    if stops.count < parts.count { return nil }
  }

  /// Whether this process is to stop anywhere.
  package static let areAsked = !(Environment["NAPKIN_STOP"] ?? "").isEmpty

  /// Lets a debugger stop before a step, if it is one of these.
  func willRun(_ job: borrowing ReadyJob, step: Int) {
    guard let index = stops.firstIndex(where: { $0.step == step }) else { return }
    var address: UInt = 0
    if job.arrival != .preempted, napkin_job_kind(job.job) == UInt32(napkin_job_task) {
      address = Symbolicator.address(ofResumption: job.job, at: stops[index].line)
    }
    napkin_stop_here(Int64(step), address)
  }
}
