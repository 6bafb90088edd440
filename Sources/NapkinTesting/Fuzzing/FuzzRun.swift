// SPDX-License-Identifier: Apache-2.0

internal import Napkin
internal import Synchronization

/// The shared state of the actions of one execution: the system, the callers, and the value pools.
final class FuzzRun<System: Sendable>: Sendable {
  private struct Pool: Sendable {
    var handed = 0
    var values: [(number: Int, value: any Sendable)] = []
  }

  private struct State: Sendable {
    var system: System?
    var callers: [Task<Void, Never>] = []
    var pools: [ObjectIdentifier: Pool] = [:]
    var hasSkipped = false
  }

  private let state: Mutex<State>

  /// The rules that are not watched.
  let silenced: Set<LifecycleRule>

  init(_ system: System, without silenced: Set<LifecycleRule> = []) {
    state = Mutex(State(system: system))
    self.silenced = silenced
  }

  /// Nil once it was released.
  var system: System? { state.withLock { $0.system } }

  /// The tasks that run the actions of the current round.
  var callers: [Task<Void, Never>] {
    get { state.withLock { $0.callers } }
    set { state.withLock { $0.callers = newValue } }
  }

  /// Whether an action that was drawn has not run, so that the models do not describe the system any more.
  var hasSkipped: Bool {
    get { state.withLock { $0.hasSkipped } }
    set { state.withLock { $0.hasSkipped = newValue } }
  }

  /// Releases the system; a caller that is running an action holds it until the action returns.
  func releaseSystem() { take { $0.system = nil } }

  /// Cancels the caller with a number, counted from one; returns false if there is none.
  func cancelCaller(_ number: Int) -> Bool {
    let callers = callers
    guard callers.indices.contains(number - 1) else { return false }
    callers[number - 1].cancel()
    return true
  }

  /// Releases everything, so that only leaks remain.
  func end() {
    take { state in
      state.system = nil
      state.pools = [:]
      state.callers = []
    }
  }

  // A release runs code of the test, and so happens outside the lock.
  private func take(_ change: (inout State) -> Void) {
    let before = state.withLock { state in
      let before = state
      change(&state)
      return before
    }
    withExtendedLifetime(before) {}
  }

  /// Adds a value of an action to a pool and returns its name.
  func put<Value: Sendable>(_ value: Value, in pool: ValuePool<Value>) -> String {
    state.withLock { state in
      var own = state.pools[pool.id] ?? Pool()
      own.handed += 1
      own.values.append((own.handed, value))
      state.pools[pool.id] = own
      return "\(pool.name) \(own.handed)"
    }
  }

  /// The value of an input, and a text about it for the log; nil if its pool is empty.
  func resolve<Value>(_ source: FuzzInput<Value>.Source) -> (value: Value, outcome: String)? {
    switch source {
    case .value(let value): return (value, "")
    case .pool(let pool, let back, let isTaken):
      return state.withLock { state in
        guard var own = state.pools[pool.id], !own.values.isEmpty else { return nil }
        let index = own.values.count - 1 - back % own.values.count
        let (number, any) = own.values[index]
        if isTaken {
          own.values.remove(at: index)
          state.pools[pool.id] = own
        }
        return (any as? Value).map { ($0, ", with \(pool.name) \(number)") }
      }
    }
  }
}
