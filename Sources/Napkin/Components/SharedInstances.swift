// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The shared instances of one component, one for each property and type.
///
/// `Key` is not private: Swift 6.3.1 emits a broken module for the open class that stores it if it is.
struct SharedInstances: ~Copyable, Sendable {
  struct Key: Hashable {
    let property: String
    let type: ObjectIdentifier
  }

  private let slots = Mutex<[Key: SharedSlot]>([:])

  /// Returns the instance of a property and type; the first caller's factory makes it, outside the dictionary's lock.
  func instance<Instance>(of property: String, in owner: AnyObject, _ factory: () -> Instance) -> Instance {
    let key = Key(property: property, type: ObjectIdentifier(Instance.self))
    let slot = slots.withLock { slots in
      if let slot = slots[key] { return slot }
      let slot = SharedInstance<Instance>(of: property, in: type(of: owner))
      slots[key] = slot
      return slot
    }
    return (slot as! SharedInstance<Instance>).value(factory)
  }
}

/// The record of a shared instance for `SharedInstanceCycles`: its name for a message, and which thread makes it.
///
/// `@unchecked` because `maker` and `outer` are read and written under the lock of `SharedInstanceCycles`.
class SharedSlot: @unchecked Sendable {
  /// The property that asked, as `#function` spells it.
  let property: String

  /// The type of the component that the property belongs to.
  let owner: Any.Type

  /// The thread that is making the instance, and the slot whose factory asked for it there.
  var maker: ThreadIdentity?
  var outer: SharedSlot?

  init(of property: String, in owner: Any.Type) {
    self.property = property
    self.owner = owner
  }
}

/// One shared instance: the first caller makes it, and others that want it wait.
///
/// `@unchecked` because `instance` is written under `making` before `isReady` is released, and only read after that.
final class SharedInstance<Instance>: SharedSlot, @unchecked Sendable {
  /// Turns true once, when the instance is there.
  private let isReady = Atomic<Bool>(false)

  /// Held while the instance is made, so that a waiting thread lends the maker its priority where the system can.
  private let making = Mutex(())

  private var instance: Instance?

  /// Returns the instance, which the factory makes if it is not there yet.
  func value(_ factory: () -> Instance) -> Instance {
    if !isReady.load(ordering: .acquiring) { make(factory) }
    guard let instance else { preconditionFailure("\(owner).\(property) is ready and has no instance.") }
    return instance
  }

  private func make(_ factory: () -> Instance) {
    SharedInstanceCycles.wait(for: self)
    making.withLock { _ in
      guard !isReady.load(ordering: .relaxed) else { return SharedInstanceCycles.stopWaiting() }
      SharedInstanceCycles.begin(self)
      instance = .some(factory())
      SharedInstanceCycles.end(self)
      isReady.store(true, ordering: .releasing)
    }
  }
}
