// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import NapkinTestingCRuntime
internal import Synchronization

/// Finds out, once a process and before its first execution, which parts of Swift's runtime can be controlled in it.
///
/// Each stage is tried with a small task. Without the first ones no exploration can be run, so none is: each reports one
/// issue. Without one of the others explorations prove less, and say so. `NAPKIN_SELF_TEST=1` prints every stage.
@MainActor
package enum SelfTest {
  /// The stages, in the order in which they are tried.
  package enum Stage: String, Sendable {
    case hooks = "the runtime's hooks are this package's"
    case tasks = "a new task is handed over to the exploration"
    case mainActor = "a hop to the main actor is handed over"
    case clocks = "the standard clocks show the time of the execution"
    case hops = "hops between actors are scheduling points"
    case queues = "the first job in an actor's queue is known"
    case waits = "yields and sleeps are handed over"
    case outside = "a task that another thread resumes comes back"
    case realWaits = "a yield or a sleep of another image is distinguished from a wait for ever"
    case issues = "an issue in a test case of XCTest comes to its execution"

    /// Whether explorations make no sense without it.
    fileprivate var isRequired: Bool { [.hooks, .tasks, .mainActor].contains(self) }
  }

  /// The result of a stage.
  package struct Finding: Sendable {
    package let stage: Stage
    /// The observation that contradicts the stage; nil where it passed.
    package let reason: String?
  }

  /// A way to suspend that has to reach the scheduler.
  package struct Wait: Sendable {
    let name: String
    let body: @Sendable () async -> Void

    package init(_ name: String, _ body: @escaping @Sendable () async -> Void) {
      self.name = name
      self.body = body
    }

    /// Swift's own ways, each of which lasts a millisecond of real time at most where it is not taken.
    package static let all = [
      Wait("Task.yield()") { await Task.yield() },
      Wait("Task.sleep(nanoseconds:)") { try? await Task.sleep(nanoseconds: 1_000_000) },
      Wait("Task.sleep(for:)") { try? await Task.sleep(for: .milliseconds(1)) },
      Wait("ContinuousClock.sleep(until:)") {
        try? await ContinuousClock().sleep(until: .now + .milliseconds(1), tolerance: nil)
      },
    ]
  }

  /// Every stage that was tried.
  package private(set) static var findings: [Finding] = []
  /// Whether a report can distinguish tasks that wait from tasks that have ended.
  private(set) static var knowsCompletion = false
  private static var isDone = false

  // The time that a task that got away may take to end, for all of a stage. It must not run into the first execution.
  static let limit = Duration.seconds(2)
  // The time after which another thread is taken for one that does not come: on a busy machine a late task says nothing.
  private static let timeout = Duration.seconds(30)

  /// Tries every stage, unless that was done before.
  ///
  /// - Parameters:
  ///   - waits: The ways to suspend that have to reach the scheduler.
  ///   - misreadsTasks: Looks for the wrong words of a task, to see that the stage of hops fails.
  ///   - interfere: Runs after everything was taken, in place of another library that sets its own.
  package static func run(
    waits: [Wait] = Wait.all, misreadsTasks: Bool = false, after interfere: () -> Void = {}
  ) {
    guard !isDone else { return }
    isDone = true
    let inbox = Inbox()
    let scheduler = Scheduler(ExecutionRequest(under: FIFOStrategy()), inbox)
    let isOrderly = scheduler.control(inbox) {
      interfere()
      guard takesTasks(scheduler), takesMainActor(scheduler, misreadsTasks) else { return false }
      note(.clocks, clocksShowSimulatedTime() ? nil : "they go on in real time")
      note(.hops, takesHops(scheduler) ? nil : "the runtime keeps its tasks in another way")
      if napkin_takes_hops() {
        probeQueue(of: Probed(), on: scheduler)
        note(.queues, napkin_knows_queues() ? nil : "the runtime keeps its actors in another way")
      }
      let isOrderly = look(at: waits, scheduler, inbox)
      return Seam.isByHooks ? learnRealWaits(scheduler, inbox) && isOrderly : isOrderly
    }
    if !isOrderly { AbandonedTasks.add(scheduler.numbers.ids) }
    switch XCTestBridge.place {
    case .ours: note(.issues, nil)
    case .notNeeded: break
    case .others(let reason): note(.issues, reason)
    }
    printFindings()
  }

  static func note(_ stage: Stage, _ reason: String?) {
    findings.append(Finding(stage: stage, reason: reason))
  }

  private static func takesTasks(_ scheduler: Scheduler) -> Bool {
    if Seam.isByHooks {
      let isOurs = napkin_holds_hooks()
      note(.hooks, isOurs ? nil : "the runtime has none, or another library has set its own")
      guard isOurs else { return false }
    }
    let signal = start(on: scheduler) {}
    let isTaken = signal.cameHere
    // Elsewhere it needs no thread but its own.
    if !isTaken { _ = signal.comes(until: Stopwatch.now + limit) }
    note(.tasks, isTaken ? nil : "the runtime ran it, or left it to an executor of another library")
    return isTaken
  }

  /// Hops to the main actor, and compares the words that the runtime stored in the task with the words that the C file expects.
  private static func takesMainActor(_ scheduler: Scheduler, _ misreads: Bool) -> Bool {
    napkin_begin_probe(misreads)
    scheduler.isProbing = true
    defer { scheduler.isProbing = false }
    let signal = Signal()
    let task = Task { @concurrent in await MainActor.run { signal.send() } }
    _ = scheduler.runReady(limit: 100)
    note(.mainActor, signal.cameHere ? nil : "the main actor belongs to an executor of another library")
    guard signal.cameHere else { return false }
    knowsCompletion = napkin_learn_completion(unsafeBitCast(task, to: UnsafeMutableRawPointer.self))
    extendLifetime(task)
    return true
  }

  /// Parks a task at a hop and lets it go on; hops stay the runtime's if it does not come to its end.
  private static func takesHops(_ scheduler: Scheduler) -> Bool {
    guard napkin_takes_hops() else { return false }
    let signal = start(on: scheduler) { await MainActor.run {} }
    if !signal.cameHere { napkin_leave_hops() }
    return signal.cameHere
  }

  /// Starts a task that does something and sends a signal, and runs the jobs that are ready then.
  private static func start(on scheduler: Scheduler, _ body: @escaping @Sendable () async -> Void) -> Signal {
    let signal = Signal()
    Task { @concurrent in
      await body()
      signal.send()
    }
    _ = scheduler.runReady(limit: 100)
    return signal
  }

  private static func clocksShowSimulatedTime() -> Bool {
    let start = ContinuousClock.now
    napkin_set_time(3_600_000_000_000)
    defer { napkin_set_time(0) }
    return start.duration(to: .now) == .seconds(3_600)
  }

  private actor Probed {
    private var met = 0
    // Something is to be done there, or an optimised build does not go there at all.
    @inline(never) func meet() { met += 1 }
  }

  /// Sends two tasks to an actor and compares its queue with the one that the C file reads.
  private static func probeQueue(of actor: Probed, on scheduler: Scheduler) {
    for _ in 0..<2 {
      Task { @concurrent in
        await actor.meet()
        await MainActor.run {}
      }
    }
    scheduler.probeQueue()
  }

  /// Waits in each way, and for another thread; whether every task has come to its end.
  private static func look(at waits: [Wait], _ scheduler: Scheduler, _ inbox: Inbox) -> Bool {
    var isOrderly = true
    var missed: [String] = []
    let end = Stopwatch.now + limit
    for wait in waits {
      let signal = start(on: scheduler, wait.body)
      while !signal.hasCome, scheduler.advance() { _ = scheduler.runReady(limit: 100) }
      if signal.cameHere { continue }
      missed.append(wait.name)
      if !signal.comes(until: end, inbox, scheduler) { isOrderly = false }
    }
    note(.waits, missed.isEmpty ? nil : missed.joined(separator: ", "))

    // A queue of its own has a thread even while other tests occupy all of the pool's.
    let queue = DispatchQueue(label: "napkin.self-test")
    let signal = start(on: scheduler) {
      await withUnsafeContinuation { continuation in queue.async { continuation.resume() } }
    }
    let hasCome = signal.comes(until: Stopwatch.now + timeout, inbox, scheduler)
    note(
      .outside,
      signal.cameHere ? nil : hasCome ? "it went on where it was resumed" : "it had not come back after half a minute")
    return isOrderly && hasCome
  }

  private static func printFindings() {
    guard let value = Environment["NAPKIN_SELF_TEST"], !value.isEmpty, value != "0"
    else { return }
    var text = "NapkinTesting tries what it can control in this process:\n"
    for finding in findings {
      text +=
        finding.reason.map { "  no   \(finding.stage.rawValue): \($0)\n" } ?? "  yes  \(finding.stage.rawValue)\n"
    }
    napkin_write_output(text, text.utf8.count)
  }
}

