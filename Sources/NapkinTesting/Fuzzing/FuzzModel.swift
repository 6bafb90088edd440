// SPDX-License-Identifier: Apache-2.0

/// The expected state of a fuzzed system, on which the next draws depend.
///
/// ```swift
/// let used = FuzzModel("keys in use", Set<Int>())
/// let fuzzer = Fuzzer { Cache() }
///   .action(
///     FuzzAction("store", with: .drawn(from: used, { _ in .int(in: 1...9) }, updating: { $0.insert($1) })) {
///       cache, key in
///       await cache.store(key)
///     }
///   )
///   .action(
///     FuzzAction("look up", with: .drawn(from: used) { $0.isEmpty ? nil : .element(of: $0.sorted()) }) { cache, key in
///       await cache.lookUp(key)
///     })
/// ```
///
/// A model is followed while a program is drawn, before anything runs, as if its actions ran one after the other in the
/// order of the report. So it can be shrunk with the program. Overlapping callers may run in another order; a condition
/// on the system itself at the time when an action runs is a precondition, `when(_:)`.
public struct FuzzModel<State: Sendable>: Sendable {
  /// The name in diagnostics.
  public let name: String

  let initial: State

  // Distinguishes models of one name and type.
  private let identity = Identity()

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - name: The name in diagnostics.
  ///   - initial: The state in which every execution begins.
  public init(_ name: String = "\(State.self)", _ initial: State) {
    self.name = name
    self.initial = initial
  }

  var id: ObjectIdentifier { ObjectIdentifier(identity) }

  private final class Identity: Sendable {}
}

/// The states of all models at one place of a program.
struct FuzzModelStates: Sendable {
  private var states: [ObjectIdentifier: any Sendable] = [:]

  subscript<State>(model: FuzzModel<State>) -> State {
    get { states[model.id] as? State ?? model.initial }
    set { states[model.id] = newValue }
  }
}
