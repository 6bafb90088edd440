// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// The setup and the teardown around the actions of one execution.
protocol FuzzSurroundings<System>: Sendable {
  associatedtype System: Sendable

  /// An action begins, in the running task.
  func begins(_ action: String)

  /// Makes the system.
  nonisolated(nonsending) func begin() async -> System

  /// Returns when nothing goes on any more.
  nonisolated(nonsending) func settle(atEnd: Bool) async

  /// Checks the rules that hold whenever nothing goes on.
  func checkAtRest()

  /// Ends the system's activity; it is released afterwards.
  nonisolated(nonsending) func end(_ system: System) async

  /// Checks the rules that hold once the system is released.
  func checkAtEnd()
}

/// Makes, exercises, ends and releases one system.
struct FuzzExecution<Surroundings: FuzzSurroundings>: Sendable {
  typealias System = Surroundings.System

  let fuzzer: Fuzzer<System>
  let surroundings: Surroundings
  let program: FuzzProgram<System>
  let scope: any ExecutionScope
  let silenced: Set<LifecycleRule>
  /// Whether callers run on the main actor, as this does then, or on the thread pool.
  let isOnMainActor: Bool

  nonisolated(nonsending) func run() async {
    let run = FuzzRun(await surroundings.begin(), without: silenced)
    await rest(run, FuzzModelStates())
    for round in program.rounds where !scope.hasFailed && run.system != nil {
      await carryOut(round, run)
      await rest(run, round.states)
    }
    if let system = run.system { await surroundings.end(system) }
    await surroundings.settle(atEnd: false)
    surroundings.checkAtRest()
    run.end()
    await surroundings.settle(atEnd: true)
    surroundings.checkAtEnd()
  }

  private nonisolated(nonsending) func carryOut(_ round: FuzzProgram<System>.Round, _ run: FuzzRun<System>) async {
    run.callers = round.lanes.enumerated().filter { !$1.isEmpty }.map { number, steps in
      let name = "caller \(number + 1)"
      if isOnMainActor { return Task(name: name) { @MainActor in await carryOut(steps, run, round.states) } }
      return Task(name: name) { await carryOut(steps, run, round.states) }
    }
    for caller in run.callers { await caller.value }
  }

  private nonisolated(nonsending) func carryOut(
    _ steps: [FuzzStep<System>], _ run: FuzzRun<System>, _ states: FuzzModelStates
  ) async {
    for step in steps { await carryOut(step, run, states) }
  }

  private nonisolated(nonsending) func carryOut(
    _ step: FuzzStep<System>, _ run: FuzzRun<System>, _ states: FuzzModelStates
  ) async {
    guard let system = run.system else { return }
    if scope.isLogged { scope.log(.note("\(step.title)"), line: fuzzer.actions[step.action].line) }
    surroundings.begins(step.title)
    let result = await perform(step, system, run)
    scope.countAction(step.action, isSkipped: result == nil)
    guard let outcome = result else {
      run.hasSkipped = true
      return scope.note("\(step.title): skipped")
    }
    scope.label(fuzzer.actions[step.action].name)
    scope.note("\(step.title): done\(outcome)")
    for invariant in fuzzer.invariants where invariant.checkpoint == .afterEveryAction {
      guard !(await invariant.holds(system, states)) else { continue }
      scope.fail(Diagnostic(.violation(rule: invariant.name), "Broken after \"\(step.title)\": \(invariant.name)."))
    }
  }

  private nonisolated(nonsending) func perform(
    _ step: FuzzStep<System>, _ system: System, _ run: FuzzRun<System>
  ) async -> FuzzStep<System>.Outcome {
    if let precondition = fuzzer.actions[step.action].precondition, !(await precondition(system)) { return nil }
    return await step.perform(system, run)
  }

  private nonisolated(nonsending) func rest(_ run: FuzzRun<System>, _ states: FuzzModelStates) async {
    await surroundings.settle(atEnd: false)
    surroundings.checkAtRest()
    guard let system = run.system else { return }
    for invariant in fuzzer.invariants where !(invariant.followsModel && run.hasSkipped) {
      guard !(await invariant.holds(system, states)) else { continue }
      scope.fail(Diagnostic(.violation(rule: invariant.name), "Broken at rest: \(invariant.name)."))
    }
  }
}
