// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization
internal import Testing

/// All that one execution is made of: its choices, its limits, and what is looked at in it.
///
/// A reference, since each copy of its parts would count a dozen of them.
final class ExecutionRequest {
  let strategy: SchedulingStrategy
  let tape: ChoiceTape
  /// The number of the execution, counted from one.
  let number: Int

  /// The most jobs of any execution, and of this one.
  @exclusivity(unchecked) var steps = Int.max
  @exclusivity(unchecked) var mostSteps = Int.max
  /// The virtual time that may pass while a task is ready, in nanoseconds: less than this.
  @exclusivity(unchecked) var busyTime = Int64.max
  /// How many seconds a job may run until it counts as a hang, where that is not the usual time.
  @exclusivity(unchecked) var hangTimeout: Int?
  /// The real time after which it is cut short; nil for an execution that runs again.
  @exclusivity(unchecked) var timeLeft: Duration?
  @exclusivity(unchecked) var earlyTimers = EarlyTimers.none
  /// Whether tasks are cancelled, and where one is.
  @exclusivity(unchecked) var cancels = false
  @exclusivity(unchecked) var cancellation: AimedCancellation?
  @exclusivity(unchecked) var halfRun: HalfRunJobs?

  @exclusivity(unchecked) var log: SchedulerLog?
  @exclusivity(unchecked) var readiness: Readiness?
  /// Whether the order of answers is looked at.
  @exclusivity(unchecked) var looksAtAnswers = false
  /// The table of awaited calls, and whether the steps are looked at for it.
  @exclusivity(unchecked) var awaits: AwaitTable?
  @exclusivity(unchecked) var looksAtAwaits = false
  /// Whether its choices are kept, though it may pass.
  @exclusivity(unchecked) var keepsChoices = false
  /// Whether the tasks are named that it leaves waiting.
  @exclusivity(unchecked) var namesWaiting = false
  /// Whether no report shows it; and whether its output and its attachments are let through, as of one execution of an
  /// exploration.
  @exclusivity(unchecked) var isHidden = false
  @exclusivity(unchecked) var isShown = false
  /// Whether its output is held back.
  @exclusivity(unchecked) var holdsOutput = false

  init(under strategy: SchedulingStrategy, drawingFrom tape: ChoiceTape = ChoiceTape(), number: Int = 0) {
    self.strategy = strategy
    self.tape = tape
    self.number = number
  }
}

/// One execution under control, from its first job to its verdict: made complete, run once, and dropped.
///
/// Its body draws data here and writes its notes.
final class SimulatedExecution: ExecutionScope, @unchecked Sendable {
  // Touched by the exploring thread alone, which is where `CurrentExecution.scope` hands it out.
  let request: ExecutionRequest
  let scheduler: Scheduler
  let inbox = Inbox()
  let body = BodyState()
  /// The waits for other threads, of all executions of the exploration.
  let outside: OutsideWait
  let start = Stopwatch()
  /// How many jobs it may run, and how the body ended, once it has and the tasks that it left behind run on.
  @exclusivity(unchecked) var stepLimit: Int
  @exclusivity(unchecked) var ending: Ending?
  @exclusivity(unchecked) var hasStarted = false
  /// The tape of the request, which is asked for a dozen times.
  let tape: ChoiceTape

  /// The rules that were broken.
  private var broken: [Diagnostic] = []

  // An issue may come from another thread, where the exploration has lost control.
  private let heard = Mutex<[HeardIssue]>([])
  private let hasUnknownThread = Atomic(false)

  /// Whether an issue came from a thread that is not known to work for an execution, so that a replay may lack it.
  var hearsUnknownThread: Bool { hasUnknownThread.load(ordering: .acquiring) }

  /// The rules that were broken, then the issues that were recorded.
  var diagnostics: [Diagnostic] { broken + heard.withLock { $0 }.filter(\.isFailure).map { Diagnostic($0) } }

  func hear(_ issue: HeardIssue) {
    var issue = issue
    if issue.isFailure, issue.expectsNil { issue.add(unendedTasks) }
    heard.withLock { $0.append(issue) }
    if CurrentExecution.known == nil { hasUnknownThread.store(true, ordering: .releasing) }
    guard let log = scheduler.log, napkin_is_exploring_thread() else { return }
    Instrumentation.uncounted {
      let line = issue.sourceLocation.map { "\($0.fileName):\($0.line)" }
      log.append(
        issue.isFailure ? .issue(issue.text) : .note(issue.text), line: line, path: issue.sourceLocation?.filePath)
    }
  }

  /// The reasons for which the execution proves less than it seems to: the kit's own, then the warnings that were recorded.
  var warnings: [Diagnostic] {
    scheduler.warnings + heard.withLock { $0 }.filter { !$0.isFailure }.map(\.warning)
  }

  private var endings: [@Sendable () -> Void] = []

  func whenOver(_ action: @escaping @Sendable () -> Void) { endings.append(action) }

  /// The rules that tasks break which go on though they were cancelled, and whether one did.
  var judges: [@Sendable (Set<UInt64>) -> Bool] = []
  var hasDeafTask = false

  func whenTasksGoOn(_ judge: @escaping @Sendable (Set<UInt64>) -> Bool) { judges.append(judge) }

