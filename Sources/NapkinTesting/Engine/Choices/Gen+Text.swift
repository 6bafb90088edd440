// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Gen where Value == Character {
  /// Draws a character: mostly printable ASCII, sometimes one of those that break programs, sometimes any scalar.
  ///
  /// The simplest is `a`, then the rest of the alphabet. For characters of your own choice, use `.element(of: "abc")`.
  public static var character: Gen {
    Gen { source in
      if source.draw(below: 2, shape: .odds(1, 8)) == 0 {
        return plainCharacters[Int(source.draw(below: UInt64(plainCharacters.count), shape: .uniform))]
      }
      if source.draw(below: 2, shape: .uniform) == 0 {
        return adversarialCharacters[Int(source.draw(below: UInt64(adversarialCharacters.count), shape: .uniform))]
      }
      // The surrogates are a hole in the scalars, which the index skips.
      let index = UInt32(source.draw(below: 0x11_0000 - 0x800, shape: .uniform))
      return Unicode.Scalar(index < 0xD800 ? index : index + 0x800).map(Character.init) ?? "a"
    }
  }
}

extension Gen where Value == String {
  /// Draws a string of as many characters as `count` allows; it shrinks to fewer and simpler ones.
  ///
  /// Two characters may melt into one, so the string's own `count` can be smaller than the number drawn.
  public static func string(
    of characters: Gen<Character> = .character,
    count: ClosedRange<Int>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen {
    let count = ElementCount(count, of: "Gen.string(of:count:)", at: sourceLocation)
    return Gen { source in
      var string = ""
      count.draw(from: source) { string.append(characters.draw(from: source)) }
      return string
    }
  }

  /// Draws a string of exactly `count` characters.
  public static func string(
    of characters: Gen<Character> = .character,
    count: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Gen {
    string(of: characters, count: count...count, sourceLocation: sourceLocation)
  }
}

/// Printable ASCII, letters first.
private let plainCharacters: [Character] = Array(
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;!?'\"/\\|@#$%&*+=<>()[]{}^~`"
)

/// One of each kind that has broken a program: control, white space, combining, case that grows, joined, mirrored.
private let adversarialCharacters: [Character] = [
  "\n", "\t", "\r\n", "\0", "\u{7F}", "\u{A0}", "\u{200B}", "\u{FEFF}", "\u{301}", "é", "e\u{301}", "ß", "İ", "ı",
  "\u{202E}", "ش", "漢", "𝄞", "👍🏽", "👨‍👩‍👧", "🇩🇪", "\u{FFFD}", "\u{10FFFF}",
]
