// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A number that two tasks count up, in two accesses each time, so that an increment may be lost.
public struct Loss: Sendable, CustomStringConvertible {
  /// Where the number is.
  public let description: String

  /// Makes a new number: how it is counted up, and its value.
  public let make: @Sendable () -> (increment: @Sendable () -> Void, value: @Sendable () -> Int)

  private init<Storage: AnyObject>(
    _ name: String, _ storage: @escaping @Sendable () -> Storage, _ increment: @escaping @Sendable (Storage) -> Void,
    _ value: @escaping @Sendable (Storage) -> Int
  ) {
    description = name
    make = {
      nonisolated(unsafe) let storage = storage()
      return ({ increment(storage) }, { value(storage) })
    }
  }

  /// Counts up in two tasks, each that often; returns how many increments were lost.
  public func lost(of count: Int) async -> Int {
    let (increment, value) = make()
    await both({ for _ in 0..<count { increment() } }, { for _ in 0..<count { increment() } })
    return 2 * count - value()
  }

  private final class Numbers: Sendable {
    let mutex = Mutex(0)
    let atomic = Atomic(0)
    let lock = NSLock()
    nonisolated(unsafe) var locked = 0
  }

  private protocol Countable { var number: Int { get set } }
  private struct Counted: Countable { var number = 0 }
  private struct Large { var (number, a, b, c) = (0, "", "", "") }

  private final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
    func change(_ body: (Value) -> Value) { value = body(value) }
  }

  private final class Fields {
    var tuple = (0, 0)
    var optional: Int? = 0
    var small: Int32 = 0
    var large = Large()
    var any: any Countable = Counted()
    var wide: Any = 0
    let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    init() { pointer.initialize(to: 0) }
    deinit { pointer.deallocate() }
  }

  nonisolated(unsafe) private static var global = 0
  private final class Start {
    let value = global
  }

  /// All of them.
  public static let all = [
    Loss("property", { Plain() }, { $0.number += 1 }, { $0.number }),
    Loss("field of a tuple", { Fields() }, { $0.tuple.1 += 1 }, { $0.tuple.1 }),
    Loss("optional", { Fields() }, { $0.optional = ($0.optional ?? 0) + 1 }, { $0.optional ?? 0 }),
    Loss("half a word", { Fields() }, { $0.small += 1 }, { Int($0.small) }),
    Loss("field of a large structure", { Fields() }, { $0.large.number += 1 }, { $0.large.number }),
    Loss("existential", { Fields() }, { $0.any = Counted(number: $0.any.number + 1) }, { $0.any.number }),
    Loss("Any", { Fields() }, { $0.wide = ($0.wide as? Int ?? 0) + 1 }, { $0.wide as? Int ?? 0 }),
    Loss("pointer", { Fields() }, { $0.pointer.pointee += 1 }, { $0.pointer.pointee }),
    Loss("generic property", { Box(0) }, { $0.value += 1 }, { $0.value }),
    Loss("generic property, by methods", { Box(0) }, { $0.change { $0 + 1 } }, { $0.value }),
    Loss("static property", { Start() }, { _ in global &+= 1 }, { global - $0.value }),
    Loss(
      "Mutex, twice", { Numbers() },
      { numbers in
        let value = numbers.mutex.withLock { $0 }
        numbers.mutex.withLock { $0 = value + 1 }
      }, { $0.mutex.withLock { $0 } }),
    Loss(
      "NSLock, twice", { Numbers() },
      { numbers in
        let value = numbers.lock.withLock { numbers.locked }
        numbers.lock.withLock { numbers.locked = value + 1 }
      }, { $0.locked }),
    Loss(
      "atomic load and store", { Numbers() },
      { $0.atomic.store($0.atomic.load(ordering: .relaxed) + 1, ordering: .relaxed) },
      { $0.atomic.load(ordering: .relaxed) }),
  ]
}
