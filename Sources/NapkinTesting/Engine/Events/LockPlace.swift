// SPDX-License-Identifier: Apache-2.0

/// The place of a call that takes a lock, seen past the code that a package wraps the system's locks in.
package enum LockPlace {
  private static let wordsOfLocks: Set<String> = ["lock", "unlock", "locked", "unlocked", "mutex"]

  // The most calls of a wrapper that are named.
  private static let most = 3

  /// The line of the code that uses the lock, and the calls of the wrapper in between.
  ///
  /// A wrapper is a type or a function that names itself a lock, and the rest of its file where the call comes from another one. A
  /// wrapper that nothing is known to call stands for itself. The innermost call comes first; nil if there is none.
  package static func words(_ calls: [SourcePlace]) -> String? {
    guard let (user, wrapper) = use(calls) else { return nil }
    let through = wrapper.suffix(most).reversed().map { call in
      call.text + (call.fileAndLine.map { " at \($0)" } ?? "")
    }
    return user.located() + (through.isEmpty ? "" : ", through \(through.joined(separator: " and "))")
  }

  /// The name by which the code that uses the lock calls it, such as `balance` in `balance.withLock {`: read from its line; nil where
  /// the file is not there, or the line does not have exactly one such name.
  package static func name(_ calls: [SourcePlace]) -> String? {
    guard let (user, wrapper) = use(calls), let line = user.lineOfCode else { return nil }
    return name(in: line, calling: wrapper.last?.function)
  }

  /// The name before the only call in a line that is one of the wrapper's function, or of a function of locks.
  package static func name(in line: String, calling function: String?) -> String? {
    let function = function.map { $0.prefix { $0 != "(" } }
    let parts = line.split(separator: ".", omittingEmptySubsequences: false)
    let names = zip(parts, parts.dropFirst()).compactMap { before, after -> String? in
      let called = after.prefix(while: isOfName)
      guard called == function || isOfLock(String(called)) else { return nil }
      return String(before.reversed().drop { $0 == "?" || $0 == "!" }.prefix(while: isOfName).reversed())
    }
    return names.count == 1 && names[0] != "" ? names[0] : nil
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// The call of the code that uses the lock, and those of the wrapper in between, the innermost first.
  package static func use(_ calls: [SourcePlace]) -> (user: SourcePlace, wrapper: ArraySlice<SourcePlace>)? {
    // Code that the compiler has added has no line, nor has a macro's argument.
    let lined = calls.filter { $0.line != nil }
    let calls = lined.contains { !isOfLock($0) } ? lined : calls
    guard let innermost = calls.first else { return nil }
    let wrapped = calls.prefix(while: isOfLock).count
    let outside = wrapped == 0 ? nil : calls.firstIndex { $0.file != innermost.file && !isOfLock($0) }
    guard let user = outside ?? (wrapped < calls.count ? wrapped : nil), user > 0 else { return (innermost, []) }
    return (calls[user], calls[..<user])
  }

  private static func isOfLock(_ call: SourcePlace) -> Bool {
    let type = words(of: call.type ?? "")
    // A `LockScreen` is none, nor are `LockTests`.
    if type.first == "locked" || type.last == "lock" || type.last == "mutex" { return true }
    return isOfLock(call.function)
  }

  private static func isOfLock(_ function: String) -> Bool {
    words(of: function).contains(where: wordsOfLocks.contains)
  }

  /// The words of a name such as `withLock(_:)` or `unfair_lock`, in lower case.
  private static func words(of name: String) -> [String] {
    let name = name.prefix { $0 != "(" }
    // A sentence, such as the name of a test, is about a lock at most. A symbol has no-break spaces in it.
    if name.contains(where: \.isWhitespace) { return [] }
    let words = name.replacing(#/[A-Z]+/#) { "_" + $0.output.lowercased() }
    return words.split { !$0.isLetter }.map(String.init)
  }
}
