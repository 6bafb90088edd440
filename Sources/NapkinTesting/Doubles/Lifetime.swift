// SPDX-License-Identifier: Apache-2.0

/// Observes the creation and the end of objects, such as a leak check.
package protocol LifetimeObserver: AnyObject, Sendable {
  /// An object with this name was created; the returned number identifies it.
  func began(_ name: String) -> Int

  /// The object with this number was deallocated.
  func ended(_ number: Int)
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
