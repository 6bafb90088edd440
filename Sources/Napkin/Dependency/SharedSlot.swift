// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The place of one shared instance: made by whoever comes first, while others who want it wait here.
///
/// A slot is also a node of the tree in `SharedSlots`, which adds branches and never takes one away.
///
/// `@unchecked` because `maker` and `outer` are written under the lock of `Construction`, and the memory behind
/// `instance` is written under `turn` before `isReady` is released, and only read after that. The instance lives in raw
/// memory, not in a property of a generic class: reading it then needs no metadata but its own type's.
final class SharedSlot: @unchecked Sendable {
  /// The property that asked, as `#function` spells it.
  let name: String

  /// The type that it asked for.
  let type: ObjectIdentifier

  /// Of name and type; its bits are the slot's path in the tree.
  let hash: UInt

  /// The component that the slot belongs to, for the message of a failure.
  let owner: Any.Type

  /// The branches, each one owned once it is set.
  let zero = Atomic<Unmanaged<SharedSlot>?>(nil)
  let one = Atomic<Unmanaged<SharedSlot>?>(nil)

  /// The thread that is making the instance, and the slot whose factory asked for it there.
  var maker: ThreadIdentity?
  var outer: SharedSlot?

  /// Turns true once, when the instance is there.
  private let isReady = Atomic<Bool>(false)

  /// Held while the instance is made, so that whoever waits lends the maker its priority where the system can.
  private let turn = Mutex(())

  private let instance: UnsafeMutableRawPointer
  private let destroy: (UnsafeMutableRawPointer) -> Void

  init<Instance>(for type: Instance.Type, named name: String, hash: UInt, owner: Any.Type) {
    self.name = name
    self.type = ObjectIdentifier(type)
    self.hash = hash
    self.owner = owner
    instance = UnsafeMutableRawPointer(UnsafeMutablePointer<Instance>.allocate(capacity: 1))
    destroy = { $0.assumingMemoryBound(to: Instance.self).deinitialize(count: 1) }
  }

  deinit {
    if isReady.load(ordering: .acquiring) { destroy(instance) }
    instance.deallocate()
    zero.load(ordering: .acquiring)?.release()
    one.load(ordering: .acquiring)?.release()
  }

  /// The instance, which the factory makes if nobody has; the type must be the one that the slot was made for.
  @inline(__always)
  func value<Instance>(_ factory: () -> Instance) -> Instance {
    if !isReady.load(ordering: .acquiring) { make(factory) }
    return instance.assumingMemoryBound(to: Instance.self).pointee
  }

  @inline(never)
  private func make<Instance>(_ factory: () -> Instance) {
    Construction.wait(for: self)
    turn.withLock { _ in
      guard !isReady.load(ordering: .relaxed) else { return Construction.giveUp() }
      Construction.begin(self)
      instance.assumingMemoryBound(to: Instance.self).initialize(to: factory())
      Construction.end(self)
      isReady.store(true, ordering: .releasing)
    }
  }
}
