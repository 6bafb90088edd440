// SPDX-License-Identifier: Apache-2.0

/// A JSON value, read from its text.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads one value; nil if the text is not JSON, or goes on after it.
  package init?(_ text: some Sequence<UInt8>) {
    var reader = JSONReader(Array(text))
    guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = value
  }

  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var int: Int? { if case .number(let value) = self { Int(exactly: value) } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  /// The member of an object; nil if there is none, or this is no object.
  package subscript(name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }
}

private struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0

  private static let greatestDepth = 64

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return next == nil
    }
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte >= 0x09 && byte <= 0x0D { position += 1 }
  }

  private mutating func take(_ character: UInt8) -> Bool {
    skipSpace()
    guard next == character else { return false }
    position += 1
    return true
  }

  private mutating func take(_ word: String, as value: JSONValue) -> JSONValue? {
    guard bytes[position...].starts(with: word.utf8) else { return nil }
    position += word.utf8.count
    return value
  }

  mutating func value(depth: Int) -> JSONValue? {
    guard depth < Self.greatestDepth else { return nil }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return array(depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return take("true", as: .bool(true))
    case UInt8(ascii: "f"): return take("false", as: .bool(false))
    case UInt8(ascii: "n"): return take("null", as: .null)
    default: return number()
    }
  }

  private mutating func object(_ depth: Int) -> JSONValue? {
    position += 1
    var members: [String: JSONValue] = [:]
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard let name = string(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
      members[name] = value
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func array(_ depth: Int) -> JSONValue? {
    position += 1
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      guard let element = value(depth: depth + 1) else { return nil }
      elements.append(element)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .array(elements) : nil
  }

  private mutating func number() -> JSONValue? {
    let start = position
    while let byte = next, "+-.eE0123456789".utf8.contains(byte) { position += 1 }
    return Double(String(decoding: bytes[start..<position], as: UTF8.self)).map { .number($0) }
  }

  private mutating func string() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    var text = ""
    while let end = bytes[position...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      text += String(decoding: bytes[position..<end], as: UTF8.self)
      position = end + 1
      if bytes[end] == UInt8(ascii: "\"") { return text }
      guard let scalar = escaped() else { return nil }
      text.unicodeScalars.append(scalar)
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    position += 1
    switch Character(Unicode.Scalar(byte)) {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      guard let unit = hexadecimal() else { return nil }
      // Text beyond the first 65,536 scalars comes as a pair.
      guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
      guard bytes[position...].starts(with: "\\u".utf8) else { return nil }
      position += 2
      guard let low = hexadecimal(), (0xDC00..<0xE000).contains(low) else { return nil }
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    default: return Unicode.Scalar(byte)
    }
  }

  private mutating func hexadecimal() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    defer { position += 4 }
    return UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
  }
}

/// Writes values as JSON that may stand in a page's script: no text can end the script or begin a comment.
package enum JSONText {
  /// A string in quotes, with everything escaped that HTML or JavaScript would read as its own.
  package static func string(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// An array of values that are JSON already.
  package static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

  /// An object of values that are JSON already; those that are nil are left out.
  package static func object(_ members: KeyValuePairs<String, String?>) -> String {
    let written = members.compactMap { name, value in value.map { "\(string(name)):\($0)" } }
    return "{" + written.joined(separator: ",") + "}"
  }
}
