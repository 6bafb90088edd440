// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The code of the closures that a closure has captured, and on request the numbers, truth values and texts, as a hash.
///
/// The compiler says of each closure which types it captures, for debuggers and tools that look for leaks. Where it has wrapped a
/// closure to be called in another way, the wrapped one counts. In a closure with generic arguments nothing else does: the
/// runtime ends the process where it is asked for a type that depends on a pack of them.
struct CapturedValues {
  private(set) var hash: UInt64 = 0

  private let comparesValues: Bool

  // The metadata of a closure's context: where the first capture is, and the list of their types.
  private enum Layout {
    static let first = 8
    static let types = 16
    // Of the list: how many captures there are, where generic arguments come from, and how many of these come first in the
    // context; then a name of each type, by its distance.
    static let sources = 4
    static let bindings = 8
    static let names = 12
  }

  /// - Parameters:
  ///   - context: The context of a closure, or the object in the place of one, such as the only one that it captures.
  ///   - comparesValues: Whether values count; else nothing does that comes behind one which is no actor's isolation.
  init(ofContextAt context: UnsafeRawPointer, comparesValues: Bool) {
    self.comparesValues = comparesValues
    add(context)
  }

  /// Adds the captured values of the closure that the context belongs to.
  private mutating func add(_ context: UnsafeRawPointer) {
    guard let metadata = napkin_metadata_of_closure(context),
      let types = metadata.load(fromByteOffset: Layout.types, as: UnsafeRawPointer?.self)
    else { return }
    let bindings = Int(types.load(fromByteOffset: Layout.bindings, as: UInt32.self))
    let isGeneric = bindings + Int(types.load(fromByteOffset: Layout.sources, as: UInt32.self)) != 0
    var offset = Int(metadata.load(fromByteOffset: Layout.first, as: UInt32.self)) + 8 * bindings
    for index in 0..<Int(types.load(as: UInt32.self)) {
      let place = types + Layout.names + 4 * index
      let name = place + Int(place.load(as: Int32.self))
      let bytes = UnsafeRawBufferPointer(start: name, count: Self.length(of: name))
      if let start = bytes.lastIndex(of: UInt8(ascii: "I")), bytes.last == UInt8(ascii: "_"),
        start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "e")
      {
        // A function that escapes, in the compiler's own terms: its code and its context. An optimised program may create all
        // tasks at one place, and choose their code before.
        offset = offset.roundedUp(to: 8) + 16
        add(UInt64(context.load(fromByteOffset: offset - 16, as: UInt.self)))
        if let wrapped = context.load(fromByteOffset: offset - 8, as: UnsafeRawPointer?.self) { add(wrapped) }
      } else if bytes.elementsEqual("ScA_pSg".utf8) {
        // An actor or none, whose isolation a task takes over: the compiler captures it before all else.
        offset = offset.roundedUp(to: 8) + MemoryLayout<(any Actor)?>.size
      } else if comparesValues, !isGeneric, let type = Self.type(by: bytes) {
        offset = add(type, from: context, at: offset)
      } else {
        return
      }
    }
  }

  private static func type(by name: UnsafeRawBufferPointer) -> Any.Type? {
    guard let start = name.assumingMemoryBound(to: UInt8.self).baseAddress else { return nil }
    return _getTypeByMangledNameInContext(start, UInt(name.count), genericContext: nil, genericArguments: nil)
  }

  /// The number of bytes of a type's name, in which a reference follows a byte below a space.
  private static func length(of name: UnsafeRawPointer) -> Int {
    var length = 0
    while case let byte = name.load(fromByteOffset: length, as: UInt8.self), byte != 0 {
      length += byte < 0x18 ? 5 : byte < 0x20 ? 9 : 1
    }
    return length
  }

  /// Adds a captured value, and returns where it ends.
  private mutating func add<Value>(_: Value.Type, from context: UnsafeRawPointer, at offset: Int) -> Int {
    let start = offset.roundedUp(to: MemoryLayout<Value>.alignment)
    let isPlain =
      Value.self is any BinaryInteger.Type || [Bool.self, Double.self, String.self].contains { $0 == Value.self }
    if isPlain { add((context + start).load(as: Value.self)) }
    return start + MemoryLayout<Value>.size
  }

  private mutating func add(_ value: Any) {
    switch value {
    case let number as any BinaryInteger: add(UInt64(truncatingIfNeeded: number))
    case let number as Double: add(number.bitPattern)
    case let isTrue as Bool: add(isTrue ? 1 : 2)
    case let text as String: for byte in text.utf8 { add(UInt64(byte)) }
    default: break
    }
  }

  private mutating func add(_ word: UInt64) {
    hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }
}

extension Int {
  fileprivate func roundedUp(to alignment: Int) -> Int { (self + alignment - 1) / alignment * alignment }
}
