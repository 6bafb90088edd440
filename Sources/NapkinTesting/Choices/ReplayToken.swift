// SPDX-License-Identifier: Apache-2.0

/// A choice sequence as one short word that survives shells, URLs, log files and source code.
///
/// `nk1.` and then base64url, nothing else. Zeros, which most of a schedule consists of, cost one byte a run, so the
/// token of a shrunk failure has about thirty to fifty characters.
package struct ReplayToken: Sendable, Equatable {
  /// The choices, zeros and all; those read from a text have no bounds and no spans until an execution has met them.
  package var sequence: ChoiceSequence

  /// Which build and code the choices were recorded with, as a number that only means something when compared.
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
  /// - Throws: ``Problem``, which says what is wrong with the text. Any text at all may be passed.
  package init(_ text: String) throws(Problem) {
    let text = text.drop(while: \.isWhitespace)
    let word = text.prefix { !$0.isWhitespace }
    guard !word.isEmpty else { throw .empty }
    guard text.dropFirst(word.count).allSatisfy(\.isWhitespace) else { throw .severalWords(String(text)) }
    guard let dot = word.firstIndex(of: "."), word.hasPrefix(Self.family) else { throw .notAToken(String(word)) }
    guard word[..<dot] == Self.version else { throw .unknownVersion(String(word[..<dot])) }
    var reader = ByteReader(try Self.bytes(of: word, after: dot))
    let content = try Self.checkedContent(of: &reader)
    var body = ByteReader(content)
    guard let fingerprint = body.readWord() else { throw .inconsistent }
    var sequence = ChoiceSequence()
    for kind in Choice.Kind.allCases where kind != .preemption || !body.isAtEnd {
      guard let count = body.readNumber() else { throw .inconsistent }
      guard count <= UInt64(Self.longest) else { throw .tooLong(count) }
      guard let lane = body.readItems(Int(count)) else { throw .inconsistent }
      sequence[kind] = lane
    }
    guard body.isAtEnd else { throw .inconsistent }
    self.init(sequence, fingerprint: fingerprint)
  }

  private static func bytes(of word: Substring, after dot: Substring.Index) throws(Problem) -> ArraySlice<UInt8> {
    switch Base64URL.decode(word[word.index(after: dot)...]) {
    case .bytes(let bytes): return bytes[...]
    case .foreign(let character, let offset):
      throw .foreignCharacter(character, position: word.distance(from: word.startIndex, to: dot) + 2 + offset)
    case .incomplete: throw .truncated
    }
  }

  private static func checkedContent(of reader: inout ByteReader) throws(Problem) -> ArraySlice<UInt8> {
    guard let length = reader.readNumber() else { throw .truncated }
    guard UInt64(reader.remaining) >= 4, UInt64(reader.remaining - 4) >= length else { throw .truncated }
    guard UInt64(reader.remaining - 4) == length else { throw .tooMuch(reader.remaining - 4 - Int(length)) }
    let content = reader.take(Int(length))
    var expected = ByteWriter()
    expected.writeChecksum(of: content)
    guard Array(reader.take(4)) == expected.bytes else { throw .checksum }
    return content
  }
}

extension ReplayToken {
  /// The reasons why a text is no replay token.
  package enum Problem: Error, Equatable {
    /// There was nothing but white space.
    case empty
    /// There was white space in the middle.
    case severalWords(String)
    /// It does not begin as tokens do.
    case notAToken(String)
    /// It was written by another version of the kit.
    case unknownVersion(String)
    /// A character that no token contains, at a position counted from one.
    case foreignCharacter(Character, position: Int)
    /// It ends too early.
    case truncated
    /// It goes on for some bytes after its end.
    case tooMuch(Int)
    /// Some character of it is not the one that was written.
    case checksum
    /// It claims more choices than an execution can have.
    case tooLong(UInt64)
    /// The checksum is right and the content is not, so a program wrote the text.
    case inconsistent
  }
}

extension ReplayToken.Problem: CustomStringConvertible {
  package var description: String { diagnostic.description }

  /// The problem with its likely cause and what to do about it.
  package var diagnostic: Diagnostic {
    Diagnostic(
      .misuse, happened, likelyCause: likelyCause,
      suggestion: """
        copy the token again, whole, from the failure report; it begins with "\(ReplayToken.version)." and has no spaces.
        """)
  }

  private var happened: String {
    switch self {
    case .empty: "The replay token is empty."
    case .severalWords(let text): "The replay token \"\(text)\" has white space in it."
    case .notAToken(let text): "\"\(text)\" is not a replay token."
    case .unknownVersion(let version): "The replay token has the version \"\(version)\", which this build cannot read."
    case .foreignCharacter(let character, let position):
      "The replay token has \"\(character)\" as its character \(position), which no token contains."
    case .truncated: "The replay token ends too early."
    case .tooMuch(let bytes): "The replay token goes on after its end (bytes too many: \(bytes))."
    case .checksum: "The replay token's checksum does not match."
    case .tooLong(let count):
      "The replay token claims \(count) choices of one kind; at most \(ReplayToken.longest) can be replayed."
    case .inconsistent: "The replay token contradicts itself."
    }
  }

  private var likelyCause: String {
    switch self {
    case .empty: "an environment variable or an argument that was never set."
    case .severalWords: "a line break or a second word was copied with it."
    case .notAToken: "another text was pasted, such as a seed or a test's name."
    case .unknownVersion: "it was recorded with another release of NapkinTesting."
    case .foreignCharacter: "an editor, a chat or a shell changed it on the way."
    case .truncated: "the end was cut off when it was copied."
    case .tooMuch: "two tokens, or a token and a word, were joined."
    case .checksum: "it was mistyped, or changed on the way."
    case .tooLong, .inconsistent: "it was not written by NapkinTesting."
    }
  }
}
