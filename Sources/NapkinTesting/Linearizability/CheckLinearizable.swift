// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Checks that overlapping calls of an API return the same as in some sequential order.
///
/// ```swift
/// await checkLinearizable(model: AccountModel(), commands: [.deposit(1), .withdraw(1)]) {
///   Account()
/// } perform: { account, command in
///   switch command {
///   case .deposit(let amount): await account.deposit(amount)
///   case .withdraw(let amount): await account.withdraw(amount)
///   }
/// }
/// ```
///
/// Each execution draws the calls of each caller, runs the callers under a drawn interleaving, and searches for an order of
/// the calls that the model agrees with: each call takes effect at one moment between its start and its return. If there
/// is no such order, one issue shows the smallest program, its history and the interleaving, with a line that replays it.
///
/// The search is exact, and its work may double with each overlapping call; it ends after 20,000 configurations, which is
/// a failure too.
///
/// - Parameters:
///   - model: The sequential behaviour of the API, in its initial state.
///   - commands: Draws a call.
///   - calls: The number of calls of an execution.
///   - callers: The number of concurrent callers.
///   - allowsPending: Whether a call may never return, such as one that waits for an element of an empty queue. It may
///     have taken effect or not, and is cancelled in the end. Otherwise such a call is a deadlock.
///   - executions: The most executions to run; the first failure ends the exploration. Nil is 1,000, or the one of a
///     replay.
///   - strategy: Selects the next job.
///   - seed: The seed of all random decisions.
///   - sourceLocation: The line at which a failure is recorded.
///   - system: Makes a new system under test for each execution.
///   - perform: Makes a call and returns its response, which includes a thrown error.
/// - Returns: The result of the exploration.
@discardableResult
public func checkLinearizable<Model: SequentialModel, System: Sendable>(
  model: Model,
  commands: Gen<Model.Command>,
  calls: ClosedRange<Int> = 1...8,
  callers: Int = 3,
  allowsPending: Bool = false,
  executions: Int? = nil,
  strategy: Explorer.Strategy = .portfolio,
  seed: UInt64? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ system: @escaping @Sendable () async -> System,
  perform: @escaping @Sendable (System, Model.Command) async -> Model.Response
) async -> Exploration {
  let context = Explorer(executions: executions, strategy: strategy, seed: seed).asked(by: "checkLinearizable")
  if let misuse = misuse(calls: calls, callers: callers) { return .failed(misuse, recordedAt: sourceLocation) }
  return await context.check(
    sourceLocation: sourceLocation,
    LinearizabilityExecution(
      checker: LinearizabilityChecker(model: model),
      programs: CallProgram.generator(commands, calls: calls, callers: callers),
      allowsPending: allowsPending, make: system, perform: perform
    ).run)
}

/// Checks that overlapping calls of an API return the same as in some sequential order.
///
/// It draws the calls from a list; the function that takes a generator describes the other parameters.
@discardableResult
public func checkLinearizable<Model: SequentialModel, System: Sendable>(
  model: Model,
  commands: [Model.Command],
  calls: ClosedRange<Int> = 1...8,
  callers: Int = 3,
  allowsPending: Bool = false,
  executions: Int? = nil,
  strategy: Explorer.Strategy = .portfolio,
  seed: UInt64? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ system: @escaping @Sendable () async -> System,
  perform: @escaping @Sendable (System, Model.Command) async -> Model.Response
) async -> Exploration {
  if commands.isEmpty {
    let misuse = Diagnostic(
      .misuse, "checkLinearizable was given an empty list of commands.", likelyCause: "a computed list is empty.",
      suggestion: "pass at least one command.")
    return .failed(misuse, recordedAt: sourceLocation)
  }
  return await checkLinearizable(
    model: model, commands: .element(of: commands, sourceLocation: sourceLocation), calls: calls, callers: callers,
    allowsPending: allowsPending, executions: executions, strategy: strategy, seed: seed,
    sourceLocation: sourceLocation, system, perform: perform)
}

/// Checks that the calls of a fixed program return the same as in some sequential order.
///
/// Each inner array is a caller, which makes its calls in order, concurrently with the other callers. The function that
/// takes a generator describes the other parameters.
@discardableResult
public func checkLinearizable<Model: SequentialModel, System: Sendable>(
  model: Model,
  commands: [[Model.Command]],
  allowsPending: Bool = false,
  executions: Int? = nil,
  strategy: Explorer.Strategy = .portfolio,
  seed: UInt64? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ system: @escaping @Sendable () async -> System,
  perform: @escaping @Sendable (System, Model.Command) async -> Model.Response
) async -> Exploration {
  await Explorer(executions: executions, strategy: strategy, seed: seed).asked(by: "checkLinearizable").check(
    sourceLocation: sourceLocation,
    LinearizabilityExecution(
      checker: LinearizabilityChecker(model: model), programs: .just(CallProgram(callers: commands)),
      allowsPending: allowsPending, make: system, perform: perform
    ).run)
}

/// The diagnostic for a wrong argument, if there is one.
private func misuse(calls: ClosedRange<Int>, callers: Int) -> Diagnostic? {
  if !(1...1_000).contains(callers) {
    let consequence = callers < 1 ? "so no call could be made" : "and takes at most 1000"
    return Diagnostic(
      .misuse, "checkLinearizable was given callers: \(callers), \(consequence).",
      likelyCause: "the number was computed, or mistyped.", suggestion: "pass 2 or more, so that calls overlap.")
  }
  if calls.lowerBound < 0 {
    return Diagnostic(
      .misuse, "checkLinearizable was given calls: \(calls), a negative number of them.",
      likelyCause: "the range was computed, or mistyped.",
      suggestion: "pass a range that begins at 0 or more, such as 1...8.")
  }
  if calls.upperBound == 0 {
    return Diagnostic(
      .misuse, "checkLinearizable was given calls: \(calls), so no call would be made.",
      likelyCause: "the range was computed, or mistyped.", suggestion: "pass a range such as 1...8.")
  }
  return nil
}
