// SPDX-License-Identifier: Apache-2.0

/// Runs executions on the real thread pool, one after the other: for data races, which only threads show.
///
/// Run the tests under `--sanitize=thread` to have such a race named. Nothing here can be replayed or shrunk; what was
/// drawn is reported, and the rest is up to the threads.
struct ParallelRun: Sendable {
  let explorer: Explorer
  let body: @Sendable () async throws -> Void

  /// How long an execution may take before it counts as a hang; nothing else distinguishes a deadlock from a long wait here.
  private static let timeout = Duration.seconds(60)

  func run() async -> Exploration {
    let stopwatch = Stopwatch()
    let capture = IssueCapture()
    return await capture.around {
      let progress = await ProgressLine(executions: explorer.executions, budget: nil)
      var (number, failure, warnings) = (0, Exploration.Failure?.none, WarningTally())
      while failure == nil, number < explorer.executions {
        await progress.show(executions: number, schedules: nil, elapsed: stopwatch.elapsed)
        number += 1
        let execution = ParallelExecution(random: SplitMix64(seed: explorer.seed, index: UInt64(number - 1)))
        failure = await run(execution, number, capture)
        warnings.add(execution.warnings)
      }
      await progress.end()
      return Exploration(
        executions: number, duration: stopwatch.elapsed, failures: [failure].compactMap(\.self),
        diagnostics: warnings.warnings(of: number))
    }
  }

  private func run(
    _ execution: ParallelExecution, _ number: Int, _ capture: IssueCapture
  ) async -> Exploration.Failure? {
    capture.begin(execution)
    let ending = await CurrentExecution.$inherited.withValue(execution) { await waitForBody() }
    execution.end()
    capture.end()
    var diagnostics = execution.diagnostics
    switch ending {
    case .returned: break
    case .threw(let error): if diagnostics.isEmpty { diagnostics.append(Diagnostic(thrown: error)) }
    case .stuck: diagnostics.append(.hang(after: Self.timeout))
    }
    guard !diagnostics.isEmpty else { return nil }
    var failure = Exploration.Failure(
      execution: number,
      seed: explorer.seed,
      schedule: "",
      diagnostics: diagnostics,
      draws: execution.drawn
    )
    failure.remarks = [Remark.isParallel]
    return failure
  }

  private enum Ending: Sendable {
    case returned, stuck
    case threw(any Error)
  }

  /// Waits for the body, or until the timeout.
  private func waitForBody() async -> Ending {
    let deadline = Deadline(after: Self.timeout)
    let (arrivals, continuation) = AsyncStream<Ending>.makeStream()
    deadline.whenOver { continuation.yield(.stuck) }
    Task(name: "body") { [body] in
      do {
        try await body()
        continuation.yield(.returned)
      } catch {
        continuation.yield(.threw(error))
      }
    }
    for await arrival in arrivals { return arrival }
    return .stuck
  }
}
