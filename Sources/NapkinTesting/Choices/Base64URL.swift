// SPDX-License-Identifier: Apache-2.0

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
