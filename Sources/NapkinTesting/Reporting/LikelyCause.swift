// SPDX-License-Identifier: Apache-2.0

/// The reason why an execution failed, as far as its choices say, and the remedy.
///
/// The cause that is named was seen: the order of the tasks is not blamed where another order fails as well.
enum LikelyCause {
  /// The time of the execution at which a timeout has ended it.
  case timeout(Duration)
  /// Time passes in the middle of work: how much, and which tasks are ready, for each time.
  case earlyTime([String])
  /// A task is cancelled, with this number of deviations from FIFO order.
  case cancellation(deviations: Int)
  /// This number of preemptions in the middle of a step, or of stops at calls of the runtime.
  case preemption(Int)
  case stop(Int)
  /// This number of deviations from FIFO order.
  case order(deviations: Int)
  /// The order in which whole tasks run.
  case orderOfTasks
  /// FIFO order alternates between the tasks, and the failure needs that.
  case interleaving
  /// The order of two steps, which FIFO order has, too, with drawn values or without.
  case orderInFIFO(isDrawn: Bool)
  /// Drawn values, or nothing that was varied: it fails in FIFO order, and also without interleaving, if so it says.
  case data(failsToCompletion: Bool)
  case logic(failsToCompletion: Bool)

  init(of failure: Exploration.Failure) {
    let cancelled = failure.sequence.cancellation.deviations
    let preempted = failure.sequence.preemption.deviations
    let deviations = failure.sequence.deviations - cancelled
    if failure.explanation.isDecisive(.time) {
      self = .earlyTime(failure.log.earlyTimes)
    } else if let timeout = Self.timeout(of: failure) {
      self = .timeout(timeout)
    } else if cancelled > 0 || failure.needsCancelling {
      self = .cancellation(deviations: deviations)
    } else if preempted > 0 {
      self = Instrumentation.splitsSteps ? .preemption(preempted) : .stop(preempted)
    } else if deviations > 0 {
      self = failure.needsInterleaving ? .order(deviations: deviations) : .orderOfTasks
    } else if failure.needsInterleaving, failure.log.hasChoices {
      // FIFO order alternates between ready tasks, so a failure without a deviation can still be a race.
      self = .interleaving
    } else if failure.decisivePair != nil {
      // A draw that has shrunk to its simplest value leads to nothing.
      self = .orderInFIFO(isDrawn: failure.sequence.data.contains { $0.value != 0 })
    } else if !failure.sequence.data.isEmpty {
      self = .data(failsToCompletion: !failure.needsInterleaving)
    } else {
      self = .logic(failsToCompletion: !failure.needsInterleaving)
    }
  }

  /// When a timeout ended the body, going by the name of the error that the body threw; nil if none did.
  private static func timeout(of failure: Exploration.Failure) -> Duration? {
    guard let first = failure.diagnostics.first, case .thrownError(let type) = first.kind,
      let end = failure.log.events.last?.time, end > .zero
    else { return nil }
    let name = "\(type) \(first.summary)".lowercased()
    return ["timeout", "timedout", "timed out", "deadline"].contains(where: name.contains) ? end : nil
  }

  /// The rest of a sentence that begins with "Likely cause:".
  var text: String {
    switch self {
    case .timeout(let time):
      "time: a timeout ends after \(time.brief), and what it limits has not."
    case .earlyTime(let times):
      """
      time: \(times.listed(limit: 2)) (◆), as on a machine that is slow or busy, so a sleep or a timeout ends in the middle \
      of work.
      """
    case .cancellation(0):
      "a task is cancelled at a moment that it is not prepared for."
    case .cancellation(let deviations):
      """
      a task is cancelled at a moment that it is not prepared for, in an order of the tasks that deviates from \
      FIFO order \(Self.places(deviations)).
      """
    case .preemption(let count):
      "other tasks run in the middle of a step, which is preempted \(Self.places(count))."
    case .stop(let count):
      "other tasks run before the line after a call, where a step is stopped \(Self.places(count)), as on threads."
    case .order(let deviations):
      "the outcome depends on the order of the tasks, which deviates from FIFO order \(Self.places(deviations))."
    case .orderOfTasks:
      """
      the order of the tasks, but not how they interleave: it fails even when each task runs as far as it can before \
      the next one does.
      """
    case .interleaving:
      "the tasks interleave at their suspension points. The default (FIFO) order is enough to trigger the failure."
    case .orderInFIFO(true):
      "the order of the steps that are marked (▶), to which what was drawn, such as a latency, leads."
    case .orderInFIFO(false):
      "the order of the steps that are marked (▶), which they have in FIFO order, too."
    case .data(true):
      """
      what was drawn: with it the execution fails in FIFO order, and when each task runs as far as it can before the \
      next one does.
      """
    case .data(false):
      "what was drawn: with it the execution fails in FIFO order."
    case .logic(true):
      "not the order of the tasks: it fails even when each task runs as far as it can before the next one does."
    case .logic(false):
      "not the order of the tasks: it fails in FIFO order, too."
    }
  }

  /// The rest of a sentence that begins with "What to do:".
  var remedy: String {
    switch self {
    case .timeout:
      "see in the lanes what still waits when time passes: it takes longer than the timeout, or is never resumed."
    case .earlyTime:
      "look at what is half done when the sleep or the timeout ends, and finish or undo that."
    case .cancellation:
      "look at what the cancelled task leaves half done, and finish or undo that when it is cancelled."
    case .preemption:
      """
      find what the preempted task has read, or half written, at that line (◆), and what the others do to it before it \
      goes on; keep one lock for as long as both belong together.
      """
    case .stop:
      """
      look at what follows the call at that line (◆): the task that the call has started, resumed or cancelled does not \
      wait for it. Do it before the call, or let that task wait.
      """
    case .order:
      "follow the lanes from the first ◆: \(Self.race)"
    case .orderOfTasks:
      "find a task that relies on another one having begun, or not having ended, before it."
    case .interleaving:
      Self.race
    case .orderInFIFO:
      "look at the two steps (▶): the second acts on what it knew before the first, and does not look again."
    case .data, .logic:
      "replay it in a debugger: no special order is needed."
    }
  }

  private static func places(_ count: Int) -> String { count == 1 ? "in one place (◆)" : "in \(count) places (◆)" }

  private static let race =
    "find a task that reads state, suspends, and then acts on what it read. Another task ran in between."
}

extension EventLog {
  /// Words for each time that time passes in the middle of work.
  fileprivate var earlyTimes: [String] {
    events.compactMap { if case .timePassed = $0.kind { $0.words(in: self) } else { nil } }
  }

  /// Whether several tasks were ready at once.
  fileprivate var hasChoices: Bool {
    events.contains { if case .ran(_, _, let ready) = $0.kind { ready > 1 } else { false } }
  }
}
