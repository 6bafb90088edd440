// SPDX-License-Identifier: Apache-2.0

/// A choice sequence as one short word that survives shells, URLs, log files and source code.
///
/// `nk1.` and then base64url, nothing else. Zeros, which most of a schedule consists of, cost one byte a run, so the
/// token of a shrunk failure has about thirty to fifty characters.
package struct ReplayToken: Sendable, Equatable {
  /// The choices, zeros and all; those read from a text have no bounds and no spans until an execution has met them.
  package var sequence: ChoiceSequence

  /// The build and the code that the choices were recorded with, as a number that only means something when compared.
  package var fingerprint: UInt64

  package init(_ sequence: ChoiceSequence, fingerprint: UInt64) {
    self.sequence = sequence
    self.fingerprint = fingerprint
  }

  /// How many choices the recorded execution met, so that a replay can say that it met another number.
  package var count: Int { sequence.count }

  /// The most choices that a text is read back with; a longer one is refused, as no execution is that long.
  package static let longest = 1 << 24

  static let family = "nk"
  static let version = "nk1"
}

// Version 1, in bytes: the length of the content, the content, and the 32-bit checksum of the content. The content is
// the fingerprint in eight bytes, then the lanes in the order of `Choice.Kind`, each as the number of its choices
// followed by items until there are that many: a run of zeros, or one value. The last lane is left out where it is empty.

extension ReplayToken {
  /// The token, ready to be pasted into a shell or a source file.
  package var text: String {
    var content = ByteWriter()
    content.writeWord(fingerprint)
    for kind in Choice.Kind.allCases where kind != .preemption || !sequence.preemption.isEmpty {
      content.writeNumber(UInt64(sequence[kind].count))
      content.writeItems(sequence[kind])
    }
    var all = ByteWriter()
    all.writeNumber(UInt64(content.bytes.count))
    all.bytes += content.bytes
    all.writeChecksum(of: content.bytes[...])
    return "\(Self.version).\(Base64URL.encode(all.bytes))"
  }

  /// Reads a token, with white space around it or without.
  ///
  /// - Throws: A diagnostic that says why the text cannot be read. Any text at all may be passed.
  package init(_ text: String) throws(Diagnostic) {
    let text = text.drop(while: \.isWhitespace)
    let word = text.prefix { !$0.isWhitespace }
    guard !word.isEmpty else {
      throw .unreadable(
        "The replay token is empty.", because: "an environment variable or an argument that was never set.")
    }
    guard text.dropFirst(word.count).allSatisfy(\.isWhitespace) else {
      throw .unreadable(
        "The replay token \"\(text)\" has white space in it.",
        because: "a line break or a second word was copied with it.")
    }
    guard let dot = word.firstIndex(of: "."), word.hasPrefix(Self.family) else {
      throw .unreadable(
        "\"\(word)\" is not a replay token.", because: "another text was pasted, such as a seed or a test's name.")
    }
    guard word[..<dot] == Self.version else {
      throw .unreadable(
        "The replay token has the version \"\(word[..<dot])\", which this build cannot read.",
        because: "it was recorded with another release of NapkinTesting.")
    }
    var reader = ByteReader(try Self.bytes(of: word, after: dot))
    let content = try Self.checkedContent(of: &reader)
    var body = ByteReader(content)
    guard let fingerprint = body.readWord() else { throw .inconsistentToken }
    var sequence = ChoiceSequence()
    for kind in Choice.Kind.allCases where kind != .preemption || !body.isAtEnd {
      guard let count = body.readNumber() else { throw .inconsistentToken }
      guard count <= UInt64(Self.longest) else {
        throw .unreadable(
          "The replay token claims \(count) choices of one kind; at most \(Self.longest) can be replayed.",
          because: "it was not written by NapkinTesting.")
      }
      guard let lane = body.readItems(Int(count)) else { throw .inconsistentToken }
      sequence[kind] = lane
    }
    guard body.isAtEnd else { throw .inconsistentToken }
    self.init(sequence, fingerprint: fingerprint)
  }

  private static func bytes(of word: Substring, after dot: Substring.Index) throws(Diagnostic) -> ArraySlice<UInt8> {
    switch Base64URL.decode(word[word.index(after: dot)...]) {
    case .bytes(let bytes): return bytes[...]
    case .foreign(let character, let offset):
      let position = word.distance(from: word.startIndex, to: dot) + 2 + offset
      throw .unreadable(
        "The replay token has \"\(character)\" as its character \(position), which no token contains.",
        because: "an editor, a chat or a shell changed it on the way.")
    case .incomplete: throw .truncatedToken
    }
  }

  private static func checkedContent(of reader: inout ByteReader) throws(Diagnostic) -> ArraySlice<UInt8> {
    guard let length = reader.readNumber() else { throw .truncatedToken }
    guard UInt64(reader.remaining) >= 4, UInt64(reader.remaining - 4) >= length else { throw .truncatedToken }
    guard UInt64(reader.remaining - 4) == length else {
      throw .unreadable(
        "The replay token goes on after its end (bytes too many: \(reader.remaining - 4 - Int(length))).",
        because: "two tokens, or a token and a word, were joined.")
    }
    let content = reader.take(Int(length))
    var expected = ByteWriter()
    expected.writeChecksum(of: content)
    guard Array(reader.take(4)) == expected.bytes else {
      throw .unreadable(
        "The replay token's checksum does not match.", because: "it was mistyped, or changed on the way.")
    }
    return content
  }
}

extension Diagnostic {
  fileprivate static let truncatedToken = unreadable(
    "The replay token ends too early.", because: "the end was cut off when it was copied.")
  fileprivate static let inconsistentToken = unreadable(
    "The replay token contradicts itself.", because: "it was not written by NapkinTesting.")

  fileprivate static func unreadable(_ happened: String, because likelyCause: String) -> Diagnostic {
    Diagnostic(
      .misuse, happened, likelyCause: likelyCause,
      suggestion: """
        copy the token again, whole, from the failure report; it begins with "\(ReplayToken.version)." and has no spaces.
        """)
  }
}
