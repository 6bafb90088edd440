// SPDX-License-Identifier: Apache-2.0

/// A name that types are made of: `Profile` makes `ProfileBuilder`, `ProfileRouter` and more.
enum TypeName {
  /// Returns the name, or says of which argument it is, and why it will not do.
  static func check(_ name: String, of argument: String) throws -> String {
    func refuse(_ reason: String) -> Mistake { Mistake("\(argument) \"\(name)\": \(reason)") }

    guard let first = name.first else { throw refuse("a name is empty.") }
    if keywords.contains(name) { throw refuse("this is a keyword of Swift.") }
    guard first.isLetter || first == "_", name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
      throw refuse("this is no identifier of Swift. A name has letters and digits, and begins with a letter.")
    }
    guard first.isUppercase else { throw refuse("the name of a type begins with a capital letter.") }
    return name
  }

  /// The name of a property that holds something of this type: `profile`, `urlBar` for `URLBar`.
  static func asProperty(_ name: String) -> String {
    let capitals = name.prefix { $0.isUppercase }
    // The last capital of several begins the next word, unless nothing follows.
    let lowered = capitals.count > 1 && capitals.count < name.count ? capitals.dropLast() : capitals
    return lowered.lowercased() + name.dropFirst(lowered.count)
  }

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "_", "actor", "as", "async", "await", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "macro", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
    "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}
