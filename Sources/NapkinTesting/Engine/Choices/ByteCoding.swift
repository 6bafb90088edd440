// SPDX-License-Identifier: Apache-2.0

/// Writes the parts of a replay token as bytes.
struct ByteWriter {
  var bytes: [UInt8] = []

  /// Writes a number in as few bytes as it needs, seven bits each, the low ones first (LEB128).
  mutating func writeNumber(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a number in eight bytes, the low ones first.
  mutating func writeWord(_ word: UInt64) {
    for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
  }

  /// Writes the 32-bit FNV-1a hash of `content`.
  mutating func writeChecksum(of content: ArraySlice<UInt8>) {
    var hash: UInt32 = 0x811C_9DC5
    for byte in content { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: hash >> UInt32(8 * index))) }
  }

  /// Writes a lane, each run of zeros as one item.
  mutating func writeItems(_ lane: [Choice]) {
    var zeros: UInt64 = 0
    for choice in lane {
      if choice.value == 0 {
        zeros += 1
      } else {
        if zeros > 0 { writeItem(zeros, isRun: true) }
        zeros = 0
        writeItem(choice.value, isRun: false)
      }
    }
    if zeros > 0 { writeItem(zeros, isRun: true) }
  }

  /// The first byte of an item has six bits of its number: below them whether it is a run, above whether there is more.
  private mutating func writeItem(_ number: UInt64, isRun: Bool) {
    let rest = number >> 6
    let head = UInt8(truncatingIfNeeded: number & 0x3F) << 1 | (isRun ? 1 : 0)
    bytes.append(head | (rest == 0 ? 0 : 0x80))
    if rest != 0 { writeNumber(rest) }
  }
}

/// Reads the bytes of a `ByteWriter`, and returns nil where no writer can have made them.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var remaining: Int { rest.count }
  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func readNumber() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      let bits = UInt64(byte & 0x7F)
      guard (bits << shift) >> shift == bits else { return nil }
      number |= bits << shift
      if byte & 0x80 == 0 { return number }
    }
    return nil
  }

  mutating func readWord() -> UInt64? {
    guard rest.count >= 8 else { return nil }
    return take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func readItems(_ count: Int) -> [Choice]? {
    var lane: [Choice] = []
    while lane.count < count {
      guard let head = rest.popFirst() else { return nil }
      var number = UInt64(head & 0x7F) >> 1
      if head & 0x80 != 0 {
        guard let high = readNumber(), high <= UInt64.max >> 6 else { return nil }
        number |= high << 6
      }
      if head & 1 == 0 {
        lane.append(Choice(value: number, bound: Choice.unlimited))
      } else {
        guard number > 0, number <= UInt64(count - lane.count) else { return nil }
        lane.append(contentsOf: repeatElement(Choice(value: 0, bound: Choice.unlimited), count: Int(number)))
      }
    }
    return lane
  }
}

/// Bytes as letters, digits, `-` and `_`, without padding (RFC 4648, section 5).
enum Base64URL {
  enum Decoded: Equatable {
    case bytes([UInt8])
    /// A character outside the alphabet, with its offset.
    case foreign(Character, Int)
    /// A last group of one character, or one with bits that belong to no byte.
    case incomplete
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(buffer >> UInt32(bits) & 0x3F)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(buffer << UInt32(6 - bits) & 0x3F)]) }
    return String(decoding: text, as: UTF8.self)
  }

  static func decode(_ text: Substring) -> Decoded {
    var bytes: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    for (offset, character) in text.enumerated() {
      guard let ascii = character.asciiValue, let digit = alphabet.firstIndex(of: ascii) else {
        return .foreign(character, offset)
      }
      buffer = buffer << 6 | UInt32(digit)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    let isWhole = bits < 6 && buffer & ((1 << UInt32(bits)) - 1) == 0
    return isWhole ? .bytes(bytes) : .incomplete
  }
}
