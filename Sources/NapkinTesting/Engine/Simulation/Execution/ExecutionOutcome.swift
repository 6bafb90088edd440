// SPDX-License-Identifier: Apache-2.0

/// How an execution went.
struct ExecutionOutcome: Codable, Sendable {
  var diagnostics: [Diagnostic] = []
  var steps = 0
  /// The order in which tasks enter each actor, and whether any does; see ``EntryOrder``.
  var scheduleHash: UInt64 = 0
  var hasActors = false
  /// Every decision, for a failed execution only: the others are not looked at again.
  var sequence: ChoiceSequence?
  var log: EventLog?
  var drawn: [DrawnValue] = []
  /// At how many accesses tasks were preempted; nil where no step can be split.
  var preemptions: Int?
  /// The tasks that were cancelled, and when.
  var cancelled: [String] = []
  /// How many choices it met, and how many numbers of a replayed tape were not below their bound.
  var met = 0
  var outOfReach = 0
  /// Whether it lost control of a job that was stopped at a call with a lock: it counts for nothing.
  var isLost = false
  /// Whether it ran more jobs than the strategy decides about.
  var hasGoneFair = false
  /// Whether the ranks of the sequence count as a replay counts them.
  var holdsBack = false
  /// How long it took, in real time.
  var duration = Duration.zero
  /// Why the execution is to be discarded, if it is: a generator rejected its draw, so the body had data that it did not ask for.
  var rejection: Diagnostic?
  /// The reasons why the execution proves less than it seems to.
  var warnings: [Diagnostic] = []
  /// The labels of the execution, and the goals that it came by.
  var labels = ExecutionLabels()
  /// The order of answers, where it was looked at, and the awaited calls of which something is new.
  var answers: AnswerTally?
  var awaits: [AwaitedCall] = []
  /// Whether there was anything to vary.
  var hadChoices = false
  /// Whether it left something to other threads, or they brought something: a replay need not be the same then.
  var isOutOfControl = false
  /// Whether something besides the order of jobs and timers could have been another: a value or a cancellation.
  var hasMoreThanOrder = false
  /// How many tasks wait for ever, now that the body has returned; nil where something else than a task of the
  /// execution could have resumed them.
  var leftWaiting: Int?
  /// The names of these tasks, and where they wait; only of the first execution that has any.
  var waiting: [String] = []
}

extension ExecutionOutcome {
  /// Whether it looks like a deadlock.
  var isStuck: Bool { diagnostics.contains { $0.kind == .deadlock } }

  /// The numbers of an execution and its warnings, without a verdict.
  @inline(__always)
  init(_ execution: SimulatedExecution) {
    let scheduler = execution.scheduler
    steps = scheduler.steps
    scheduleHash = scheduler.order.hash
    hasActors = scheduler.order.hasActors
    preemptions = scheduler.halfRun?.preemptions.count
    met = scheduler.trace.count + execution.tape.recorded.count + (preemptions ?? 0)
    outOfReach = execution.tape.outOfReach
    holdsBack = execution.holdsBack
    warnings = execution.warnings
    labels = execution.labels
    answers = scheduler.answers?.result
    awaits = AwaitTable.take(after: scheduler)
  }

  /// Adds the choices and, where it is kept, the log, which only executions that are looked at again have.
  mutating func add(_ execution: SimulatedExecution) {
    let scheduler = execution.scheduler
    sequence = execution.sequence
    log = scheduler.log?.log
    drawn = execution.drawn
    cancelled = scheduler.cancelled.map { task, step in
      "\(scheduler.log?.log.title(ofTask: task) ?? "task \(task)"), after step \(step)"
    }
  }

  /// An execution that does not come to its end.
  init(cutShort execution: SimulatedExecution) {
    self.init(execution)
    hadChoices = true
    add(execution)
  }
}

extension SimulatedExecution {
  /// How the body of an execution ended.
  enum Ending {
    case returned, deadlock, livelock, straggler, outOfTime, sleepElsewhere, stuck, deaf
    case threw(any Error)

    /// Whether every task of the body had its chance to end.
    var isOrderly: Bool {
      switch self {
      case .returned, .threw: true
      case .deadlock, .livelock, .straggler, .outOfTime, .sleepElsewhere, .stuck, .deaf: false
      }
    }
  }
}
