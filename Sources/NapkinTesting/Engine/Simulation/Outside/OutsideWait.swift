// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import NapkinTestingCRuntime

/// Decides how long an execution with nothing to run waits, in real time, for jobs from other threads.
///
/// It is always bounded, and cheap where nothing comes: a body that leaves nothing to others waits once in an exploration, when
/// it first looks like a deadlock. Where something came, it waits for twice as long as that took.
final class OutsideWait {
  /// The reason of a wait.
  enum Subject {
    /// The number of errands that are under way outside.
    case errands(Int)
    /// Nothing else can go on.
    case anything
    /// Something came in an earlier execution that nothing had announced, or from a thread that is still there.
    case whatCameBefore
  }

  /// The longest wait for a task that sleeps in real time, while another one polls.
  static let moment = Duration.seconds(1)
  /// How long nothing may go on but such a task.
  static let forRealSleeps = Duration.seconds(30)
  private static let forErrands = Duration.seconds(1)
  private static let forAnything = Duration.milliseconds(400)
  private static let forWhatCameBefore = Duration.milliseconds(200)
  private static let whereOthersWereInVain = Duration.milliseconds(20)
  private static let mostInVain = 3

  // Of the exploration.
  @exclusivity(unchecked) private var inVain = 0
  @exclusivity(unchecked) private var comesUnannounced = false
  @exclusivity(unchecked) private var hasEverCome = false
  @exclusivity(unchecked) private var isDeadlockConfirmed = false
  @exclusivity(unchecked) private var longestAnswer = Duration.zero
  @exclusivity(unchecked) private var isLongSleepConfirmed = false

  // Of the execution.
  @exclusivity(unchecked) private var errandsInVain = 0
  @exclusivity(unchecked) private var isWaitOver = false
  @exclusivity(unchecked) private var end: Duration?
  @exclusivity(unchecked) private var start: Duration?

  @exclusivity(unchecked) private(set) var heard: UInt64 = 0
  @exclusivity(unchecked) private(set) var limit = Duration.zero

  func begin() {
    errandsInVain = 0
    timePasses()
  }

  /// Something was brought to this execution.
  func hasBrought() {
    if let start { longestAnswer = max(longestAnswer, Stopwatch.now - start) }
    timePasses()
  }

  /// The execution's time passes, after nothing came: the next wait is another one.
  func timePasses() {
    isWaitOver = false
    (start, end) = (nil, nil)
  }

  /// An execution is over that something was brought to; more may come unannounced, where a thread is left that brought it.
  func brought(isUnannounced: Bool, leavesThreads: Bool) {
    hasEverCome = true
    comesUnannounced = comesUnannounced || isUnannounced || leavesThreads
  }

  /// Whether to wait, after this number of rings, for as long as `limit` says; false once that was in vain.
  func waits(for subject: Subject, _ rings: UInt64) -> Bool {
    let most: Duration
    switch subject {
    case .errands(let count): most = count <= errandsInVain ? .zero : full(Self.forErrands)
    case .anything:
      most = isWaitOver || isDeadlockConfirmed && !hasEverCome ? .zero : untilDeadlock
    case .whatCameBefore: most = isWaitOver || !comesUnannounced ? .zero : full(Self.forWhatCameBefore)
    }
    guard most > .zero else { return false }
    if goesOn(for: most, rings) { return true }
    isInVain(subject)
    return false
  }

  /// Whether to wait for tasks that sleep in real time, or for the nanoseconds left, which pass as real time does; false
  /// where that would take too long.
  func waitsInRealTime(for left: Int64, _ rings: UInt64) -> Bool {
    guard goesOn(for: isLongSleepConfirmed ? Self.forAnything : Self.forRealSleeps, rings) else {
      (start, end, isLongSleepConfirmed) = (nil, nil, true)
      return false
    }
    limit = min(limit, .nanoseconds(left))
    return true
  }

  /// Begins to wait for a time, or goes on; false once it is over.
  private func goesOn(for most: Duration, _ rings: UInt64) -> Bool {
    let now = Stopwatch.now
    start = start ?? now
    end = end ?? now + most
    (heard, limit) = (rings, (end ?? now) - now)
    return limit > .zero
  }

  /// Waits until there are more rings than were heard, or for a time.
  ///
  /// It does so on a thread beside those of the pool: with as many explorations that wait there as it has threads, it would bring
  /// nothing.
  static func wait(after heard: UInt64, for limit: Duration) async {
    await withUnsafeContinuation { continuation in
      DispatchQueue(label: "NapkinTesting").async {
        napkin_await_ring(heard, limit.wholeNanoseconds)
        continuation.resume()
      }
    }
  }

  private func full(_ duration: Duration) -> Duration {
    inVain < Self.mostInVain ? max(duration, longestAnswer * 2) : max(Self.whereOthersWereInVain, longestAnswer * 5 / 4)
  }

  /// A verdict follows, so other waits in vain do not make this one shorter; once there is one, it only has to come again.
  private var untilDeadlock: Duration {
    isDeadlockConfirmed ? full(Self.forAnything) : max(Self.forAnything, longestAnswer * 2)
  }

  private func isInVain(_ subject: Subject) {
    (start, end) = (nil, nil)
    inVain += 1
    switch subject {
    case .errands(let count): errandsInVain = count
    case .anything: (isWaitOver, isDeadlockConfirmed) = (true, true)
    case .whatCameBefore: isWaitOver = true
    }
  }
}

extension Diagnostic {
  /// A timer does not take the time of the execution.
  static func realTimer(at place: SourcePlace?) -> Diagnostic {
    let line = place.map { " (\($0.fileAndLine ?? $0.text))" } ?? ""
    return Diagnostic(
      warning: .realTimer(line), kind: .lostControl,
      "A dispatch source was armed in this execution\(line), and its time is real: it fires late, or not at all.",
      likelyCause: "the time of an execution passes at once, and the source's does not.",
      suggestion: "sleep in a task, or use asyncAfter, whose time is the execution's; or hide it behind a protocol.")
  }

  /// An execution looked like a deadlock, and did not when its choices were replayed.
  static func stall(execution number: Int) -> Diagnostic {
    Diagnostic(
      warning: .stall, kind: .lostControl,
      """
      Lost control: in execution \(number) nothing could go on for a while, as in a deadlock, and its replay came to its end.
      """,
      likelyCause:
        "something outside Swift Concurrency took longer than usual, or the machine was stopped for a moment.",
      suggestion: "hide what is outside behind a protocol, and give the explored body a double.")
  }

  /// Something came back to an execution from threads that the exploration does not control.
  static func lostControl(to places: [String]) -> Diagnostic {
    let source = places.isEmpty ? "something outside Swift Concurrency" : places.joined(separator: ", ")
    return Diagnostic(
      warning: .lostControl, kind: .lostControl,
      """
      Lost control: \(source) resumed tasks of the body. They were taken back in the order in which they came, which is not \
      varied, and which a replay need not repeat.
      """,
      likelyCause:
        "a dispatch queue, a thread, a real timer, the network, a callback of the system or an executor of its own.",
      suggestion: """
        hide it behind a protocol and give the explored body a double, such as a Stub or a Gate, where its order matters.
        """
    )
  }
}
