// SPDX-License-Identifier: Apache-2.0

/// The place of a call that takes a lock, seen past the code that a package wraps the system's locks in.
package enum LockPlace {
  private static let wordsOfLocks: Set<String> = ["lock", "unlock", "locked", "unlocked", "mutex"]

  // The most calls of a wrapper that are named.
  private static let most = 3

  /// The line of the code that uses the lock, and the calls of the wrapper in between.
  ///
  /// A wrapper is what names itself a lock, and the rest of its file where the call comes from another one. A wrapper that nothing
  /// is known to call stands for itself.
  ///
  /// - Parameter calls: The calls of the code under test, the innermost first.
  /// - Returns: The places in words; nil if there is no call.
  package static func words(_ calls: [SourcePlace]) -> String? {
    guard let (user, wrapper) = use(calls) else { return nil }
    let through = wrapper.suffix(most).reversed().map { call in
      call.text + (call.fileAndLine.map { " at \($0)" } ?? "")
    }
    return user.located() + (through.isEmpty ? "" : ", through \(through.joined(separator: " and "))")
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
    return words(of: call.function).contains(where: wordsOfLocks.contains)
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
