// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Runs random actions on a system from several concurrent callers, and finds a smallest sequence that breaks an invariant.
///
/// ```swift
/// await Fuzzer { Account(balance: 100) }
///   .action("deposit") { await $0.deposit(10) }
///   .action(
///     FuzzAction("withdraw", with: .drawn(.int(in: 1...100))) { account, amount in await account.withdraw(amount) }
///   )
///   .invariant("never overdrawn") { await $0.balance >= 0 }
///   .check(executions: 1_000)
/// ```
///
/// In each execution a new system is made, the drawn actions are run under a drawn interleaving, and the system is
/// released. The system is anything that is `Sendable`: an actor, a store, a struct of several. Its environment is a
/// ``FuzzContext``. For a tree of napkins there is ``TreeFuzzer``, which watches the lifecycle contract, too.
public struct Fuzzer<System: Sendable>: Sendable {
  let make: @isolated(any) @Sendable () async -> System
  var tearDown: (@isolated(any) @Sendable (System) async -> Void)?
  var actions: [FuzzAction<System>] = []
  var invariants: [FuzzInvariant<System>] = []
  /// The diagnostic for a wrong argument of the function that made the fuzzer, reported when it runs.
  var misuse: Diagnostic?

  /// Sets up a fuzzer for the systems that a closure makes, one for each execution.
  public init(_ make: @escaping @Sendable () async -> System) {
    self.make = make
  }

  init(making make: @escaping @isolated(any) @Sendable () async -> System) {
    self.make = make
  }

  /// Adds an action without an argument.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - weight: The share of draws, relative to the weights of the other actions.
  ///   - sourceLocation: The line at which a wrong weight, or an action that never ran, is recorded.
  ///   - perform: Runs the action.
  /// - Returns: A fuzzer with this action.
  public func action(
    _ name: String, weight: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @Sendable (System) async -> Void
  ) -> Self {
    action(FuzzAction(name, sourceLocation: sourceLocation, perform: perform).weight(weight))
  }

  /// Adds an action.
  public func action(_ action: FuzzAction<System>) -> Self {
    changed(self) { $0.actions.append(action) }
  }

  /// Adds an invariant, checked when every action has returned and no task is ready, and before any action.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - checkpoint: When it is checked.
  ///   - holds: Whether it holds.
  /// - Returns: A fuzzer with this invariant.
  public func invariant(
    _ name: String, checked checkpoint: InvariantCheckpoint = .atRest,
    _ holds: @escaping @Sendable (System) async -> Bool
  ) -> Self {
    adding(FuzzInvariant(name: name, checkpoint: checkpoint) { system, _ in await holds(system) })
  }

  /// Adds an invariant that compares the system at rest with a model.
  ///
  /// The model has followed all actions in the order of the report. With overlapping callers that is only one of the orders
  /// in which they may have run: pass `concurrency: 1`, or compare values that no order changes. Once an action was skipped, it is
  /// not checked any more in that execution.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - model: The model.
  ///   - holds: Whether the system is as the model says.
  /// - Returns: A fuzzer with this invariant.
  public func invariant<State>(
    _ name: String, of model: FuzzModel<State>, _ holds: @escaping @Sendable (System, State) async -> Bool
  ) -> Self {
    adding(
      FuzzInvariant(name: name, checkpoint: .atRest, followsModel: true) { system, states in
        await holds(system, states[model])
      })
  }

  /// Ends each system with a closure, before it is released, such as by cancelling its work; further closures run after it.
  public func tearingDown(_ tearDown: @escaping @Sendable (System) async -> Void) -> Self {
    changed(self) { [earlier = self.tearDown] in
      $0.tearDown = { system in
        await earlier?(system)
        await tearDown(system)
      }
    }
  }

  func adding(_ invariant: FuzzInvariant<System>) -> Self {
    changed(self) { $0.invariants.append(invariant) }
  }

  /// Fuzzes the system without recording an issue.
  ///
  /// ``check(executions:actions:concurrency:strategy:seed:sourceLocation:)`` describes the parameters.
  public func run(
    executions: Int? = nil, actions: ClosedRange<Int> = 1...16, concurrency: Int = 3,
    strategy: Explorer.Strategy = .portfolio, seed: UInt64? = nil
  ) async -> Exploration {
    let context = Explorer(executions: executions, strategy: strategy, seed: seed).asked(by: "Fuzzer.run")
    return await run(context, actions, concurrency, systems)
  }

