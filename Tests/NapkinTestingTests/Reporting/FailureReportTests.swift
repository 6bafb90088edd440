// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct FailureReportTests {
  static func choices(_ values: [UInt64]) -> [Choice] { values.map { Choice(value: $0, bound: 9) } }

  static func failure(
    _ diagnostics: [Diagnostic] = [Diagnostic(.expectation, "Expectation failed: (value → 1) == 2")],
    data: [UInt64] = [], schedule: [UInt64] = [], cancellation: [UInt64] = [], execution: Int = 1, seed: UInt64 = 0,
    shrinking: Exploration.Failure.Shrinking = .init()
  ) -> Exploration.Failure {
    var failure = Exploration.Failure(
      execution: execution, seed: seed, schedule: "nk1.AAAA", diagnostics: diagnostics, shrinking: shrinking)
    failure.sequence = ChoiceSequence(
      data: choices(data),
      schedule: choices(schedule),
      cancellation: choices(cancellation)
    )
    return failure
  }

  @Test func `a report has what happened, why, what to do, the interleaving and the replay`() {
    var failure = Self.failure(schedule: [0, 1, 0], execution: 17, seed: 42, shrinking: .init(executions: 135))
    failure.log = .lostUpdate
    failure.distinctSchedules = 12
    #expect(
      failure.report == """
        Expectation failed: (value → 1) == 2
        Likely cause: the outcome depends on the order of the tasks, which deviates from FIFO order in one place (◆).
        What to do: follow the lanes from the first ◆: find a task that reads state, suspends, and then acts on what it read. Another task ran in between.

          step  body        task 1      task 2
             1  runs · starts task 1, task 2
           2–3  │           runs › Counter
        ◆  4–7  │           │           runs › Counter ×2 › runs
             8  │           Counter
          9–11  runs › Counter › runs
                ✘ Expectation failed: (value → 1) == 2
        ◆ marks a scheduling decision that differs from FIFO order.

        Found in execution 17 with seed 42, among 12 different schedules; shrunk in 135 executions.
        Replay: .replay("nk1.AAAA")
        """
    )
  }

  @Test func `a printed failure is its report`() {
    #expect("\(Self.failure())" == Self.failure().report)
  }

  @Test func `a failure in FIFO order is distinguished from a race`() {
    #expect(
      Self.failure().report == """
        Expectation failed: (value → 1) == 2
        Likely cause: not the order of the tasks: it fails in FIFO order, too.
        What to do: replay it in a debugger: no special order is needed.
        Found in execution 1 with seed 0.
        Replay: .replay("nk1.AAAA")
        """
    )
  }

  @Test(arguments: [
    (failure(data: [5]), "what was drawn: with it the execution fails in FIFO order."),
    (
      failure(schedule: [1, 1]),
      "the outcome depends on the order of the tasks, which deviates from FIFO order in 2 places (◆)."
    ),
    (failure(cancellation: [1]), "a task is cancelled at a moment that it is not prepared for."),
    (
      failure(schedule: [1], cancellation: [1]),
      "a task is cancelled at a moment that it is not prepared for, in an order of the tasks that deviates from FIFO order in one place (◆)."
    ),
  ])
  func `the likely cause is what the shrunk execution could not do without`(failure: Exploration.Failure, cause: String)
  {
    #expect(failure.report.contains("\nLikely cause: \(cause)\n"))
  }

  @Test func `a race that needs no unusual order is not said to fail in FIFO order`() {
    var failure = Self.failure()
    failure.log.append(.ran(.global, rank: 0, ready: 2), step: 1, time: .zero, task: 1)
    let cause =
      "the tasks interleave at their suspension points. The default (FIFO) order is enough to trigger the failure."
    let remedy = "find a task that reads state, suspends, and then acts on what it read. Another task ran in between."
    #expect(failure.report.contains("\nLikely cause: \(cause)\nWhat to do: \(remedy)\n"))
  }

  @Test func `a cancellation has a remedy of its own`() {
    #expect(
      Self.failure(cancellation: [1]).report.contains(
        "What to do: look at what the cancelled task leaves half done, and finish or undo that when it is cancelled.\n"
      )
    )
  }

  @Test func `a message that brings its own cause and remedy keeps them`() {
    let deadlock = Diagnostic(
      .deadlock, "Deadlock.", likelyCause: "two tasks wait for each other.", suggestion: "take locks in one order.")
    let failure = Self.failure([deadlock], schedule: [1])
    #expect(
      failure.report == """
        Deadlock.
        Likely cause: two tasks wait for each other.
        What to do: take locks in one order.
        Found in execution 1 with seed 0.
        Replay: .replay("nk1.AAAA")
        """
    )
  }

  @Test func `many messages are cut short, remarks come before the replay line`() {
    var failure = Self.failure(
      (1...9).map { Diagnostic(.expectation, "message \($0)") }, shrinking: .init(executions: 1, didExhaustBudget: true)
    )
    failure.remarks = ["The build is another."]
    #expect(
      failure.report == """
        message 1
        message 2
        message 3
        message 4
        message 5
        … and 4 more
        Likely cause: not the order of the tasks: it fails in FIFO order, too.
        What to do: replay it in a debugger: no special order is needed.
        Found in execution 1 with seed 0; shrunk in 1 execution, the whole budget.
        The build is another.
        Replay: .replay("nk1.AAAA")
        """
    )
  }

  @Test func `an exploration that could not begin says only why`() {
    let misuse = Diagnostic(.misuse, "No executions.")
    #expect(Exploration.Failure(execution: 0, seed: 0, schedule: "", diagnostics: [misuse]).report == "No executions.")
  }
}
