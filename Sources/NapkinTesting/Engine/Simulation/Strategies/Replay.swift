// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Repeats the picks of an earlier execution, and goes on first come, first served when they run out.
final class ReplayStrategy: SchedulingStrategy {
  private let sequence: ChoiceSequence
  private var cursor = 0

  /// How many picks were out of reach because fewer jobs were ready than in the recorded execution.
  private(set) var clamped = 0

  // Whether the picks count in the order of arrival, also where ranks are recorded in the other.
  private let countsArrivals: Bool

  /// Repeats the picks of a sequence; a debugger may stop before each step if the strategy watches steps.
  init(_ sequence: ChoiceSequence, _ options: Options = .holdsBack, countsArrivals: Bool = false) {
    self.sequence = sequence
    self.countsArrivals = countsArrivals
    super.init(options.union(.letsTimePass))
  }

  override func begin(seed: SplitMix64) -> ChoiceSequence? { sequence }

  override func willRun(_ job: ReadyJob?, before ready: borrowing ReadyQueue) {
    guard let job else { return }
    var address: UInt = 0
    if job.arrival != .preempted, napkin_job_kind(job.job) == UInt32(napkin_job_task) {
      address = Symbolicator.address(ofResumption: job.job)
    }
    napkin_stop_here(Int64(Scheduler.current?.steps ?? 0), address)
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    var rank = 0
    if cursor < sequence.schedule.count {
      rank = Int(truncatingIfNeeded: sequence.schedule[cursor].value)
      cursor += 1
      if rank > ready.lastRank { clamped += 1 }
      rank = min(rank, ready.lastRank)
    }
    return countsArrivals && rank < ready.count ? self.rank(ofArrival: rank, ready) : rank
  }

  private func rank(ofArrival number: Int, _ ready: borrowing ReadyQueue) -> Int {
    let orders = (0..<ready.count).map { ready[$0].order }
    return orders.indices.sorted { orders[$0] < orders[$1] }[number]
  }
}
