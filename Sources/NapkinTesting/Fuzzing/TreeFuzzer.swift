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
/// In each execution a new tree is built, activated and loaded as a launch would, the drawn actions are run, and the tree
/// is deactivated and released. All of it happens under a drawn interleaving. Besides the invariants given here, the
/// rules of the lifecycle contract are watched throughout, and in the end nothing of the tree may be left. A rule can be
/// switched off, with ``ignoring(_:)-(LifecycleRule...)``, and a monitor of your own added, with ``monitor(_:_:)``.
public struct TreeFuzzer<Root: Routing>: Sendable {
  let build: @MainActor @Sendable () async -> Root
  var actions: [FuzzAction<Root>] = []
  var invariants: [FuzzInvariant<Root>] = []
  var monitors: [FuzzMonitor<Root>] = []
  var silenced: Set<LifecycleRule> = []
  var isWatched = true

  /// Sets up a fuzzer for the trees that a closure builds.
  ///
  /// - Parameter build: Makes a tree that is not shared with other code, with doubles for what is outside the app. It is
  ///   called once for each execution.
  public init(_ build: @escaping @MainActor @Sendable () async -> Root) {
    self.build = build
  }

  /// Fuzzes the tree without recording an issue.
  ///
  /// - Parameters:
  ///   - executions: The most executions to run; the first failure ends the exploration.
  ///   - actions: The number of actions of an execution.
  ///   - concurrency: The number of concurrent callers.
  ///   - strategy: Selects the next job.
  ///   - seed: The seed of all random decisions.
  /// - Returns: The result of the exploration.
  public func run(
    executions: Int = 1_000, actions: ClosedRange<Int> = 1...16, concurrency: Int = 3,
    strategy: Explorer.Strategy = .portfolio, seed: UInt64? = nil
  ) async -> Exploration {
    if let misuse = misuse(actions: actions, concurrency: concurrency) { return .failed(misuse, seed: 0) }
    let tally = FuzzTally(actions: self.actions.count)
    var exploration = await Explorer(executions: executions, strategy: strategy, seed: seed)
      .run(lives(actions, concurrency, tally))
    exploration.diagnostics += await tally.warnings(exploration, of: self.actions)
    return exploration
  }

  /// Fuzzes the tree, and records one issue if an execution failed.
  ///
  /// An action that never did anything, since it was never drawn or its precondition never held, is a warning at the
  /// line where it was added.
  ///
  /// - Parameters:
  ///   - executions: The most executions to run; the first failure ends the exploration.
  ///   - actions: The number of actions of an execution.
  ///   - concurrency: The number of concurrent callers.
  ///   - strategy: Selects the next job.
  ///   - seed: The seed of all random decisions.
  ///   - sourceLocation: The line at which a failure is recorded.
  /// - Returns: The result of the exploration.
  @discardableResult
  public func check(
    executions: Int = 1_000, actions: ClosedRange<Int> = 1...16, concurrency: Int = 3,
    strategy: Explorer.Strategy = .portfolio, seed: UInt64? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Exploration {
    if let misuse = misuse(actions: actions, concurrency: concurrency) {
      let exploration = Exploration.failed(misuse, seed: 0)
      exploration.failure?.record(of: exploration, sourceLocation: sourceLocation)
      return exploration
    }
    let tally = FuzzTally(actions: self.actions.count)
    return await Explorer(executions: executions, strategy: strategy, seed: seed).check(
      sourceLocation: sourceLocation, lives(actions, concurrency, tally)
    ) { await tally.warnings($0, of: self.actions) }
  }

  /// The body of the exploration: one life of a tree after the other.
  private func lives(
    _ actions: ClosedRange<Int>, _ concurrency: Int, _ tally: FuzzTally
  ) -> @Sendable () async -> Void {
    let programs = TreeProgram.generator(self.actions, count: actions, callers: concurrency)
    return { await FuzzExecution(self, programs, tally).run() }
  }
}