extension SelfTest {
  /// Why no exploration can be run in this process; nil if one can.
  static var loss: Diagnostic? {
    guard let finding = findings.first(where: { $0.stage.isRequired && $0.reason != nil }) else { return nil }
    return Diagnostic(
      .misuse,
      """
      NapkinTesting cannot take control of Swift Concurrency in this process, so the exploration was not run.
      What was tried: \(finding.stage.rawValue). What was seen: \(finding.reason ?? "nothing").
      """,
      likelyCause: """
        another library controls the executors of this process, or this version of the Swift runtime is not known.
        """,
      suggestion: """
        run these tests without that library and without a host app, or use .parallel, which needs no control. \
        NAPKIN_SELF_TEST=1 prints all that was tried.
        """)
  }

  /// The reasons why every exploration of this process proves less than it seems to.
  static var warnings: [Diagnostic] {
    findings.compactMap { finding in
      guard let reason = finding.reason else { return nil }
      switch finding.stage {
      case .clocks: return .clocksAreReal
      case .hops: return .hopsAreNotTaken
      case .waits: return .waitsAreNotTaken(reason)
      case .outside: return .outsideIsNotSeen
      case .issues where !IssueCapture.isOfTest: return .issuesAreNotHeard(reason)
      case .realWaits where napkin_has_other_images(): return .realWaitsAreNotKnown(reason)
      default: return nil
      }
    }
  }
}