  /// Fuzzes the system, and records one issue if an execution failed.
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
    let context = Explorer(executions: executions, strategy: strategy, seed: seed).asked(by: "Fuzzer.check")
    return await check(context, actions, concurrency, sourceLocation, systems)
  }

  /// The same, by an exploration that may be set up otherwise.
  @discardableResult
  package func check(
    by context: SearchContext, actions: ClosedRange<Int> = 1...16, concurrency: Int = 3,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Exploration {
    await check(context, actions, concurrency, sourceLocation, systems)
  }

  private func systems(_ programs: Gen<FuzzProgram<System>>) async {
    guard let scope = CurrentExecution.scope else { return }
    await FuzzExecution(
      fuzzer: self, surroundings: PlainSurroundings(fuzzer: self, scope: scope),
      program: scope.draw(programs, nil) { $0.story }, scope: scope, silenced: [], isOnMainActor: false
    ).run()
  }
}

/// A system is made, torn down, and has no rules but its invariants.
private struct PlainSurroundings<System: Sendable>: FuzzSurroundings {
  let fuzzer: Fuzzer<System>
  let scope: any ExecutionScope

  func begins(_ action: String) {}

  nonisolated(nonsending) func begin() async -> System { await fuzzer.make() }
  nonisolated(nonsending) func settle(atEnd: Bool) async { await scope.quiescence() }
  func checkAtRest() {}
  nonisolated(nonsending) func end(_ system: System) async { await fuzzer.tearDown?(system) }
  func checkAtEnd() {}
}

extension Fuzzer {
  /// Runs one execution of a drawn program.
  typealias Life = @Sendable (Gen<FuzzProgram<System>>) async -> Void

  func run(
    _ context: SearchContext, _ actions: ClosedRange<Int>, _ concurrency: Int, _ life: @escaping Life
  ) async -> Exploration {
    if let misuse = misuse(actions: actions, concurrency: concurrency) { return .failed(misuse, seed: 0) }
    var exploration = await context.run(body(actions, concurrency, life))
    exploration.diagnostics += FuzzTally(exploration)?.warnings(of: self.actions) ?? []
    return exploration
  }

  func check(
    _ context: SearchContext, _ actions: ClosedRange<Int>, _ concurrency: Int, _ sourceLocation: SourceLocation,
    _ life: @escaping Life
  ) async -> Exploration {
    if let misuse = misuse(actions: actions, concurrency: concurrency) {
      return .failed(misuse, recordedAt: sourceLocation)
    }
    return await context.check(
      sourceLocation: sourceLocation, body(actions, concurrency, life)
    ) { FuzzTally($0)?.warnings(of: self.actions) ?? [] }
  }

  private func body(
    _ actions: ClosedRange<Int>, _ concurrency: Int, _ life: @escaping Life
  ) -> @Sendable () async -> Void {
    let programs = FuzzProgram.generator(self.actions, count: actions, callers: concurrency)
    return { await life(programs) }
  }

  /// The diagnostic for a wrong argument of `run` or `check`, if there is one.
  private func misuse(actions count: ClosedRange<Int>, concurrency: Int) -> Diagnostic? {
    if let misuse { return misuse }
    let name = "The fuzzer of \(System.self)"
    if actions.isEmpty {
      return Diagnostic(
        .misuse, "\(name) has no actions.",
        likelyCause: "no call of .action(…) comes before .run(…) or .check(…).",
        suggestion: """
          add what can be done to the system, such as .action("tap profile") { await $0.interactor.didTapProfile() }.
          """)
    }
    if let action = actions.first(where: { $0.weight <= 0 }) {
      return Diagnostic(
        .misuse,
        "\(name) has the action \"\(action.name)\" with the weight \(action.weight), so it could never be drawn.",
        likelyCause: "a weight is how often an action is drawn beside the others.",
        suggestion: "pass a positive weight, or leave the action out.", at: action.sourceLocation)
    }
    if count.lowerBound < 0 {
      return Diagnostic(
        .misuse, "\(name) was given actions: \(count), a negative number of them.",
        likelyCause: "the range was computed, or mistyped.",
        suggestion: "pass a range that begins at 0 or more, such as 1...16.")
    }
    if count.upperBound == 0 {
      return Diagnostic(
        .misuse, "\(name) was given actions: \(count), so no action would be run.",
        likelyCause: "the range was computed, or mistyped.", suggestion: "pass a range such as 1...16.")
    }
    if !(1...1_000).contains(concurrency) {
      return Diagnostic(
        .misuse, "\(name) was given concurrency: \(concurrency), and runs 1 to 1000 callers.",
        likelyCause: "the number was computed, or mistyped.",
        suggestion: "pass 1 for one caller at a time, or a few more.")
    }
    return nil
  }
}

/// A copy of a value, with a change.
func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var copy = value
  change(&copy)
  return copy
}
