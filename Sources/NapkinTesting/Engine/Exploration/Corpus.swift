// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// A folder that machines share while they explore the same test with the same build: lessons of a search, and failures.
///
/// A file is named for a hash of its content and is put in place whole, so machines may write at once and end at any time:
/// none overwrites another one's, and every file that is read is whole. Nothing is ever changed or removed.
package struct Corpus: Sendable {
  private let folder: String

  /// The number of executions between two exchanges of lessons.
  static let interval = 256

  // A lesson that is larger stays with its machine.
  private static let largest = 1 << 18

  /// Opens the folder of an exploration; nil where it cannot be made.
  package init?(in root: String, of key: String) {
    folder = "\(root)/\(key.stableHash)-\(String(BuildFingerprint.current, radix: 16))"
    guard napkin_make_folder(root), napkin_make_folder(folder) else { return nil }
  }

  /// The tokens of the failures that machines have found, in the order of their names.
  package func failures() -> [String] {
    names(ending: ".failure").sorted().compactMap { name in
      let token = String(decoding: content(of: name) ?? [], as: UTF8.self)
      return (try? ReplayToken(token)) == nil ? nil : token
    }
  }

  package func add(failure token: String) { _ = add(Array(token.utf8), ending: ".failure") }

  /// Returns the name of the file that it is in from now on.
  @discardableResult
  package func add(_ lesson: Lesson) -> String { add(lesson.bytes, ending: ".lesson") }

  /// The lessons in files whose names are not known yet.
  ///
  /// A file that is not whole is left for another time: a folder that is synchronised may have a part of it only.
  package func lessons(besides known: inout Set<String>) -> [Lesson] {
    names(ending: ".lesson").filter { !known.contains($0) }.sorted().compactMap { name in
      guard let bytes = content(of: name), let lesson = Lesson(bytes) else { return nil }
      known.insert(name)
      return lesson
    }
  }

  private func add(_ bytes: [UInt8], ending: String) -> String {
    let name = bytes.stableHash + ending
    let path = "\(folder)/\(name)"
    guard bytes.count < Self.largest, !napkin_file_exists(path) else { return name }
    _ = bytes.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { napkin_write_file(path, $0.baseAddress!, $0.count) }
    }
    return name
  }

  /// The content of a file, if it is the one that its name is for.
  private func content(of name: String) -> [UInt8]? {
    let bytes = [UInt8](ofFile: "\(folder)/\(name)", most: Self.largest)
    return name.hasPrefix(bytes.stableHash) ? bytes : nil
  }

  private func names(ending: String) -> [String] {
    var names: [String] = []
    withUnsafeMutablePointer(to: &names) { names in
      napkin_each_file(folder, names) { names, name in
        names?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
      }
    }
    return names.filter { $0.hasSuffix(ending) }
  }
}

extension Corpus {
  /// One exploration's part in the exchange.
  final class Exchange {
    private let corpus: Corpus
    private let passed: [String]
    private var known: Set<String> = []

    init(_ corpus: Corpus, passed: [String]) { (self.corpus, self.passed) = (corpus, passed) }

    /// Has a strategy exchange its lessons; returns whether a machine has found a failure that did not pass here.
    func hasFailure(after strategy: SchedulingStrategy) -> Bool {
      for lesson in strategy.exchange(corpus.lessons(besides: &known)) { known.insert(corpus.add(lesson)) }
      return !corpus.failures().allSatisfy(passed.contains)
    }
  }
}

extension Lesson {
  /// The lesson as bytes, for another process of the same build.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.writeNumber(UInt64(features.count))
    for feature in features {
      writer.writeWord(feature.hash)
      writer.writeNumber(UInt64(feature.picks))
    }
    writer.writeNumber(UInt64(picks.count))
    for pick in picks { writer.writeNumber(UInt64(pick)) }
    writer.writeNumber(UInt64(data.count))
    for choice in data {
      writer.writeNumber(choice.value)
      writer.writeNumber(choice.bound)
    }
    if let score { writer.writeWord(score.bitPattern) }
    return writer.bytes
  }

  /// Reads a lesson from its bytes; nil where they are something else.
  package init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let features = reader.readNumber() else { return nil }
    self.init(features: [], picks: [], data: [])
    for _ in 0..<features {
      guard let hash = reader.readWord(), let picks = reader.readNumber(), let cut = Int32(exactly: picks) else {
        return nil
      }
      self.features.append(EntryOrder.Feature(hash: hash, picks: cut))
    }
    guard let picks = reader.readNumber() else { return nil }
    for _ in 0..<picks {
      guard let number = reader.readNumber(), let pick = Int32(exactly: number) else { return nil }
      self.picks.append(pick)
    }
    guard self.features.allSatisfy({ $0.picks <= self.picks.count }), let data = reader.readNumber() else { return nil }
    for _ in 0..<data {
      guard let value = reader.readNumber(), let bound = reader.readNumber() else { return nil }
      self.data.append(Choice(value: value, bound: bound))
    }
    if !reader.isAtEnd {
      guard let bits = reader.readWord(), reader.isAtEnd else { return nil }
      score = Double(bitPattern: bits)
    }
  }
}
