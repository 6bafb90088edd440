// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The slots of one component: a tree that only grows, so that a look-up needs no lock and touches no reference count.
///
/// Each slot branches on one bit of the hash, the next bit one step further down; equal hashes chain.
struct SharedSlots: ~Copyable, Sendable {
  private let root = Atomic<Unmanaged<SharedSlot>?>(nil)

  deinit { root.load(ordering: .acquiring)?.release() }

  /// The instance of a property and type, which the factory makes if nobody has.
  @inline(__always)
  func value<Instance>(named name: String, of owner: AnyObject, _ factory: () -> Instance) -> Instance {
    value(named: name, of: owner, hash: Self.hash(name, ObjectIdentifier(Instance.self)), factory)
  }

  /// The same under a hash that is given, so that a test can let slots collide.
  @inline(__always)
  func value<Instance>(
    named name: String,
    of owner: AnyObject,
    hash: UInt,
    _ factory: () -> Instance
  ) -> Instance {
    if let slot = find(name, ObjectIdentifier(Instance.self), hash) {
      return slot._withUnsafeGuaranteedRef { $0.value(factory) }
    }
    return add(SharedSlot(for: Instance.self, named: name, hash: hash, owner: type(of: owner))).value(factory)
  }

  /// Eight bytes at a time: a tenth of the price of `Hasher`, and nobody chooses the names of properties to collide.
  private static func hash(_ name: String, _ type: ObjectIdentifier) -> UInt {
    var hash = UInt64(UInt(bitPattern: type)) &+ UInt64(name.utf8.count)
    var name = name
    name.withUTF8 { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      var offset = 0
      while offset + 8 <= raw.count {
        hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      var rest: UInt64 = 0
      while offset < raw.count {
        rest = rest << 8 | UInt64(raw[offset])
        offset += 1
      }
      hash ^= rest
    }
    return UInt(truncatingIfNeeded: mix(hash))
  }

  /// Fibonacci hashing, with the high bits folded into the low ones, which choose the branches.
  @inline(__always)
  private static func mix(_ bits: UInt64) -> UInt64 {
    let product = bits &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  private func find(_ name: String, _ type: ObjectIdentifier, _ hash: UInt) -> Unmanaged<SharedSlot>? {
    var path = hash
    var next = root.load(ordering: .acquiring)
    while let slot = next {
      if slot._withUnsafeGuaranteedRef({ $0.hash == hash && $0.type == type && $0.name == name }) { return slot }
      next = slot._withUnsafeGuaranteedRef {
        path & 1 == 0 ? $0.zero.load(ordering: .acquiring) : $0.one.load(ordering: .acquiring)
      }
      path >>= 1
    }
    return nil
  }

  /// Hangs a slot into the tree, unless somebody else was faster: then theirs is the one that counts.
  @inline(never)
  private func add(_ slot: SharedSlot) -> SharedSlot {
    let new = Unmanaged.passRetained(slot)
    var path = slot.hash
    var (isIn, found) = root.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
    while !isIn, let other = found?.takeUnretainedValue() {
      if other.hash == slot.hash, other.type == slot.type, other.name == slot.name {
        new.release()
        return other
      }
      (isIn, found) =
        path & 1 == 0
        ? other.zero.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        : other.one.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
      path >>= 1
    }
    return slot
  }
}
