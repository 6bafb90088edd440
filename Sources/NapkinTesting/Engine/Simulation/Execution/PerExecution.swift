// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value for each execution that has one, until that execution is over.
package final class PerExecution<Value: Sendable>: Sendable {
  private let values = Mutex<[ObjectIdentifier: Value]>([:])

  package init() {}

  package subscript(_ scope: any ExecutionScope) -> Value? { values.withLock { $0[ObjectIdentifier(scope)] } }

  /// Sets the value of an execution, or another one.
  package func set(_ value: Value, in scope: any ExecutionScope) { put(value, in: scope) { _, new in new } }

  /// Returns the value of an execution, which the first call makes.
  package func value(in scope: any ExecutionScope, or make: () -> Value) -> Value {
    // Outside the lock: making a value may need another one.
    self[scope] ?? put(make(), in: scope) { old, _ in old }
  }

  @discardableResult
  private func put(_ value: Value, in scope: any ExecutionScope, choosing: (Value, Value) -> Value) -> Value {
    let id = ObjectIdentifier(scope)
    let (chosen, isFirst) = values.withLock { values in
      let old = values[id]
      let chosen = old.map { choosing($0, value) } ?? value
      values[id] = chosen
      return (chosen, old == nil)
    }
    if isFirst { scope.whenOver { [self] in _ = values.withLock { $0.removeValue(forKey: id) } } }
    return chosen
  }
}
