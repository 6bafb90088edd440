// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// Builds, launches, deactivates and releases one tree, with actions in between and all monitors on.
@MainActor
struct FuzzExecution<Root: Routing> {
  private let fuzzer: TreeFuzzer<Root>
  private let programs: Gen<TreeProgram<Root>>

  private let tally: FuzzTally

  nonisolated init(_ fuzzer: TreeFuzzer<Root>, _ programs: Gen<TreeProgram<Root>>, _ tally: FuzzTally) {
    self.fuzzer = fuzzer
    self.programs = programs
    self.tally = tally
  }

  func run() async {
    guard let scope = CurrentExecution.scope as? any DrawingScope else { return }
    let program = scope.draw(programs, nil) { $0.story }
    let monitors = MonitorSet(without: fuzzer.silenced) { rule, message in
      scope.fail(Diagnostic(.violation(rule: rule), "\(rule): \(message)"))
    }
    if fuzzer.isWatched {
      LifecycleObservation.add(monitors)
      scope.whenOver { LifecycleObservation.remove(monitors) }
    }
    let run = await launch(monitors)
    await rest(run, monitors, scope)
    for round in program.rounds where !scope.hasFailed && run.root != nil {
      await carryOut(round, run, scope)
      await rest(run, monitors, scope)
    }
    await run.root?.interactable.deactivate()
    await settle(monitors, scope)
    monitors.checkAtRest()
    run.end()
    await settle(monitors, scope, atEnd: true)
    monitors.checkAtEnd()
  }

  /// What `LaunchRouter.launch` does, without a window.
  private func launch(_ monitors: MonitorSet) async -> FuzzRun<Root> {
    let root = await fuzzer.build()
    for monitor in fuzzer.monitors { monitors.add(UserMonitor(monitor.name, monitor.make(root))) }
    await root.interactable.activate()
    await root.load()
    return FuzzRun(root, without: fuzzer.silenced)
  }

  private func carryOut(_ round: TreeProgram<Root>.Round, _ run: FuzzRun<Root>, _ scope: any ExecutionScope) async {
    run.callers = round.enumerated().filter { !$1.isEmpty }.map { number, steps in
      Task(name: "caller \(number + 1)") {
        for step in steps { await carryOut(step, run, scope) }
      }
    }
    for caller in run.callers { await caller.value }
  }

  private func carryOut(_ step: FuzzStep<Root>, _ run: FuzzRun<Root>, _ scope: any ExecutionScope) async {
    guard let root = run.root else { return }
    scope.note("\(step.title)")
    let result = await step.perform(root, run)
    tally.count(step.action, isSkipped: result == nil)
    guard let outcome = result else { return scope.note("\(step.title): skipped") }
    scope.note("\(step.title): done\(outcome)")
    for invariant in fuzzer.invariants where invariant.checkpoint == .afterEveryAction {
      guard !(await invariant.holds(root)) else { continue }
      scope.fail(Diagnostic(.violation(rule: invariant.name), "Broken after \"\(step.title)\": \(invariant.name)."))
    }
  }

  private func rest(_ run: FuzzRun<Root>, _ monitors: MonitorSet, _ scope: any ExecutionScope) async {
    await settle(monitors, scope)
    monitors.checkAtRest()
    guard let root = run.root else { return }
    for invariant in fuzzer.invariants where !(await invariant.holds(root)) {
      scope.fail(Diagnostic(.violation(rule: invariant.name), "Broken at rest: \(invariant.name)."))
    }
  }

  /// Waits until no task is ready, and up to a virtual minute for callbacks that sleep.
  private func settle(_ monitors: MonitorSet, _ scope: any ExecutionScope, atEnd: Bool = false) async {
    await scope.quiescence()
    // On real threads time goes by in small pieces, and what is not settled yet may be about to be.
    var attempts = scope.isSimulated ? 60 : 1_000
    while attempts > 0, monitors.isBusy || (!scope.isSimulated && monitors.isUnsettled(atEnd: atEnd)) {
      attempts -= 1
      await scope.letTimePass()
      await scope.quiescence()
    }
  }
}