  /// Called once, when no job of the execution runs any more.
  func end() {
    for ending in endings { ending() }
    (endings, judges) = ([], [])
  }

  var hasFailed: Bool { !broken.isEmpty }

  /// The drawn values, for the failure's messages.
  private(set) var drawn: [DrawnValue] = []

  /// Whether its output and its attachments are let through.
  var isShown: Bool { request.isShown }

  /// Whether the ranks of its decisions count as a replay counts them.
  let holdsBack: Bool

  init(_ request: ExecutionRequest, waitingBy outside: OutsideWait) {
    self.request = request
    tape = request.tape
    self.outside = outside
    stepLimit = min(request.steps, request.mostSteps)
    scheduler = Scheduler(request, inbox)
    holdsBack = scheduler.holdsBack
    scheduler.inC.pointee.execution = Unmanaged.passUnretained(self).toOpaque()
    inbox.serve(self)
  }

  /// Every decision so far.
  var sequence: ChoiceSequence {
    var sequence = tape.recorded
    sequence.schedule = scheduler.trace.choices
    sequence.preemption = (scheduler.halfRun?.preemptions ?? []).map { Choice(value: $0, bound: Choice.unlimited) }
    return sequence
  }

  var isSimulated: Bool { true }
  var runsWholeSteps: Bool { scheduler.halfRun?.isWhole ?? true }

  func note(_ text: @autoclosure () -> String) {
    guard let log = scheduler.log else { return }
    Instrumentation.uncounted { log.append(.note(text())) }
  }

  var isLogged: Bool { scheduler.log != nil }

  func log(_ kind: Event.Kind, line: String?) {
    guard let log = scheduler.log else { return }
    Instrumentation.uncounted { log.append(kind, line: line) }
  }

  // The one place where the kit yields: the job that comes of it is the scheduler's, not the thread pool's.
  nonisolated(nonsending) func schedulingPoint() async { await Task.yield() }

  nonisolated(nonsending) func quiescence() async {
    // Unchecked, since an execution that is discarded never resumes it, and that is no fault of the test's.
    await withUnsafeContinuation { scheduler.resumeAtRest($0) }
  }

  func letThreadsRun() -> Bool {
    let meetsImages = scheduler.otherImages?.names.isEmpty == false
    guard napkin_has_left_something() || hearsUnknownThread || meetsImages else { return false }
    napkin_await_ring(napkin_rings(), Duration.milliseconds(1).wholeNanoseconds)
    return true
  }

  nonisolated(nonsending) func letTimePass(seconds: Int) async {
    try? await Execution.clock.sleep(for: .seconds(seconds))
  }

  func fail(_ diagnostic: Diagnostic) {
    guard broken.count < Diagnostic.mostBrokenRules, !broken.contains(diagnostic) else { return }
    if let log = scheduler.log { Instrumentation.uncounted { log.append(.issue(diagnostic.description)) } }
    broken.append(diagnostic)
  }

  /// How close the execution came to the target of the test, if that has one.
  private(set) var score: Double?

  func target(_ score: Double) {
    if score > self.score ?? -.infinity { self.score = score }
  }

  private(set) var labels = ExecutionLabels()

  func label(_ name: String) {
    labels.add(name)
    scheduler.order.show(label: name, isMet: true)
  }

  func countAction(_ action: Int, isSkipped: Bool) { labels.actions.count(action, isSkipped: isSkipped) }

  func reach(_ goal: Goal, isMet: Bool) {
    labels.add(goal, isMet: isMet)
    scheduler.order.show(label: goal.name, isMet: isMet)
  }

  func delayAnswers<A: Actor>(of actor: A, within longest: Duration) {
    let executor = unsafeBitCast(actor.unownedExecutor, to: napkin_executor.self)
    scheduler.lateAnswers = scheduler.lateAnswers ?? LateAnswers()
    scheduler.lateAnswers?.add(actor, at: executor.identity, within: longest)
  }

  func delayAnswers(ofAll type: any Actor.Type, within longest: Duration) {
    scheduler.lateAnswers = scheduler.lateAnswers ?? LateAnswers()
    scheduler.lateAnswers?.add(type, within: longest)
  }

  /// The lesson of the execution for a strategy that learns.
  var lesson: Lesson {
    Lesson(
      features: scheduler.order.features, picks: scheduler.order.picked, data: tape.recorded.data, score: score)
  }

  func warn(_ warning: Diagnostic) { scheduler.warn(warning) }

  func draw<Value>(_ generator: Gen<Value>, _ label: String?, words: (Value) -> String) -> Value {
    tape.beginSpan(.draw)
    let value = generator.draw(from: tape)
    tape.endSpan(isDiscarded: false)
    // Only an execution that is shown is put into words: a description can cost more than the draw.
    guard isLogged else { return value }
    Instrumentation.uncounted {
      let text = words(value)
      drawn.append(DrawnValue(label: label, text: text))
      scheduler.log?.append(.drew(label: label, value: text))
    }
    return value
  }
}

/// A value that a body drew, in words.
struct DrawnValue: Codable, Sendable, CustomStringConvertible {
  let label: String?
  let text: String

  var description: String { label.map { "\($0) = \(text)" } ?? text }
}
