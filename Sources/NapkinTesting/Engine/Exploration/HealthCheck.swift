// SPDX-License-Identifier: Apache-2.0

/// Notices explorations that cannot find anything, however long they run.
struct HealthCheck {
  private var hadChoices = false
  private var isOutOfControl = false
  /// Whether a step that was stopped had a lock, and is not stopped there any more.
  var hasLost = false
  private var slowest = (execution: 0, duration: Duration.zero)

  // The executions in which all tasks ended, those that left tasks waiting, and the first of these.
  private var ended = 0
  private var stuck = 0
  private var firstStuck: (execution: Int, tasks: [String])?

  /// The number of executions that were discarded, and why the first of them was.
  private(set) var discarded = 0
  private var rejection: Diagnostic?

  /// The number of discarded executions before a filter is called too narrow.
  private static let leastRejected = 100

  /// The executions of a machine from which on it does not count on those of others.
  ///
  /// Where every second execution is discarded, so that it would be no more than a warning, all of twenty are once in a
  /// million.
  private static let largestSmallShare = 20

  mutating func look(at outcome: ExecutionOutcome, number: Int, took duration: Duration) {
    if outcome.hadChoices { hadChoices = true }
    if outcome.isOutOfControl { isOutOfControl = true }
    if duration > slowest.duration { slowest = (number, duration) }
    guard let waiting = outcome.leftWaiting else { return }
    if waiting == 0 { ended += 1 } else { stuck += 1 }
    if firstStuck == nil, !outcome.waiting.isEmpty { firstStuck = (number, outcome.waiting) }
  }

  /// Counts an execution that is discarded.
  mutating func discard(_ rejection: Diagnostic) {
    discarded += 1
    if discarded == 1 { self.rejection = rejection }
  }

  /// The diagnostic of one more rejection where nine in ten executions are discarded: valid values are hardly ever
  /// drawn.
  func tooMany(of executions: Int, _ rejection: Diagnostic) -> Diagnostic? {
    guard discarded >= Self.leastRejected, discarded * 10 >= executions * 9 else { return nil }
    return rejection.preceded(by: "\(discarded) of \(executions) executions had to be discarded.")
  }

  /// The diagnostic of an exploration that has discarded all of its executions, however few: its pass would say nothing.
  ///
  /// A replay is not asked for more, and a small share of a machine leaves it to the others.
  func nothingLeft(of executions: Int, by context: SearchContext) -> Diagnostic? {
    isSmallShare(executions, of: context) ? nil : allRejected(of: executions, by: context)
  }

  private func isSmallShare(_ executions: Int, of context: SearchContext) -> Bool {
    context.shard.count > 1 && executions < Self.largestSmallShare
  }

  private func allRejected(of executions: Int, by context: SearchContext) -> Diagnostic? {
    guard executions > 0, discarded == executions, context.explorer.strategy.token == nil else { return nil }
    let all = executions == 1 ? "The one execution" : "All \(executions) executions"
    return rejection?.preceded(by: "\(all) had to be discarded, so nothing was tested.")
  }

  /// Returns the reasons to trust a passing exploration less.
  func warnings(of executions: Int, by context: SearchContext) -> [Diagnostic] {
    [
      isSlow(context), hasNoChoice(executions, context), leavesTasksWaiting(executions),
      manyRejected(of: executions, by: context),
    ].compactMap(\.self)
  }

  /// The warning where at least half of the executions are discarded: the exploration has tested only the rest.
  func manyRejected(of executions: Int, by context: SearchContext) -> Diagnostic? {
    guard discarded > 0, discarded * 2 >= executions, context.explorer.strategy.token == nil else { return nil }
    var warning = rejection?.preceded(by: "\(discarded) of \(executions) executions had to be discarded.")
    if discarded == executions {
      // Elsewhere it is a failure.
      guard isSmallShare(executions, of: context) else { return nil }
      warning = allRejected(of: executions, by: context)
      warning?.likelyCause =
        "this is one of \(context.shard.count) shards, and the others have the rest of the executions."
      warning?.suggestion = """
        run more executions, or draw what needs no filter; with NAPKIN_SHARD=0/1 one process runs and counts all of \
        them.
        """
    }
    warning?.kind = .warning
    warning?.subject = .discardedExecutions
    return warning
  }

