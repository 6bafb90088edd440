// SPDX-License-Identifier: Apache-2.0

/// The argument of an action: a drawn value, or one that an earlier action has put into a pool.
public struct FuzzInput<Value: Sendable>: Sendable {
  enum Source: Sendable {
    case value(Value)
    /// By its place before the newest, modulo the number of values.
    case pool(ValuePool<Value>, back: Int, isTaken: Bool)
  }

  struct Drawn: Sendable {
    let source: Source
    let isShown: Bool
    var update: (@Sendable (inout FuzzModelStates) -> Void)?

    func title(of action: String) -> String {
      switch source {
      case .value(let value): isShown ? "\(action) \(value)" : action
      case .pool(_, back: 0, _): action
      case .pool(let pool, let back, _): "\(action) (\(pool.name), \(back) before the newest)"
      }
    }
  }

  let generator: @Sendable (FuzzModelStates) -> Gen<Drawn>?
  var pool: String?
  var followsModel = false

  /// A value of a generator, which the report shows and shrinking makes small.
  ///
  /// A value that is drawn so shrinks better than one that the action draws while it runs.
  public static func drawn(_ values: Gen<Value>) -> FuzzInput {
    let generator = values.map { Drawn(source: .value($0), isShown: true) }
    return FuzzInput { _ in generator }
  }

  /// A value that depends on the state of a model, such as one of the keys that are in use.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - values: How to draw a value in a state; where it returns nil, the action is not drawn.
  ///   - update: How the action changes the state, given the value.
  /// - Returns: The input.
  public static func drawn<State>(
    from model: FuzzModel<State>, _ values: @escaping @Sendable (State) -> Gen<Value>?,
    updating update: @escaping @Sendable (inout State, Value) -> Void = { _, _ in }
  ) -> FuzzInput {
    FuzzInput(
      generator: { states in
        values(states[model])?.map { value in
          Drawn(source: .value(value), isShown: true) { states in update(&states[model], value) }
        }
      }, followsModel: true)
  }

  /// A value of a pool, which stays there; while the pool is empty, the action is skipped.
  public static func from(_ pool: ValuePool<Value>) -> FuzzInput { pooled(pool, isTaken: false) }

  /// A value of a pool, which is taken out of it; while the pool is empty, the action is skipped.
  public static func taken(from pool: ValuePool<Value>) -> FuzzInput { pooled(pool, isTaken: true) }

  private static func pooled(_ pool: ValuePool<Value>, isTaken: Bool) -> FuzzInput {
    // Zero is the newest: the actions that made the older ones can then be shrunk away.
    let generator = Gen<Int>.int(in: 0...15).map { back in
      Drawn(source: .pool(pool, back: back, isTaken: isTaken), isShown: false)
    }
    return FuzzInput(generator: { _ in generator }, pool: pool.name)
  }
}

extension FuzzInput<Void> {
  static var none: FuzzInput {
    let generator = Gen<Drawn>.just(Drawn(source: .value(()), isShown: false))
    return FuzzInput { _ in generator }
  }
}
