// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The knowledge that the executions of an exploration leave for those that follow.
@MainActor
final class ExecutionHistory {
  let preemptions = PreemptionPlan()
  let outside = OutsideWait()
  @exclusivity(unchecked) private var answers = AnswerWatch()
  private lazy var awaits = AwaitTable()

  // The most jobs that an execution had, and the most times that one could let time pass while a task was ready.
  @exclusivity(unchecked) private var longest = 0
  @exclusivity(unchecked) private var mostEarlyTimers = 0

  /// Whether the tasks have been named that an execution left waiting.
  var hasNamedWaiting = false

  /// Whether a body has cancelled the test.
  private(set) var cancelsTest = false

  nonisolated init() {}

  /// Completes the request for an execution that begins.
  func begin(_ request: ExecutionRequest, of explorer: Explorer) {
    let (tape, number) = (request.tape, request.number)
    (request.steps, request.cancels) = (explorer.steps, explorer.cancels)
    request.busyTime = explorer.busyTime?.wholeNanoseconds ?? .max
    if explorer.strategy.drawsTime {
      request.earlyTimers = EarlyTimers(seed: explorer.seed, execution: number, expecting: mostEarlyTimers)
    }
    if explorer.cancels || tape.hasCancellations {
      let random = SplitMix64(seed: ~explorer.seed, index: UInt64(number))
      request.cancellation = AimedCancellation(tape: tape, random: random, steps: longest)
    }
    request.readiness?.removeAll()
    request.namesWaiting = !hasNamedWaiting
    request.halfRun = preemptions.begin(tape, explorer, number)
    watchAnswers(request, explorer)
    outside.begin()
  }

  private func watchAnswers(_ request: ExecutionRequest, _ explorer: Explorer) {
    // A step that is stopped moves calls and answers, which says nothing of a network.
    let isOn = answers.isOn(isExhaustive: explorer.strategy.isExhaustive)
    guard request.halfRun == nil || Instrumentation.splitsSteps else { return }
    request.looksAtAnswers = isOn
    // A repetition is not counted, nor what it finds.
    guard answers.looksAtAwaits, !(request.strategy is ReplayStrategy) else { return }
    request.awaits = awaits
    request.looksAtAwaits = napkin_begin_awaits(awaits.inC)
  }

  /// Learns from an execution that is over.
  func end(_ execution: SimulatedExecution, _ ending: SimulatedExecution.Ending, _ outcome: ExecutionOutcome) {
    let scheduler = execution.scheduler
    // A lost one is run again.
    if !outcome.isLost {
      let lesson = scheduler.order.isLesson ? execution.lesson : nil
      execution.request.strategy.end(choices: scheduler.picks, lesson: lesson)
    }
    longest = max(longest, scheduler.steps)
    mostEarlyTimers = max(mostEarlyTimers, scheduler.earlyTimers.met)
    preemptions.end(scheduler)
    answers.add(outcome.answers, schedule: outcome.scheduleHash)
    if case .threw(let error) = ending { cancelsTest = cancelsTest || IssueCapture.cancelsTest(error) }
  }
}

/// The accesses that an exploration knows of, and where it preempts the tasks of its executions.
///
/// The C functions look at the accesses of one execution at a time, so an execution whose steps are split begins when no other one
/// is under way.
@MainActor
final class PreemptionPlan {
  // The plan whose execution is under way, and the explorations that wait for its end.
  private static var running: PreemptionPlan?
  private static var waiting: [CheckedContinuation<Void, Never>] = []

  // The executions that were discarded, since a step that was stopped had a lock; from a number of them on no step is stopped.
  private var lost = 0
  private static let mostLost = 200

  /// The warning that no step is stopped any more.
  var warning: Diagnostic? { lost < Self.mostLost ? nil : .stopsNoMore }

  private let aimed = AimedPreemptions()
  private var learns = false
  private var isAimed = false

  nonisolated init() {}

  /// Whether another execution is under way: its exploration waits for other threads, and the main actor is free.
  var hasToWait: Bool { Self.running != nil && Self.running !== self && Scheduler.current == nil }

  /// Waits until an execution whose steps are split may begin.
  func waitToBegin() async {
    while hasToWait { await withCheckedContinuation { Self.waiting.append($0) } }
  }

  /// The half-run jobs of an execution that begins, which is preempted at random, or where a replayed one was; nil where each
  /// job runs to its end.
  ///
  /// An execution inside another one runs each job to its end.
  func begin(_ tape: ChoiceTape, _ explorer: Explorer, _ number: Int) -> HalfRunJobs? {
    guard Scheduler.current == nil else { return nil }
    (learns, isAimed) = (false, false)
    var points = tape.preemptions.map { Preemption($0).point }
    let isDrawn = tape.isRandom && points.isEmpty && explorer.strategy.drawsTime
    let stops = !points.isEmpty || isDrawn && explorer.strategy.stopsAtCalls && AimedPreemptions.stops(in: number)
    guard Instrumentation.splitsSteps || Instrumentation.stopsAtCalls && stops && lost < Self.mostLost else {
      return nil
    }
    precondition(!hasToWait, "two executions have their steps split")
    if isDrawn {
      isAimed = true
      (points, learns) = aimed.begin(seed: SplitMix64(seed: explorer.seed &* 3 &+ 1, index: UInt64(number)))
    }
    Scheduler.takeHalfRun()
    guard let counts = points.withUnsafeBufferPointer({ napkin_make_split($0.baseAddress, $0.count) }) else {
      return nil
    }
    if Instrumentation.splitsSteps { Self.running = self }
    return HalfRunJobs(counts)
  }

  /// Looks at accesses from now on, once all is made that the execution needs: its own are none of the engine's.
  func beginAccesses(of execution: SimulatedExecution) {
    guard let halfRun = execution.scheduler.halfRun else { return }
    napkin_begin_accesses(halfRun.counts, learns, Instrumentation.reports?.seesMutexes ?? false, execution.isLogged)
  }

  /// Learns from the execution that has ended, and discards the jobs that are half-run.
  func end(_ scheduler: Scheduler) {
    guard let halfRun = scheduler.halfRun else { return }
    halfRun.discard()
    if halfRun.isLost {
      lost += 1
      // Nothing is learned of it, so that it is the same when it is run again.
      if isAimed { aimed.takeBack() }
      learns = false
    }
    napkin_end_accesses()
    aimed.end(halfRun.counts, tasks: scheduler.numbers.count, hasLearned: learns)
    if Self.running === self { Self.running = nil }
    for waiting in Self.waiting { waiting.resume() }
    Self.waiting = []
  }
}
