// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// The shared state of the actions of one execution: the root, the callers, and the value pools.
@MainActor
final class FuzzRun<Root: Routing> {
  /// Nil once it was released.
  private(set) var root: Root?

  /// The tasks that run the actions of the current round.
  var callers: [Task<Void, Never>] = []

  private var pools: [ObjectIdentifier: Pool] = [:]

  private struct Pool {
    var handed = 0
    var values: [(number: Int, value: Any)] = []
  }

  /// The rules that are not watched.
  let silenced: Set<LifecycleRule>

  init(_ root: Root, without silenced: Set<LifecycleRule>) {
    self.root = root
    self.silenced = silenced
  }

  /// Releases the root; a caller that is running an action holds it until the action returns.
  func releaseRoot() { root = nil }

  /// Cancels the caller with a number, counted from one; returns false if there is none.
  func cancelCaller(_ number: Int) -> Bool {
    guard callers.indices.contains(number - 1) else { return false }
    callers[number - 1].cancel()
    return true
  }

  /// Releases everything, so that only leaks remain.
  func end() {
    root = nil
    pools = [:]
    callers = []
  }

  /// Adds a value of an action to a pool and returns its name.
  func put<Value>(_ value: Value, in pool: ValuePool<Value>) -> String {
    var own = pools[pool.id] ?? Pool()
    own.handed += 1
    own.values.append((own.handed, value))
    pools[pool.id] = own
    return "\(pool.name) \(own.handed)"
  }

  /// The value `back` positions before the newest, modulo the number of values; nil if there is none.
  func value<Value>(of pool: ValuePool<Value>, back: Int, isTaken: Bool) -> (name: String, value: Value)? {
    guard var own = pools[pool.id], !own.values.isEmpty else { return nil }
    let index = own.values.count - 1 - back % own.values.count
    let (number, any) = own.values[index]
    if isTaken {
      own.values.remove(at: index)
      pools[pool.id] = own
    }
    return (any as? Value).map { ("\(pool.name) \(number)", $0) }
  }
}
