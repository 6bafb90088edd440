// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Repeats the picks of an earlier execution, and goes on first come, first served when they run out.
final class ReplayStrategy: SchedulingStrategy {
  private let picks: [Choice]
  private var cursor = 0

  /// How many picks were out of reach because fewer jobs were ready than in the recorded execution.
  private(set) var clamped = 0

  private let isHoldingBack: Bool
  // Whether the picks count in the order of arrival, also where ranks are recorded in the other.
  private let countsArrivals: Bool
  private let isLettingTasksCancel: Bool
  // Whether a debugger may stop before each step, as in the replay of a token.
  private let canStop: Bool

  override var holdsBack: Bool { isHoldingBack }
  override var letsTimePass: Bool { true }
  override var letsTasksCancel: Bool { isLettingTasksCancel }
  override var watchesSteps: Bool { canStop }

  /// Repeats picks; where it `holdsBack`, ranks are recorded in the order in which tasks that were passed over stay behind.
  init(
    _ picks: [Choice], holdsBack: Bool = true, countsArrivals: Bool = false, letsTasksCancel: Bool = true,
    canStop: Bool = false
  ) {
    self.picks = picks
    self.canStop = canStop
    isHoldingBack = holdsBack
    self.countsArrivals = countsArrivals
    isLettingTasksCancel = letsTasksCancel
  }

  override func reset() {
    cursor = 0
    clamped = 0
  }

  override func willRun(_ job: borrowing ReadyJob, before ready: borrowing ReadyQueue) {
    var address: UInt = 0
    if job.arrival != .preempted, napkin_job_kind(job.job) == UInt32(napkin_job_task) {
      address = Symbolicator.address(ofResumption: job.job)
    }
    napkin_stop_here(Int64(Scheduler.current?.steps ?? 0), address)
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    var rank = 0
    if cursor < picks.count {
      rank = Int(truncatingIfNeeded: picks[cursor].value)
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
