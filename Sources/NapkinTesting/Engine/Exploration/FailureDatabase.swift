// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
package import Testing

/// Keeps the shrunk failure of each test between runs, so that the next run begins with it.
///
/// It is a folder with a small file a test: `.build/napkin-failures`, which no version control sees, or the folder that
/// `NAPKIN_DATABASE` names. With `NAPKIN_DATABASE=off`, under a profile that does not remember, and where there is no
/// `.build`, nothing is kept.
package struct FailureDatabase: Sendable {
  fileprivate let folder: String

  /// Keeps the files in a folder, which is made, with those around it, when the first one is stored.
  package init(folder: String) { self.folder = folder }

  /// The database of this process under a profile, if it keeps one.
  static func current(under profile: RunProfile) -> FailureDatabase? {
    if Environment["NAPKIN_DATABASE"] == "off" { return nil }
    if let named { return FailureDatabase(folder: named) }
    guard profile.remembers, napkin_folder_exists(".build") else { return nil }
    return FailureDatabase(folder: ".build/napkin-failures")
  }

  /// The folder that the environment names; nil where it names none.
  static var named: String? {
    Environment["NAPKIN_DATABASE"].flatMap { $0.isEmpty || $0 == "off" ? nil : $0 }
  }

  /// The database of the test that runs, if there is one.
  package static var current: FailureDatabase? { (try? RunSettings.current()).flatMap { current(under: $0.profile) } }

  /// Returns the key of a test's failure: the test, its arguments, and the line of the exploration in it.
  package static func key(_ sourceLocation: SourceLocation) -> String {
    let place = "\(sourceLocation.fileID):\(sourceLocation.line)"
    guard Test.current != nil else { return place }
    return "\(testKey) \(place)"
  }

  /// The prefix of the keys of all explorations of the running test with its arguments.
  package static var testKey: String {
    [Test.current.map { "\($0.id)" }, Test.Case.current?.argumentText].compactMap(\.self).joined(separator: " ")
  }

  /// The token that was stored for a test.
  package func token(for key: String) -> String? { entry(for: key)?.token }

  /// The same, and whether the execution ends its process.
  package func entry(for key: String) -> (token: String, endsProcess: Bool)? {
    let bytes = [UInt8](ofFile: path(of: key))
    guard !bytes.isEmpty else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    // A file of another version, or one that was cut off, is no reason to fail: it is as good as none.
    let lines = text.split(separator: "\n")
    guard let line = lines.first, (try? ReplayToken(String(line))) != nil else { return nil }
    return (String(line), lines.last == Self.endsProcess[...])
  }

  /// Makes the folder, with those around it that are missing; returns whether it is there.
  func makeFolder() -> Bool { napkin_make_folders(folder) }

  /// Stores a token; returns whether it was written: the next run begins without it otherwise.
  @discardableResult
  package func store(_ token: String, for key: String, endsProcess: Bool = false) -> Bool {
    let text = "\(token)\n\(key)\n" + (endsProcess ? "\(Self.endsProcess)\n" : "")
    return makeFolder() && napkin_write_file(path(of: key), text, text.utf8.count)
  }

  /// Forgets a test's failure, because it does not fail any more.
  package func remove(_ key: String) { napkin_remove_file(path(of: key)) }

  private static let endsProcess = "It ends the process."

  private func path(of key: String) -> String {
    "\(folder)/\(key.stableHash)"
  }
}

extension Diagnostic {
  /// Says that there is no folder for the failures to be kept in.
  static func noDatabase(_ folder: String) -> Diagnostic {
    Diagnostic(
      .misuse, "NAPKIN_DATABASE is \"\(folder)\", and no folder can be made there.",
      likelyCause: "a file is in its place, or a folder around it may not be written.",
      suggestion: "name a folder that may be written, or off to keep no failures.")
  }

  /// Says that the next run does not begin with a failure.
  static func isNotKept(in database: FailureDatabase) -> Diagnostic {
    Diagnostic(
      warning: .database,
      "The failure could not be kept in \"\(database.folder)\", so the next run does not begin with it.",
      likelyCause: "the folder may not be written, or no space is left.",
      suggestion: "pin its token by .replay, or let NAPKIN_DATABASE name a folder that may be written.")
  }
}

extension Test.Case {
  /// The arguments of a parameterised test, as Swift Testing distinguishes the cases; nil for any other test.
  ///
  /// They are not public, so they are read by reflection. Where that finds nothing, all that distinguishes two cases is
  /// the whole value's description.
  fileprivate var argumentText: String? {
    guard isParameterized else { return nil }
    guard let arguments = Mirror(reflecting: self).descendant("_kind", "parameterized", "arguments") else {
      return "\(self)"
    }
    return Mirror(reflecting: arguments).children.map { argument in
      guard let bytes = Mirror(reflecting: argument.value).descendant("id", "bytes") as? [UInt8] else {
        return "\(argument.value)"
      }
      return String(decoding: bytes, as: UTF8.self)
    }.joined(separator: ", ")
  }
}
