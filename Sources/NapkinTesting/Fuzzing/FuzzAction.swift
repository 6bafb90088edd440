// SPDX-License-Identifier: Apache-2.0
public import Napkin
public import Testing

/// An operation on a fuzzed system, with its input and its preconditions.
///
/// ```swift
/// let sheets = ValuePool<SheetRouter>("sheet")
/// let fuzzer = TreeFuzzer { await RootBuilder().build() }
///   .action(FuzzAction("open", with: .drawn(.int(in: 0...9))) { root, row in await root.interactor.didSelect(row) })
///   .action(FuzzAction("open a sheet", into: sheets) { root in await root.openSheet() }.when { $0.children.isEmpty })
///   .action(FuzzAction("close", with: .taken(from: sheets)) { root, sheet in await root.close(sheet) })
/// ```
///
/// The closures run on the main actor if the system is a router, and off it otherwise.
public struct FuzzAction<System: Sendable>: Sendable {
  let name: String
  let sourceLocation: SourceLocation

  /// The file and the line where it was added.
  var line: String { "\(sourceLocation.fileName):\(sourceLocation.line)" }

  /// How often it is drawn beside the others.
  private(set) var weight = 1

  /// Whether it makes sense now, asked by the caller that would run it.
  private(set) var precondition: (@isolated(any) @Sendable (System) async -> Bool)?

  /// Whether the models allow it at its place of the program, or nil if it follows none.
  private(set) var isAllowed: (@Sendable (FuzzModelStates) -> Bool)?

  /// How it changes the models.
  private(set) var updates: [@Sendable (inout FuzzModelStates) -> Void] = []

  /// The pool that may be empty when it needs a value, by its name.
  let pool: String?

  /// Draws it with its arguments; nil where the models leave nothing to draw.
  let step: @Sendable (FuzzModelStates) -> Gen<FuzzStep<System>>?

  /// Whether its draws depend on a model.
  private(set) var followsModel: Bool

  /// Makes an action with access to the run, for the kit's own fuzzers.
  init(name: String, weight: Int, sourceLocation: SourceLocation, step: Gen<FuzzStep<System>>) {
    self.name = name
    self.weight = weight
    self.sourceLocation = sourceLocation
    self.step = { _ in step }
    pool = nil
    followsModel = false
  }

  private init<Value>(
    _ name: String, _ input: FuzzInput<Value>, _ sourceLocation: SourceLocation,
    _ act: nonisolated(nonsending) @escaping @Sendable (System, Value, FuzzRun<System>) async -> String
  ) {
    self.name = name
    self.sourceLocation = sourceLocation
    pool = input.pool
    followsModel = input.followsModel
    step = { states in
      input.generator(states)?.map { drawn in
        FuzzStep(title: drawn.title(of: name), updates: drawn.update.map { [$0] } ?? []) { system, run in
          guard let (value, outcome) = run.resolve(drawn.source) else { return nil }
          return outcome + (await act(system, value, run))
        }
      }
    }
  }

  init<Value>(
    _ name: String, with input: FuzzInput<Value>, at sourceLocation: SourceLocation,
    _ body: @escaping @isolated(any) @Sendable (System, Value) async -> Void
  ) {
    self.init(name, input, sourceLocation) { system, value, _ in
      await body(system, value)
      return ""
    }
  }

  init<Value, Made: Sendable>(
    _ name: String, with input: FuzzInput<Value>, into pool: ValuePool<Made>, at sourceLocation: SourceLocation,
    _ body: @escaping @isolated(any) @Sendable (System, Value) async -> Made?
  ) {
    self.init(name, input, sourceLocation) { system, value, run in
      guard let made = await body(system, value) else { return "" }
      return ", makes \(run.put(made, in: pool))"
    }
  }

  /// Sets how often the action is drawn.
  ///
  /// - Parameter weight: The share of draws, relative to the weights of the other actions; 1 by default.
  /// - Returns: The action with this weight.
  public func weight(_ weight: Int) -> Self {
    changed(self) { $0.weight = weight }
  }

