// SPDX-License-Identifier: Apache-2.0
import Foundation

// A box makes each access to its value atomic. Adding to a dictionary by `value[key] = …` is a read and a write, each with
// the lock by itself, and what another thread has written in between is lost.
//
// The repair, which is open, has a method that modifies the value under the lock.
extension Case {
  static let atomicReadThenWritten = Case(
    "atomic-read-then-written", of: "RevenueCat/purchases-ios 2981",
    .split, .lock, decides: "store"
  ) {
    let version = Version.current
    let cache = ProductCache(version)
    let first = Task { cache.store("monthly", 10) }
    let second = Task { cache.store("yearly", 100) }
    await first.value
    await second.value
    try expect(cache.products.value.count == 2, "both products are there: \(cache.products.value)")
  }
}

private final class AtomicBox<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }

  func modify(_ change: (inout Value) -> Void) { lock.withLock { change(&stored) } }
}

private final class ProductCache: Sendable {
  private let version: Case.Version
  let products = AtomicBox<[String: Int]>([:])

  init(_ version: Case.Version) { self.version = version }

  func store(_ name: String, _ price: Int) {
    switch version {
    case .before: products.value[name] = price
    case .after: products.modify { $0[name] = price }
    }
  }
}