extension Diagnostic {
  fileprivate static let clocksAreReal = Diagnostic(
    warning: .clocks,
    "The standard clocks go on in real time in this process: sleeps that are to end together may end in either order.",
    likelyCause: "the linker has bound them to the runtime and not to the tests' image.",
    suggestion: "ask Execution.clock for the time in the code under test.")

  fileprivate static let hopsAreNotTaken = Diagnostic(
    warning: .hops,
    "Hops between actors are no scheduling points in this process: races between actors are not found.",
    likelyCause: "the Swift runtime keeps its tasks in another way than this version of NapkinTesting knows.",
    suggestion: "use the toolchain that NapkinTesting's release notes name, or a newer NapkinTesting.")

  fileprivate static func waitsAreNotTaken(_ names: String) -> Diagnostic {
    Diagnostic(
      warning: .waits,
      "Not controlled in this process, and in real time: \(names).",
      likelyCause: "the linker has bound them to the runtime and not to the tests' image.",
      suggestion: "wait by Execution.clock in the code under test.")
  }

  fileprivate static func issuesAreNotHeard(_ reason: String) -> Diagnostic {
    Diagnostic(
      warning: .issues,
      "An exploration of this process does not hear of an #expect that fails in a test case of XCTest: the test case may "
        + "record it, or nothing does.",
      likelyCause: reason,
      suggestion: "throw an error from the body, which is heard, or explore in a @Test.")
  }

  fileprivate static let outsideIsNotSeen = Diagnostic(
    warning: .outside,
    "What another thread resumes is not controlled in this process: a task that comes back so may be reported as a "
      + "deadlock.",
    likelyCause: "the runtime leaves such a task to an executor without asking this package.",
    suggestion: "use fakes that resume tasks without a thread or a dispatch queue.")
}

extension Scheduler {
  /// Makes this the thread that explores, and this the scheduler of its jobs, while the body runs.
  fileprivate func control(_ inbox: Inbox, _ body: () -> Bool) -> Bool {
    napkin_use_execution(inC)
    napkin_set_hooks()
    napkin_explore_on_this_thread()
    let isOrderly = body()
    napkin_stop_exploring()
    napkin_use_execution(nil)
    inbox.close(givingBack: isOrderly)
    return isOrderly
  }
}

/// Says that a task has come to its end, and whether on the exploring thread.
final class Signal: Sendable {
  private let place = Mutex<Bool?>(nil)

  func send() {
    let isHere = napkin_is_exploring_thread()
    place.withLock { $0 = isHere }
    napkin_ring()
  }

  var hasCome: Bool { place.withLock { $0 != nil } }
  var cameHere: Bool { place.withLock { $0 == true } }

  /// Waits in real time, and runs the jobs that other threads bring meanwhile.
  func comes(until end: Duration, _ inbox: Inbox? = nil, _ scheduler: Scheduler? = nil) -> Bool {
    while true {
      let heard = napkin_rings()
      if hasCome { return true }
      if let inbox, let scheduler, inbox.deliver(to: scheduler) {
        _ = scheduler.runReady(limit: 100)
        continue
      }
      let left = end - Stopwatch.now
      guard left > .zero else { return false }
      napkin_await_ring(heard, left.wholeNanoseconds)
    }
  }
}

extension Scheduler {
  /// Runs two tasks up to their first hop, which is to one actor, and enqueues both there before either runs on.
  func probeQueue() {
    step()
    step()
    guard ready.count == 2, ready[0].target == ready[1].target else { return }
    // An optimiser may have left the actor out.
    guard ready[0].target != 0, ready[0].implementation == 0 else { return }
    let first = ready.remove(at: 0)
    let second = ready.remove(at: 0)
    caught.isOn = true
    napkin_enqueue(first.job, napkin_executor(identity: first.target, implementation: first.implementation))
    caught.isOn = false
    napkin_enqueue(second.job, napkin_executor(identity: second.target, implementation: second.implementation))
    napkin_probe_arrived_jobs(first.target, first.job, second.job)
    guard let caught = caught.take() else { return }
    run(caught.job, onMain: false)
    _ = runReady(limit: 100)
  }
}
