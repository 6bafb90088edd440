// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Observes the creation and the end of objects, such as a leak check.
package protocol LifetimeObserver: AnyObject, Sendable {
  /// An object with this name was created; the returned number identifies it.
  func began(_ name: String) -> Int

  /// The object with this number was deallocated.
  func ended(_ number: Int)

  /// The doubles that have recorded something.
  var recorded: RecordedObjects { get }
}

/// A part of a double that lives exactly as long as the double, and reports its end to the observer of the test.
package final class Lifetime: Sendable {
  /// The observer of the running test.
  @TaskLocal package static var observer: (any LifetimeObserver)?

  private let entry: (observer: any LifetimeObserver, number: Int)?

  /// Reports the creation to the observer, if there is one.
  package init(of name: @autoclosure () -> String) {
    entry = Lifetime.observer.map { ($0, $0.began(name())) }
  }

  deinit {
    entry.map { $0.observer.ended($0.number) }
  }
}

/// Judges the calls of an execution's doubles when they are made: a request may take its time until it is recorded.
enum DoubleCalls {
  typealias Judge = @Sendable (_ recorder: ObjectIdentifier, _ call: () -> String) -> Void

  static let judges = PerExecution<Judge>()
}

/// The doubles that have recorded something in a test or an execution, whose leaks are looked for at its end.
///
/// A double that is handed its caller, as a listener, keeps it in its record, which no service does that it stands for. So it
/// forgets the objects that it has recorded before they are looked for.
package final class RecordedObjects: Sendable {
  private struct State: Sendable {
    var doubles: [ObjectIdentifier: @Sendable () -> Void] = [:]
    var isOver = false
  }

  // Of the executions whose leaks are looked for, by their scopes: a task-local value would make scheduling points.
  private static let ofExecutions = Mutex<[ObjectIdentifier: RecordedObjects]>([:])

  /// The doubles of the running test, and those of the execution.
  static var current: [RecordedObjects] {
    let scope = CurrentExecution.scope.map { ObjectIdentifier($0) }
    return [Lifetime.observer?.recorded, scope.flatMap { scope in ofExecutions.withLock { $0[scope] } }].compactMap(
      \.self)
  }

  /// Begins to keep the doubles of an execution, until it is over.
  func begin(in scope: any ExecutionScope) {
    let id = ObjectIdentifier(scope)
    Self.ofExecutions.withLock { $0[id] = self }
    scope.whenOver { Self.ofExecutions.withLock { _ = $0.removeValue(forKey: id) } }
  }

  private let state = Mutex(State())

  init() {}

  /// Enters a double, with a closure that forgets its objects.
  func enter(_ double: ObjectIdentifier, _ forgetObjects: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      state.doubles[double] = forgetObjects
      return state.isOver
    }
    if isOver { forgetObjects() }
  }

  /// Forgets all objects that were recorded, and those that will be.
  func forgetObjects() {
    let doubles = state.withLock { state in
      state.isOver = true
      return state.doubles.values
    }
    for forgetObjects in doubles { forgetObjects() }
  }

  /// Whether a value is an object or a closure, or has one in a part of it, three levels deep at most.
  static func isHeld(by value: Any, depth: Int = 3) -> Bool {
    if type(of: value) is AnyClass || "\(type(of: value))".contains("->") { return true }
    return depth > 0 && Mirror(reflecting: value).children.contains { isHeld(by: $0.value, depth: depth - 1) }
  }
}