  /// Where some executions leave a task waiting for ever and others do not, it is the order that decides.
  ///
  /// Where all do, the task is taken for one that is meant to wait, such as one that listens to a stream.
  private func leavesTasksWaiting(_ executions: Int) -> Diagnostic? {
    guard ended > 0, stuck > 0, let first = firstStuck else { return nil }
    return Diagnostic(
      warning: .tasksLeftWaiting, kind: .deadlock,
      """
      Deadlock: in execution \(first.execution) the body has returned, and nothing is left that could resume what still \
      waits.
      Waiting: \(first.tasks.joined(separator: "; ")).
      """,
      likelyCause: """
        tasks that the body does not await wait for each other, or a continuation is not resumed on every path: in other \
        executions all of them end.
        """,
      suggestion: "await the tasks in the body, so that the deadlock is a failure, with a token and a report."
    ).seen(in: stuck, of: executions)
  }

  private func isSlow(_ context: SearchContext) -> Diagnostic? {
    guard slowest.duration > context.slowness else { return nil }
    return Diagnostic(
      warning: .slowExecution,
      """
      Execution \(slowest.execution) took \(slowest.duration.rounded), and a thousand like it would take a thousand times as long.
      """,
      likelyCause: "the body computes much, waits for a thread, or does real input and output; sleeping costs nothing.",
      suggestion:
        "give it less to do and stub what is slow, or set NAPKIN_TIME_BUDGET to the seconds that you have.")
  }

  private func hasNoChoice(_ executions: Int, _ context: SearchContext) -> Diagnostic? {
    // An exhaustive search ends with the only execution that there is.
    let isExhaustive = if case .exhaustive = context.explorer.strategy.kind { true } else { false }
    guard !hadChoices, executions > 1 || executions == 1 && isExhaustive, discarded == 0,
      context.saysNoChoice?() ?? true
    else { return nil }
    return Diagnostic(
      warning: .noChoice,
      """
      This body never suspends while another task is ready, and draws nothing: \
      \(executions == 1 ? "there is one execution of it" : "all \(executions) executions of it were the same").\
      \(context.saysNoChoice == nil ? "" : " The trait is the suite's: of its other tests this is not said again.")
      """,
      likelyCause: isOutOfControl
        ? "a dispatch queue or a thread decides the order in which its tasks go on, and that is not controlled here."
        : hasLost
          ? "it starts or resumes what is to race under a lock that this needs, and no step is stopped there."
          : """
          it starts no tasks, waits for each before it starts the next, or does what is to race with a task, such as \
          cancelling it, in the step that starts it, which .exhaustive() and .fifo run as a whole.
          """,
      suggestion: isOutOfControl
        ? "put a fake in the place of what uses the queue, or split steps, which controls queues and threads, too."
        : """
        start what is to race in tasks of its own, put await Task.yield() before what comes too soon, draw data with \
        Execution.draw, or run the test once, as it is.
        """)
  }
}

extension Diagnostic {
  /// The steps of an execution from which on it is looked for a loop that yields.
  static var stepsOfBusyWait: Int { 1_000 }

  /// Tasks yield again and again at a line, as often as the order of the tasks has it; nil where that is a small part of the
  /// steps.
  static func busyWait(of count: Int, among steps: Int, at line: String) -> Diagnostic? {
    guard count * 10 >= steps * 9 else { return nil }
    return Diagnostic(
      warning: .busyWait,
      """
      Busy wait: \(count * 100 / steps) % of the \(steps.grouped) steps in FIFO order are of tasks that yield again where \
      they have yielded before (\(line)), and the order of the tasks decides how many these are.
      """,
      likelyCause: "a loop waits by yielding until another task has changed something.",
      suggestion: """
        wait by a continuation or a stream, which the other task resumes: an execution takes a part of the steps then, and \
        on threads no processor is kept busy by waiting.
        """)
  }

  /// The same, with a sentence before its summary.
  fileprivate func preceded(by sentence: String) -> Diagnostic {
    var copy = self
    copy.summary = "\(sentence)\n\(summary)"
    return copy
  }
}
