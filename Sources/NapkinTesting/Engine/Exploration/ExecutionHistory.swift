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

  private var hasNamedWaiting = false

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
    request.halfRun = preemptions.begin(tape, explorer, number, isLogged: request.log != nil)
    watchAnswers(request, explorer)
    outside.begin()
  }

  private func watchAnswers(_ request: ExecutionRequest, _ explorer: Explorer) {
    // A step that is stopped moves calls and answers, which says nothing of a network.
    let isOn = answers.isOn(isExhaustive: explorer.strategy.isExhaustive)
    guard request.halfRun == nil || Instrumentation.splitsSteps else { return }
    if isOn { request.answers = AnswerOrder(main: napkin_main_executor().identity) }
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
    hasNamedWaiting = hasNamedWaiting || !outcome.waiting.isEmpty
    if case .threw(let error) = ending { cancelsTest = cancelsTest || IssueCapture.cancelsTest(error) }
  }
}
