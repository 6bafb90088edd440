// SPDX-License-Identifier: Apache-2.0

extension Simulation {
  /// How an execution went.
  struct Outcome: Sendable {
    var diagnostics: [Diagnostic] = []
    var steps = 0
    /// The order in which tasks enter each actor, and whether any does; see ``EntryOrder``.
    var scheduleHash: UInt64 = 0
    var hasActors = false
    /// Every decision, for a failed execution only: the others are not looked at again.
    var sequence: ChoiceSequence?
    var log: EventLog?
    var drawn: [String] = []
    /// How often time passed while a task was ready.
    var early = 0
    /// At how many accesses tasks were preempted; nil where no step can be split.
    var preemptions: Int?
    /// Which tasks were cancelled, and when.
    var cancelled: [String] = []
    /// How many choices it met, and how many numbers of a replayed tape were not below their bound.
    var met = 0
    var outOfReach = 0
    /// Whether it ran more jobs than the strategy decides about.
    var hasGoneFair = false
    /// Whether the ranks of the sequence count as a replay counts them.
    var holdsBack = false
    /// How long it took, in real time.
    var duration = Duration.zero
    /// Why the execution is to be discarded, if it is: a generator rejected its draw, so the body had data that it did not ask for.
    var rejection: Diagnostic?
    /// The reasons why the execution proves less than it seems to.
    var warnings: [ExplorationWarning] = []
    /// Whether there was anything to vary.
    var hadChoices = false
    /// Whether it left something to other threads, or they brought something: a replay need not be the same then.
    var isOutOfControl = false
    /// Whether something besides the order of jobs and timers could have been another: a value or a cancellation.
    var hasMoreThanOrder = false
    /// How many tasks wait, now that the body has returned, for what never comes; nil where something else than a task of the
    /// execution could have resumed them.
    var leftWaiting: Int?
    /// Which tasks those are, and where they wait; only of the first execution that has any.
    var waiting: [String] = []
  }
}

extension Simulation.Outcome {
  /// The numbers of an execution and its warnings, without a verdict.
  @inline(__always)
  init(_ execution: SimulatedExecution) {
    let scheduler = execution.scheduler
    steps = scheduler.steps
    scheduleHash = scheduler.order.hash
    hasActors = scheduler.order.hasActors
    preemptions = scheduler.split?.preemptions.count
    met = scheduler.trace.count + execution.tape.recorded.count + (preemptions ?? 0)
    outOfReach = execution.tape.outOfReach
    holdsBack = execution.holdsBack
    warnings = execution.warnings
  }

  /// Adds what is only known of executions that are looked at again: their choices and, where it is kept, their log.
  mutating func add(_ execution: SimulatedExecution) {
    let scheduler = execution.scheduler
    sequence = execution.sequence
    log = scheduler.log?.log
    drawn = execution.drawn
    early = scheduler.early
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

extension Simulation.Outcome: WireValue {
  /// What is as in most executions is left out, since there is one of these for each execution.
  package var json: JSONValue {
    .members([
      "diagnostics": .unlessEmpty(.values(diagnostics)), "steps": .int(steps),
      "hash": .wide(scheduleHash), "sequence": sequence?.json, "log": log?.json, "drawn": .unlessEmpty(.texts(drawn)),
      "early": .unlessZero(early), "cancelled": .unlessEmpty(.texts(cancelled)), "met": .unlessZero(met),
      "outOfReach": .unlessZero(outOfReach), "fair": .ifTrue(hasGoneFair),
      "nanoseconds": .int(Int(duration / .nanoseconds(1))), "rejection": rejection?.json,
      "warnings": .unlessEmpty(.values(warnings)), "hadChoices": .ifTrue(hadChoices),
      "lostControl": .ifTrue(isOutOfControl), "more": .ifTrue(hasMoreThanOrder), "holdsBack": .ifTrue(holdsBack),
      "actors": .ifTrue(hasActors), "leftWaiting": leftWaiting.map { .int($0) },
      "preemptions": preemptions.map { .int($0) },
      "waiting": .unlessEmpty(.texts(waiting)),
    ])
  }

  package init?(_ json: JSONValue) {
    guard let steps = json["steps"]?.int else { return nil }
    self.init()
    self.steps = steps
    diagnostics = (json["diagnostics"] ?? .null).values(as: Diagnostic.self)
    scheduleHash = json["hash"]?.wide ?? 0
    sequence = json["sequence"].flatMap { ChoiceSequence($0) }
    log = json["log"].flatMap { EventLog($0) }
    drawn = json["drawn"]?.texts ?? []
    early = json["early"]?.int ?? 0
    cancelled = json["cancelled"]?.texts ?? []
    met = json["met"]?.int ?? 0
    outOfReach = json["outOfReach"]?.int ?? 0
    hasGoneFair = json["fair"]?.bool ?? false
    duration = .nanoseconds(json["nanoseconds"]?.int ?? 0)
    rejection = json["rejection"].flatMap { Diagnostic($0) }
    warnings = (json["warnings"] ?? .null).values(as: ExplorationWarning.self)
    hadChoices = json["hadChoices"]?.bool ?? false
    isOutOfControl = json["lostControl"]?.bool ?? false
    hasMoreThanOrder = json["more"]?.bool ?? false
    holdsBack = json["holdsBack"]?.bool ?? false
    hasActors = json["actors"]?.bool ?? false
    preemptions = json["preemptions"]?.int
    leftWaiting = json["leftWaiting"]?.int
    waiting = json["waiting"]?.texts ?? []
  }
}

extension JSONValue {
  fileprivate static func unlessEmpty(_ values: JSONValue) -> JSONValue? { values.array == [] ? nil : values }
  fileprivate static func unlessZero(_ value: Int) -> JSONValue? { value == 0 ? nil : .int(value) }
  fileprivate static func ifTrue(_ value: Bool) -> JSONValue? { value ? .bool(true) : nil }
}
