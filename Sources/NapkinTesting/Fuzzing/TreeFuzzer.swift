// SPDX-License-Identifier: Apache-2.0

public import Napkin
public import Testing

/// Runs random actions on a tree from several concurrent callers, and finds a smallest sequence that violates a rule.
///
/// ```swift
/// await TreeFuzzer { await RootBuilder(dependency: AppComponent()).build() }
///   .action("tap profile") { await $0.interactor.didTapProfile() }
///   .action("profile finishes") { await $0.interactor.profileDidFinish() }
///   .invariant("at most one profile") { $0.children.count <= 1 }
///   .check(executions: 1_000)
/// ```
///
/// It is a ``Fuzzer`` with a root as its system, and with monitors. In each execution a new tree is built, activated and
/// loaded as a launch would, the drawn actions are run, and the tree is deactivated and released. All of it happens under a
/// drawn interleaving, on the main actor. Besides the invariants given here, the rules of the lifecycle contract are watched
/// throughout, and in the end nothing of the tree may be left; a double forgets the calls that hold an object or a closure
/// before that is checked. A rule can be switched off, with
/// ``ignoring(_:)-(LifecycleRule...)``, and a monitor of your own added, with ``monitor(_:_:)``.
public struct TreeFuzzer<Root: Routing>: Sendable {
  var fuzzer: Fuzzer<Root>
  /// The monitors of the test, made for each execution.
  var monitors: [(name: String, make: @MainActor @Sendable (Root) -> any TreeMonitor)] = []
  var silenced: Set<LifecycleRule> = []
  var isWatched = true

  /// Sets up a fuzzer for the trees that a closure builds.
  ///
  /// - Parameter build: Makes a tree that is not shared with other code, with doubles for services outside the app. It is
  ///   called once for each execution.
  public init(_ build: @escaping @MainActor @Sendable () async -> Root) {
    fuzzer = Fuzzer(making: build)
  }

  /// Fuzzes the tree without recording an issue.
  ///
  /// ``check(executions:actions:concurrency:strategy:seed:sourceLocation:)`` describes the parameters.
  public func run(
    executions: Int? = nil, actions: ClosedRange<Int> = 1...16, concurrency: Int = 3,
    strategy: Explorer.Strategy = .portfolio, seed: UInt64? = nil
  ) async -> Exploration {
    let context = Explorer(executions: executions, strategy: strategy, seed: seed).asked(by: "TreeFuzzer.run")
    return await fuzzer.run(context, actions, concurrency, trees)
  }

  /// Fuzzes the tree, and records one issue if an execution failed.
  ///
  /// An action that never did anything, since it was never drawn or its precondition never held, is a warning at the
  /// line where it was added.
  ///
  /// - Parameters:
  ///   - executions: The most executions to run; the first failure ends the exploration. Nil is 1,000, or the one of a
  ///     replay.
  ///   - actions: The number of actions of an execution.
  ///   - concurrency: The number of concurrent callers.
  ///   - strategy: Selects the next job.
  ///   - seed: The seed of all random decisions.
  ///   - sourceLocation: The line at which a failure is recorded.
  /// - Returns: The result of the exploration.
  @discardableResult
  public func check(
    executions: Int? = nil, actions: ClosedRange<Int> = 1...16, concurrency: Int = 3,
    strategy: Explorer.Strategy = .portfolio, seed: UInt64? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Exploration {
    let context = Explorer(executions: executions, strategy: strategy, seed: seed).asked(by: "TreeFuzzer.check")
    return await fuzzer.check(context, actions, concurrency, sourceLocation, trees)
  }

  @MainActor private func trees(_ programs: Gen<FuzzProgram<Root>>) async {
    guard let scope = CurrentExecution.scope else { return }
    let program = scope.draw(programs, nil) { $0.story }
    let monitors = MonitorSet(without: silenced) { rule, message, holder in
      scope.fail(LifecycleRule.diagnostic(rule, message, heldBy: holder))
    }
    if isWatched { monitors.begin() }
    let recorded = RecordedObjects()
    recorded.begin(in: scope)
    await FuzzExecution(
      fuzzer: fuzzer,
      surroundings: TreeSurroundings(fuzzer: self, monitors: monitors, recorded: recorded, scope: scope),
      program: program, scope: scope, silenced: silenced, isOnMainActor: true
    ).run()
  }
}

/// A tree is launched and deactivated as in an app, with all monitors on.
private struct TreeSurroundings<Root: Routing>: FuzzSurroundings {
  let fuzzer: TreeFuzzer<Root>
  let monitors: MonitorSet
  let recorded: RecordedObjects
  let scope: any ExecutionScope

  func begins(_ action: String) { monitors.begins(action) }

  /// Activates and loads the root as `LaunchRouter.launch` does, without a window.
  @MainActor func begin() async -> Root {
    scope.log(.launch(isOver: false), line: nil)
    defer { scope.log(.launch(isOver: true), line: nil) }
    let root = await fuzzer.fuzzer.make()
    for monitor in fuzzer.monitors where fuzzer.isWatched { monitors.add(monitor.name, monitor.make(root)) }
    await root.interactable.activate()
    await root.load()
    return root
  }

  /// Waits until no task is ready, and for callbacks and transitions that sleep until the tree has not changed for a virtual minute.
  nonisolated(nonsending) func settle(atEnd: Bool) async {
    if atEnd { recorded.forgetObjects() }
    await scope.quiescence()
    // On real threads time goes by in small pieces, and a rule that is broken now may hold soon.
    var (attempts, seen) = (0, monitors.events)
    while attempts < (scope.isSimulated ? 60 : 1_000),
      monitors.isBusy || (!scope.isSimulated && monitors.isUnsettled(atEnd: atEnd))
    {
      await scope.letTimePass(seconds: 1)
      await scope.quiescence()
      attempts = monitors.events == seen ? attempts + 1 : 0
      seen = monitors.events
    }
    guard atEnd else { return }
    await awaitReleases()
    await monitors.findEndlessTasks()
  }

  /// Waits up to 200 ms of real time for objects that another thread of a simulated execution may hold for a moment.
  private nonisolated(nonsending) func awaitReleases() async {
    var tries = 200
    while tries > 0, monitors.isUnsettled(atEnd: true), scope.letThreadsRun() {
      await scope.quiescence()
      tries -= 1
    }
  }

  func checkAtRest() { monitors.checkAtRest() }
  @MainActor func end(_ root: Root) async { await root.interactable.deactivate() }
  func checkAtEnd() { monitors.checkAtEnd() }
}
