// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

@_spi(Reflection) internal import Swift

/// Puts a value of a struct, a tuple or an enum together out of empty parts, past every initialiser; nil for all others.
///
/// Each part is a value of its type, but the whole may not be what its type promises. So it is only for a generator that
/// has been reported already, of an execution that fails whatever comes of it.
func assembledValue<Value>(of type: Value.Type) -> Value? {
  let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  defer { memory.deallocate() }
  let metadata = TypeMetadata(type)
  let isWhole =
    switch metadata.kind {
    case TypeMetadata.structure, TypeMetadata.tuple: assembleFields(of: type, at: UnsafeMutableRawPointer(memory))
    case TypeMetadata.enumeration: assembleCase(of: metadata, at: UnsafeMutableRawPointer(memory))
    default: false
    }
  return isWhole ? memory.move() : nil
}

private func assembleFields(of type: Any.Type, at memory: UnsafeMutableRawPointer) -> Bool {
  _forEachField(of: type) { _, offset, fieldType, _ in assemble(fieldType, at: memory + offset) }
}

private func assemble(_ type: Any.Type, at memory: UnsafeMutableRawPointer) -> Bool {
  func put<Part>(_ type: Part.Type) -> Bool {
    guard let part = emptyValue(of: type) else { return false }
    memory.initializeMemory(as: Part.self, to: part)
    return true
  }
  return _openExistential(type, do: put)
}

/// The first case without a value; where there is none, the first case of all.
private func assembleCase(of metadata: TypeMetadata, at memory: UnsafeMutableRawPointer) -> Bool {
  guard metadata.hasCases else { return false }
  if metadata.emptyCases > 0 {
    metadata.injectTag(metadata.fullCases, memory)
    return true
  }
  guard let content = metadata.contentOfFirstCase, assemble(content, at: memory) else { return false }
  metadata.injectTag(0, memory)
  return true
}

/// What the compiler writes down of a type, at the offsets that Swift's stable binary interface gives it.
private struct TypeMetadata {
  static let structure: UInt = 0x200
  static let enumeration: UInt = 0x201
  static let tuple: UInt = 0x301

  private let address: UnsafeRawPointer

  init(_ type: Any.Type) { address = unsafeBitCast(type, to: UnsafeRawPointer.self) }

  var kind: UInt { address.load(as: UInt.self) }

  private var descriptor: UnsafeRawPointer { address.load(fromByteOffset: 8, as: UnsafeRawPointer.self) }

  /// How many cases have values with them.
  var fullCases: UInt32 { descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xff_ffff }

  var emptyCases: UInt32 { descriptor.load(fromByteOffset: 24, as: UInt32.self) }

  private var witnesses: UnsafeRawPointer { (address - 8).load(as: UnsafeRawPointer.self) }

  /// Whether the type says how its cases are told apart; one that comes from C does not.
  var hasCases: Bool { witnesses.load(fromByteOffset: 80, as: UInt32.self) & 0x20_0000 != 0 }

  /// Makes memory that holds what a case has with it, if anything, an enum of that case.
  func injectTag(_ tag: UInt32, _ memory: UnsafeMutableRawPointer) {
    typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void
    witnesses.load(fromByteOffset: 104, as: Inject.self)(memory, tag, address)
  }

  /// The type of what the first case has with it; nil where there is no case, or its value is kept elsewhere.
  var contentOfFirstCase: Any.Type? {
    let fields = target(of: descriptor + 16)
    let (isThere, first) = (fullCases > 0, fields + 16)
    guard isThere, first.load(as: UInt32.self) & 1 == 0 else { return nil }
    let name = target(of: first + 4).assumingMemoryBound(to: UInt8.self)
    return _getTypeByMangledNameInContext(
      name, UInt(length(ofMangled: name)), genericContext: descriptor, genericArguments: address + 16)
  }

  private func target(of relative: UnsafeRawPointer) -> UnsafeRawPointer {
    relative + Int(relative.load(as: Int32.self))
  }

  // A mangled name ends with a zero; a byte below 0x18 stands before a reference of four bytes, one below 0x20 of eight.
  private func length(ofMangled name: UnsafePointer<UInt8>) -> Int {
    var length = 0
    while name[length] != 0 {
      switch name[length] {
      case 0x01...0x17: length += 5
      case 0x18...0x1f: length += 9
      default: length += 1
      }
    }
    return length
  }
}

#else

/// Elsewhere nobody says what a type is made of.
func assembledValue<Value>(of type: Value.Type) -> Value? { nil }

#endif
