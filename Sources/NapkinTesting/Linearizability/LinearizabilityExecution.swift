// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// One execution: concurrent callers, their responses, and the check against a sequential model.
struct LinearizabilityExecution<Model: SequentialModel, System: Sendable>: Sendable {
  let checker: LinearizabilityChecker<Model>
  let programs: Gen<CallProgram<Model.Command>>
  let allowsPending: Bool
  let make: @Sendable () async -> System
  let perform: @Sendable (System, Model.Command) async -> Model.Response

  static var rule: String { "linearizability" }

  // After how many virtual seconds without a call that begins or returns the others never return.
  private static var longestWait: Int { 60 }

  func run() async {
    guard let scope = CurrentExecution.scope else { return }
    let program = scope.draw(programs, nil) { $0.text }
    let system = await make()
    let record = Record()
    var tasks: [Task<Void, Never>] = []
    for (index, commands) in program.callers.enumerated() where !commands.isEmpty {
      let caller = index + 1
      tasks.append(
        Task(name: "caller \(caller)") { [perform] in
          for command in commands {
            let number = record.call(command, by: caller)
            scope.note("calls \(command)")
            let response = await perform(system, command)
            record.return(response, from: number)
            scope.note("\(command) returns \(response)")
          }
          record.isDone(caller)
        })
    }
    await wait(for: tasks, record, scope)
    judge(record.history, scope)
  }

  /// Waits for the callers; if calls may never return, until none has begun or returned within a virtual minute.
  private func wait(for tasks: [Task<Void, Never>], _ record: Record, _ scope: any ExecutionScope) async {
    if allowsPending {
      await scope.quiescence()
      var (progress, seconds, wait) = (record.progress, 0, 1)
      while record.done < tasks.count, seconds < Self.longestWait {
        await scope.letTimePass(seconds: wait)
        await scope.quiescence()
        seconds = record.progress == progress ? seconds + wait : 0
        progress = record.progress
        // Twice as long each time, so that the report of a call that takes long is not full of waits.
        if scope.isSimulated { wait = seconds == 0 ? 1 : min(2 * wait, Self.longestWait - seconds) }
      }
      if record.done < tasks.count {
        // Later calls and returns are not part of the history.
        record.close()
        for task in tasks { task.cancel() }
        return
      }
    }
    for task in tasks { await task.value }
  }

  private func judge(_ history: History<Model.Command, Model.Response>, _ scope: any ExecutionScope) {
    switch Instrumentation.uncounted({ checker.check(history) }) {
    case .linearizable: break
    case .violation(let violation):
      // The text is made only for the execution that is reported.
      scope.fail(
        scope.isLogged || !scope.isSimulated
          ? Instrumentation.uncounted { diagnostic(history, violation) }
          : Diagnostic(.violation(rule: Self.rule), "Not linearizable."))
    case .undecided(let configurations):
      scope.fail(
        Diagnostic(
          .violation(rule: "\(Self.rule), undecided"),
          "Undecided: \(configurations) orders of \(history.operations.count) calls were tried without a result.",
          likelyCause: "too many calls overlap; the work may double with each.",
          suggestion: "draw fewer calls, use fewer callers, or implement `partition(of:)` in the model."))
    }
  }

  private func diagnostic(
    _ history: History<Model.Command, Model.Response>,
    _ violation: LinearizabilityChecker<Model>.Violation
  ) -> Diagnostic {
    let picture = HistoryPicture<Model>(history: history, violation: violation)
    return Diagnostic(
      .violation(rule: Self.rule),
      """
      Not linearizable: no sequential order of these calls produces the observed results.
      \(picture.text)
      \(picture.furthest)
      """,
      likelyCause:
        "a call suspends, another call changes the state, and the first continues with what it has read before.",
      suggestion:
        "find a call without a place in the order, and follow its lane and those of the calls that overlap it."
    )
  }

  /// The history as it is written; on the real thread pool by several threads.
  private final class Record: Sendable {
    private struct State: ~Copyable {
      var history = History<Model.Command, Model.Response>()
      var done = 0
      /// How many calls have begun, and how many have returned.
      var progress = 0
      var isClosed = false
    }
    private let state = Mutex(State())

    var history: History<Model.Command, Model.Response> { state.withLock { $0.history } }
    var done: Int { state.withLock { $0.done } }
    var progress: Int { state.withLock { $0.progress } }

    func call(_ command: Model.Command, by caller: Int) -> Int {
      state.withLock { state in
        if state.isClosed { return 0 }
        state.progress += 1
        return state.history.call(command, by: caller)
      }
    }

    func `return`(_ response: Model.Response, from operation: Int) {
      state.withLock { state in
        if state.isClosed { return }
        state.progress += 1
        state.history.return(response, from: operation)
      }
    }

    func isDone(_ caller: Int) { state.withLock { $0.done += 1 } }
    func close() { state.withLock { $0.isClosed = true } }
  }
}
