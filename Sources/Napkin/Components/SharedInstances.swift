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
