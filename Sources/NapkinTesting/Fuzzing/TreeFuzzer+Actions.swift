// SPDX-License-Identifier: Apache-2.0

internal import Napkin
public import Testing

extension TreeFuzzer {
  /// Whether an action makes sense now; checked right before it would run, by the caller that would run it.
  public typealias Precondition = @MainActor @Sendable (Root) async -> Bool

  /// Adds an action that a user or a service can perform on the tree.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - weight: The share of draws, relative to the weights of the other actions.
  ///   - precondition: Whether it makes sense now; where it does not, the action is skipped.
  ///   - sourceLocation: The line at which a wrong weight is recorded.
  ///   - perform: Runs the action. Values can be drawn here, too, with ``Execution/draw(_:_:sourceLocation:)``.
  /// - Returns: A fuzzer with this action.
  public func action(
    _ name: String, weight: Int = 1, when precondition: Precondition? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (Root) async -> Void
  ) -> Self {
    adding(name, weight, precondition, sourceLocation, .just(name)) { root, _, _ in
      await perform(root)
      return ""
    }
  }

  /// Adds an action with a drawn argument.
  ///
  /// ```swift
  /// .action("open", drawing: .int(in: 0...9)) { root, row in await root.interactor.didSelect(row) }
  /// ```
  ///
  /// A value that is drawn here shrinks better than one drawn while the action runs, and the report shows it.
  ///
  /// - Parameters:
  ///   - name: The name in reports, before the value.
  ///   - argument: How to draw the value.
  ///   - weight: The share of draws, relative to the weights of the other actions.
  ///   - precondition: Whether it makes sense now; where it does not, the action is skipped.
  ///   - sourceLocation: The line at which a wrong weight is recorded.
  ///   - perform: Runs the action.
  /// - Returns: A fuzzer with this action.
  public func action<Argument: Sendable>(
    _ name: String,
    drawing argument: Gen<Argument>,
    weight: Int = 1,
    when precondition: Precondition? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (Root, Argument) async -> Void
  ) -> Self {
    adding(name, weight, precondition, sourceLocation, argument) { root, value, _ in
      await perform(root, value)
      return ""
    } title: {
      "\(name) \($0)"
    }
  }

  /// Adds an action that makes a value for later actions.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - pool: Where its result goes.
  ///   - weight: The share of draws, relative to the weights of the other actions.
  ///   - precondition: Whether it makes sense now; where it does not, the action is skipped.
  ///   - sourceLocation: The line at which a wrong weight is recorded.
  ///   - perform: Runs the action and returns the value; nil if there is none.
  /// - Returns: A fuzzer with this action.
  public func action<Value>(
    _ name: String,
    into pool: ValuePool<Value>,
    weight: Int = 1,
    when precondition: Precondition? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (Root) async -> Value?
  ) -> Self {
    adding(name, weight, precondition, sourceLocation, .just(name)) { root, _, run in
      guard let value = await perform(root) else { return "" }
      return ", makes \(run.put(value, in: pool))"
    }
  }

  /// Adds an action with a value, made by an earlier action, that stays in its pool.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - pool: Where to find what it is about; while that is empty, the action is skipped.
  ///   - weight: The share of draws, relative to the weights of the other actions.
  ///   - precondition: Whether it makes sense now; where it does not, the action is skipped.
  ///   - sourceLocation: The line at which a wrong weight is recorded.
  ///   - perform: Runs the action.
  /// - Returns: A fuzzer with this action.
  public func action<Value>(
    _ name: String,
    from pool: ValuePool<Value>,
    weight: Int = 1,
    when precondition: Precondition? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (Root, Value) async -> Void
  ) -> Self {
    taking(name, pool, isTaken: false, weight, precondition, sourceLocation, perform)
  }

  /// Adds an action that takes a value, made by an earlier action, out of a pool.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - pool: Where to take what it is about; while that is empty, the action is skipped.
  ///   - weight: The share of draws, relative to the weights of the other actions.
  ///   - precondition: Whether it makes sense now; where it does not, the action is skipped.
  ///   - sourceLocation: The line at which a wrong weight is recorded.
  ///   - perform: Runs the action.
  /// - Returns: A fuzzer with this action.
  public func action<Value>(
    _ name: String,
    consuming pool: ValuePool<Value>,
    weight: Int = 1,
    when precondition: Precondition? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    perform: @escaping @MainActor @Sendable (Root, Value) async -> Void
  ) -> Self {
    taking(name, pool, isTaken: true, weight, precondition, sourceLocation, perform)
  }

  private func taking<Value>(
    _ name: String, _ pool: ValuePool<Value>, isTaken: Bool, _ weight: Int, _ precondition: Precondition?,
    _ sourceLocation: SourceLocation, _ perform: @escaping @MainActor @Sendable (Root, Value) async -> Void
  ) -> Self {
    // Zero is the newest: the actions that made the older ones can then be shrunk away.
    let back = Gen<Int>.int(in: 0...15)
    let pooled = FuzzAction<Root>.Condition.pool(pool.name)
    return adding(name, weight, precondition, sourceLocation, back, condition: pooled) { root, back, run in
      guard let (name, value) = run.value(of: pool, back: back, isTaken: isTaken) else { return nil }
      await perform(root, value)
      return ", with \(name)"
    } title: {
      $0 == 0 ? name : "\(name) (\(pool.name), \($0) before the newest)"
    }
  }

  private func adding<Argument: Sendable>(
    _ name: String, _ weight: Int, _ precondition: Precondition?, _ sourceLocation: SourceLocation,
    _ argument: Gen<Argument>, condition: FuzzAction<Root>.Condition? = nil,
    _ perform: @escaping @MainActor @Sendable (Root, Argument, FuzzRun<Root>) async -> FuzzStep<Root>.Outcome,
    title: @escaping @Sendable (Argument) -> String = { "\($0)" }
  ) -> Self {
    let step = argument.map { value in
      FuzzStep<Root>(title: title(value)) { root, run in
        if let precondition, !(await precondition(root)) { return nil }
        return await perform(root, value, run)
      }
    }
    return adding(
      FuzzAction(
        name: name, weight: weight, sourceLocation: sourceLocation,
        condition: precondition == nil ? condition : .precondition, step: step))
  }

  /// The same fuzzer with one more action.
  func adding(_ action: FuzzAction<Root>) -> Self {
    var copy = self
    copy.actions.append(action)
    return copy
  }
}
