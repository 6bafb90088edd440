// SPDX-License-Identifier: Apache-2.0
import RibHouse

/// The keys that the app takes itself, whatever its screen takes.
struct OwnKeys {
  /// Whether the tree is shown in full, which the key `t` changes.
  private(set) var isTreeShown = false
  /// The link that is being typed, from the key `g` to return.
  private var typed: String?
  private var refused: String?

  /// The keys with what they are for.
  var labels: [String] {
    let link = typed.map { "link: \($0)_" } ?? refused.map { "[g] link, not \($0)" } ?? "[g] link"
    return [link, "[t] tree", "[q] quit"]
  }

  /// Whether a key ends the app.
  func ends(_ key: Character) -> Bool { key == Keyboard.end || (key == "q" && typed == nil) }

  /// Takes a key, and opens the link that it completes; false if the key is not the app's own.
  mutating func takes(_ key: Character, open: (DeepLink) -> Void) -> Bool {
    switch (key, typed) {
    case ("\n", let text?):
      (typed, refused) = (nil, text)
      guard let link = DeepLink(text) else { return true }
      refused = nil
      open(link)
    case (Keyboard.delete, let text?): typed = String(text.dropLast())
    case (_, let text?): typed = text + String(key)
    case ("g", nil): (typed, refused) = ("", nil)
    case ("t", nil): isTreeShown.toggle()
    default: return key.isWhitespace || key == Keyboard.delete
    }
    return true
  }
}
