// SPDX-License-Identifier: Apache-2.0

import Meeting
import Synchronization

/// Keeps what is done in it apart.
final class Guard: Sendable {
  private let mutex = Mutex(())
  func callAsFunction(_ work: () -> Void) { mutex.withLock { _ in work() } }
}

/// Uses a value such that no compiler leaves out how it was read.
@inline(never)
func use<Value>(_ value: Value) {}

/// Runs two functions at the same time, in two tasks.
func both(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) async {
  async let one: Void = {
    meet()
    first()
  }()
  async let two: Void = {
    meet()
    second()
  }()
  _ = await (one, two)
}

extension Program {
  /// The programs on a place: two accesses that nothing orders, and the same under one lock and one after the other.
  static func programs(_ place: Place) -> [Program] {
    let pairs: [(String, @Sendable (Sides) -> (@Sendable () -> Void, @Sendable () -> Void))] = [
      ("two writes", { ($0.write, $0.writeAgain) }), ("write and read", { ($0.write, $0.read) }),
    ]
    return pairs.flatMap { access, pair in
      [
        Program("no order", race: true, storage: place.name, access: access) {
          let (first, second) = pair(place.make())
          await both(first, second)
        },
        Program("Mutex", race: false, storage: place.name, access: access) {
          let (first, second) = pair(place.make())
          let lock = Guard()
          await both({ lock(first) }, { lock(second) })
        },
        Program("await", race: false, storage: place.name, access: access) {
          let (first, second) = pair(place.make())
          await Task.detached { first() }.value
          await Task.detached { second() }.value
        },
      ]
    }
  }
}
