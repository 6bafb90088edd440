// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// One life of a tree: built, launched, acted on, deactivated and released, with every monitor on.
@MainActor
struct FuzzExecution<Root: Routing> {
  private let fuzzer: TreeFuzzer<Root>
  private let programs: Gen<TreeProgram<Root>>

  nonisolated init(_ fuzzer: TreeFuzzer<Root>, _ programs: Gen<TreeProgram<Root>>) {
    self.fuzzer = fuzzer
    self.programs = programs
  }

  func run() async {
    guard let scope = CurrentExecution.scope as? any DrawingScope else { return }
    let program = scope.draw(programs, nil) { $0.story }
    let monitors = MonitorSet { [allowsMisuse = fuzzer.allowsMisuse] rule, message in
      if rule != MonitorSet.misuseRule || !allowsMisuse { scope.fail(rule, "\(rule): \(message)") }
    }
    if fuzzer.isWatched {
      LifecycleObservation.add(monitors)
      scope.whenOver { LifecycleObservation.remove(monitors) }
    }
    await live(program, monitors, scope)
    await settle(monitors, scope)
    monitors.checkAtEnd()
  }

  /// Everything during which the root is held; when this returns nobody of ours holds it any more.
  private func live(_ program: TreeProgram<Root>, _ monitors: MonitorSet, _ scope: any ExecutionScope) async {
    let root = await fuzzer.build()
    await root.interactable.activate()
    await root.load()
    await rest(root, monitors, scope)
    for round in program.rounds where !scope.hasFailed {
      await run(round, on: root, scope)
      await rest(root, monitors, scope)
    }
    await root.interactable.deactivate()
    await settle(monitors, scope)
    monitors.checkAtRest()
  }

  private func run(_ round: TreeProgram<Root>.Round, on root: Root, _ scope: any ExecutionScope) async {
    var callers: [Task<Void, Never>] = []
    for (number, actions) in round.enumerated() where !actions.isEmpty {
      callers.append(
        Task(name: "caller \(number + 1)") {
          for action in actions {
            scope.note("\(action.title)")
            await action.perform(root)
            scope.note("\(action.title): done")
          }
        })
    }
    for caller in callers { await caller.value }
  }

  private func rest(_ root: Root, _ monitors: MonitorSet, _ scope: any ExecutionScope) async {
    await settle(monitors, scope)
    monitors.checkAtRest()
    for invariant in fuzzer.invariants where !(await invariant.holds(root)) {
      scope.fail(invariant.name, "Broken at rest: \(invariant.name).")
    }
  }

  /// Waits until nobody is ready, and for callbacks that sleep: a virtual minute is enough for any.
  private func settle(_ monitors: MonitorSet, _ scope: any ExecutionScope) async {
    await scope.quiescence()
    for _ in 0..<60 where monitors.isBusy {
      await scope.letTimePass()
      await scope.quiescence()
    }
  }
}
