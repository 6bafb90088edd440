// SPDX-License-Identifier: Apache-2.0

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
