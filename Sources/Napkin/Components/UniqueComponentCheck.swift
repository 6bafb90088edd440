// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The components that a builder's closure has handed out and that are still alive, to notice one that comes twice.
///
/// Its types are not private: Swift 6.3.1 emits a broken module for the open classes that store it if they are.
struct UniqueComponentCheck: ~Copyable, Sendable {
  /// Whether an object is still alive.
  ///
  /// `@unchecked` because `AnyObject` is not `Sendable`; the object is compared with nil and never passed on.
  struct Living: @unchecked Sendable {
    // A variable, since weak constants need Swift 6.3, and Swift 6.2 compiles this module.
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    var isAlive: Bool { object != nil }
  }

  struct State {
    var living: [ObjectIdentifier: Living] = [:]
    /// How many entries there may be before the dead ones are taken out: it doubles with the living, so that a check
    /// costs the same however many there are.
    var limit = 16
  }

  private let state = Mutex(State())

  /// Reports a component that has been handed out before, as misuse.
  func check<Component>(_ component: Component, of builder: AnyObject) {
    guard !isNew(component as AnyObject) else { return }
    Misuse.report(
      rule: "M1",
      routers: [],
      message: """
        \(type(of: builder)) was handed the same \(Component.self) twice. Its componentBuilder closure returns an \
        instance that it keeps, so two builds share one scope. Make a new component each time the closure is called.
        """,
      at: nil
    )
  }

  private func isNew(_ object: AnyObject) -> Bool {
    let entry = Living(object)
    let identity = ObjectIdentifier(object)
    return state.withLock { state in
      if state.living.count >= state.limit {
        state.living = state.living.filter(\.value.isAlive)
        state.limit = max(16, 2 * state.living.count)
      }
      // An identity whose object is gone may have been given to another one.
      guard let previous = state.living.updateValue(entry, forKey: identity) else { return true }
      return !previous.isAlive
    }
  }
}
