// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// What the actions of one execution have in common: the root, who calls, and the values that they hand on.
@MainActor
final class FuzzRun<Root: Routing> {
  /// Nil once it was released.
  private(set) var root: Root?

  /// Those who run the actions of the round at hand.
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

  /// Lets go of the root; who runs an action at the moment holds it until that is done.
  func releaseRoot() { root = nil }

  /// Cancels one of those who run actions, if there are so many.
  func cancelCaller(_ number: Int) -> Bool {
    guard callers.indices.contains(number - 1) else { return false }
    callers[number - 1].cancel()
    return true
  }

  /// Forgets everything, so that only leaks are left.
  func end() {
    root = nil
    pools = [:]
    callers = []
  }

  /// Takes a value over from an action, and says what it is called.
  func put<Value>(_ value: Value, in pool: ValuePool<Value>) -> String {
    var own = pools[pool.id] ?? Pool()
    own.handed += 1
    own.values.append((own.handed, value))
    pools[pool.id] = own
    return "\(pool.name) \(own.handed)"
  }

  /// The value so many places before the newest, counted round and round; nil if there is none.
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
