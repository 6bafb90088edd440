// SPDX-License-Identifier: Apache-2.0

public import Napkin
public import Testing

/// Attaches, detaches and taps at random, from several callers at once, and finds the shortest story that breaks a tree.
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
/// rules of the lifecycle contract are watched throughout, and in the end nothing of the tree may be left.
public struct TreeFuzzer<Root: Routing>: Sendable {
  let build: @MainActor @Sendable () async -> Root
  var actions: [FuzzAction<Root>] = []
  var invariants: [FuzzInvariant<Root>] = []
  var allowsMisuse = false
  var isWatched = true

  /// Sets up a fuzzer for the trees that a closure builds.
  ///
  /// - Parameter build: Makes a tree that nobody else knows, with doubles for what is outside the app. It is called once
  ///   an execution.
  public init(_ build: @escaping @MainActor @Sendable () async -> Root) {
    self.build = build
  }

  /// Adds something that a user, or the world, can do to the tree.
  ///
  /// - Parameters:
  ///   - name: What the story of a failure calls it.
  ///   - weight: How often it is drawn, beside the weights of the others.
  ///   - sourceLocation: Where to record that the weight is wrong.
  ///   - perform: Does it. Values can be drawn here, too, with ``Execution/draw(_:_:sourceLocation:)``.
  /// - Returns: A fuzzer with this action, too.
  public func action(
    _ name: String, weight: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (Root) async -> Void
  ) -> Self {
    let step = FuzzStep(title: name, perform: perform)
    return adding(FuzzAction(name: name, weight: weight, sourceLocation: sourceLocation, step: .just(step)))
  }

  /// Adds something that can be done to the tree in many ways.
  ///
  /// ```swift
  /// .action("open", drawing: .int(in: 0...9)) { root, row in await root.interactor.didSelect(row) }
  /// ```
  ///
  /// A value that is drawn here shrinks better than one drawn while the action runs, and the story tells it.
  ///
  /// - Parameters:
  ///   - name: What the story of a failure calls it, before the value.
  ///   - argument: How to draw the value.
  ///   - weight: How often it is drawn, beside the weights of the others.
  ///   - sourceLocation: Where to record that the weight is wrong.
  ///   - perform: Does it.
  /// - Returns: A fuzzer with this action, too.
  public func action<Argument: Sendable>(
    _ name: String,
    drawing argument: Gen<Argument>,
    weight: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (Root, Argument) async -> Void
  ) -> Self {
    let step = argument.map { value in
      FuzzStep<Root>(title: "\(name) \(value)") { root in await perform(root, value) }
    }
    return adding(FuzzAction(name: name, weight: weight, sourceLocation: sourceLocation, step: step))
  }

  private func adding(_ action: FuzzAction<Root>) -> Self {
    var copy = self
    copy.actions.append(action)
    return copy
  }

  /// Adds something that has to hold whenever the tree is at rest.
  ///
  /// The tree is at rest when every action has returned and nobody is ready to do anything. In the middle of a swap an
  /// invariant may well be broken, so it is not looked at there.
  ///
  /// - Parameters:
  ///   - name: What the report of a failure calls it.
  ///   - holds: Whether it holds.
  /// - Returns: A fuzzer with this invariant, too.
  public func invariant(_ name: String, _ holds: @escaping @MainActor @Sendable (Root) async -> Bool) -> Self {
    var copy = self
    copy.invariants.append(FuzzInvariant(name: name, holds: holds))
    return copy
  }

  /// Lets calls that the contract calls misuse (M1) pass: they have to leave the tree as it was, and that is watched.
  ///
  /// - Returns: A fuzzer that does not fail for a misuse.
  public func misuseIsAllowed() -> Self {
    var copy = self
    copy.allowsMisuse = true
    return copy
  }

  /// Leaves the rules of the contract unwatched: only the invariants given here can fail.
  ///
  /// A sleeping callback is not waited for then, so a seed may stand for other executions than with monitors. A misuse is
  /// nobody's: in a debug build it traps.
  ///
  /// - Returns: A fuzzer without monitors.
  public func unwatched() -> Self {
    var copy = self
    copy.isWatched = false
    return copy
  }

  /// Fuzzes the tree and reports nothing: the result says what was found.
  ///
  /// - Parameters:
  ///   - executions: How many executions to run at most; it stops at the first that fails.
  ///   - actions: How many actions an execution has.
  ///   - concurrency: How many callers run actions at the same time.
  ///   - strategy: How the next job is picked.
  ///   - seed: Where all randomness comes from.
  /// - Returns: What was found.
  public func run(
    executions: Int = 1_000, actions: ClosedRange<Int> = 1...16, concurrency: Int = 3,
    strategy: Explorer.Strategy = .portfolio, seed: UInt64? = nil
  ) async -> Exploration {
    if let misuse = misuse(actions: actions, concurrency: concurrency) { return misuse }
    return await Explorer(executions: executions, strategy: strategy, seed: seed).run(lives(actions, concurrency))
  }

  /// Fuzzes the tree, and records one issue if an execution failed.
  ///
  /// - Parameters:
  ///   - executions: How many executions to run at most; it stops at the first that fails.
  ///   - actions: How many actions an execution has.
  ///   - concurrency: How many callers run actions at the same time.
  ///   - strategy: How the next job is picked.
  ///   - seed: Where all randomness comes from.
  ///   - sourceLocation: Where to record the failure.
  /// - Returns: What was found.
  @discardableResult
  public func check(
    executions: Int = 1_000, actions: ClosedRange<Int> = 1...16, concurrency: Int = 3,
    strategy: Explorer.Strategy = .portfolio, seed: UInt64? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Exploration {
    if let misuse = misuse(actions: actions, concurrency: concurrency) {
      misuse.failure?.record(of: misuse, sourceLocation: sourceLocation)
      return misuse
    }
    return await Explorer(executions: executions, strategy: strategy, seed: seed)
      .check(sourceLocation: sourceLocation, lives(actions, concurrency))
  }

  /// The body of the exploration: one life of a tree after the other.
  private func lives(_ actions: ClosedRange<Int>, _ concurrency: Int) -> @Sendable () async -> Void {
    let programs = TreeProgram.generator(self.actions, count: actions, callers: concurrency)
    return { await FuzzExecution(self, programs).run() }
  }
}

/// Something that can be done to a tree, and how to draw what it is done with.
struct FuzzAction<Root: Routing>: Sendable {
  let name: String
  let weight: Int
  let sourceLocation: SourceLocation
  let step: Gen<FuzzStep<Root>>
}

/// An action that was drawn, with everything that it needs.
struct FuzzStep<Root: Routing>: Sendable {
  let title: String
  let perform: @MainActor @Sendable (Root) async -> Void
}

/// Something that has to hold at rest.
struct FuzzInvariant<Root: Routing>: Sendable {
  let name: String
  let holds: @MainActor @Sendable (Root) async -> Bool
}