  /// Draws the action only where the state of a model allows it at its place in the program.
  ///
  /// An action that the model does not allow is not drawn at all, while a precondition on the system skips a drawn one.
  public func when<State>(
    _ model: FuzzModel<State>, _ isAllowed: @escaping @Sendable (State) -> Bool
  ) -> Self {
    changed(self) {
      let other = $0.isAllowed
      $0.isAllowed = { states in (other?(states) ?? true) && isAllowed(states[model]) }
      $0.followsModel = true
    }
  }

  /// Changes the state of a model whenever the action is drawn.
  public func updating<State>(
    _ model: FuzzModel<State>, _ update: @escaping @Sendable (inout State) -> Void
  ) -> Self {
    changed(self) {
      $0.updates.append { states in update(&states[model]) }
      $0.followsModel = true
    }
  }

  func when(any precondition: @escaping @isolated(any) @Sendable (System) async -> Bool) -> Self {
    changed(self) { $0.precondition = precondition }
  }
}

// For any system: the closures run off the main actor.
extension FuzzAction {
  /// Makes an action without an argument.
  @_disfavoredOverload
  public init(
    _ name: String, sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @Sendable (System) async -> Void
  ) {
    self.init(name, with: .none, at: sourceLocation) { system, _ in await perform(system) }
  }

  /// Makes an action with an argument, drawn or from a pool.
  @_disfavoredOverload
  public init<Value>(
    _ name: String, with input: FuzzInput<Value>, sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @Sendable (System, Value) async -> Void
  ) {
    self.init(name, with: input, at: sourceLocation, perform)
  }

  /// Makes an action that makes a value for later actions, or nil if there is none this time.
  @_disfavoredOverload
  public init<Made: Sendable>(
    _ name: String, into pool: ValuePool<Made>, sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @Sendable (System) async -> Made?
  ) {
    self.init(name, with: .none, into: pool, at: sourceLocation) { system, _ in await perform(system) }
  }

  /// Skips the action where a precondition is false right before it would run.
  @_disfavoredOverload
  public func when(_ precondition: @escaping @Sendable (System) async -> Bool) -> Self { when(any: precondition) }
}

// For trees: the closures run on the main actor, as views do.
extension FuzzAction where System: Routing {
  /// Makes an action without an argument, which runs on the main actor.
  public init(
    _ name: String, sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (System) async -> Void
  ) {
    self.init(name, with: .none, at: sourceLocation) { @MainActor system, _ in await perform(system) }
  }

  /// Makes an action with an argument, drawn or from a pool, which runs on the main actor.
  public init<Value>(
    _ name: String, with input: FuzzInput<Value>, sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (System, Value) async -> Void
  ) {
    self.init(name, with: input, at: sourceLocation, perform)
  }

  /// Makes an action, run on the main actor, that makes a value for later actions, or nil if there is none this time.
  public init<Made: Sendable>(
    _ name: String, into pool: ValuePool<Made>, sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (System) async -> Made?
  ) {
    self.init(name, with: .none, into: pool, at: sourceLocation) { @MainActor system, _ in await perform(system) }
  }

  /// Skips the action where a precondition is false right before it would run.
  public func when(_ precondition: @escaping @MainActor @Sendable (System) async -> Bool) -> Self {
    when(any: precondition)
  }
}

/// Values that actions of a fuzzed system make for later ones, such as screens that they open.
///
/// ```swift
/// let sheets = ValuePool<SheetRouter>("sheet")
/// let fuzzer = TreeFuzzer { await RootBuilder().build() }
///   .action(FuzzAction("open a sheet", into: sheets) { root in await root.openSheet() })
///   .action(FuzzAction("drag", with: .from(sheets)) { _, sheet in await sheet.interactor.didDrag() })
///   .action(FuzzAction("close", with: .taken(from: sheets)) { root, sheet in await root.close(sheet) })
/// ```
///
/// Each execution begins with an empty pool and empties it before it looks for leaks, so a pool may be kept anywhere and
/// serve many fuzzers. An action that takes from an empty pool is skipped.
public struct ValuePool<Value>: Sendable {
  /// The name of a value of the pool in reports.
  public let name: String

  // Distinguishes pools of one name and type.
  private let identity = Identity()

  /// Makes a pool; the name stands for one of its values, with a number behind it.
  public init(_ name: String = "\(Value.self)") { self.name = name }

  var id: ObjectIdentifier { ObjectIdentifier(identity) }

  private final class Identity: Sendable {}
}
