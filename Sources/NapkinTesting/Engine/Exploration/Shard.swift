// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

extension RunSettings {
  /// One machine's share of the executions of each exploration: every `count`th, from the `index`th on.
  ///
  /// No two machines run the same execution, and each runs one at least. The one execution of a simulated test and a whole
  /// exhaustive search are the first machine's.
  ///
  /// - `NAPKIN_SHARD=2/8` is the third of eight, `0/1` the whole, wherever a runner deals out the tests themselves.
  /// - `TEST_TOTAL_SHARDS` and `TEST_SHARD_INDEX`, as Bazel sets them, are read where `NAPKIN_SHARD` is not set.
  package struct Shard: Sendable, Equatable {
    package var index = 0
    package var count = 1

    package init(index: Int = 0, count: Int = 1) {
      self.index = index
      self.count = count
    }

    /// Makes the file by which Bazel wants to see that the executions are dealt out.
    func tellRunner() {
      guard count > 1, let file = Environment["TEST_SHARD_STATUS_FILE"], !file.isEmpty else { return }
      _ = napkin_append_file(file, "", 0)
    }

    /// The number, from one on, of an execution that is the share's `position`th, from zero on.
    func number(at position: Int) -> Int { position * count + index + 1 }

    /// The inverse of ``number(at:)``.
    func position(of number: Int) -> Int { (number - 1 - index) / count }

    /// How many of `executions` are of this share, 1 or more: a machine beyond the last execution runs one that only a
    /// longer exploration would have.
    func share(of executions: Int) -> Int {
      max(1, executions / count + (index < executions % count ? 1 : 0))
    }
  }
}

extension RunSettings.Shard {
  /// Reads the share that the variables of an environment describe; all of each exploration where none is set.
  init(_ variable: (String) -> String?) throws(Diagnostic) {
    guard let text = variable("NAPKIN_SHARD"), !text.isEmpty else {
      self = try Self.ofRunner(variable)
      return
    }
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2, let index = Int(words[0]), let count = Int(words[1]), 0..<max(count, 0) ~= index else {
      throw RunSettings.misuse("NAPKIN_SHARD", text, wanted: "a shard and their number, such as 0/4")
    }
    self.init(index: index, count: count)
  }

  /// The share that Bazel, and runners like it, give.
  private static func ofRunner(_ variable: (String) -> String?) throws(Diagnostic) -> Self {
    let count = try RunSettings.number(
      "TEST_TOTAL_SHARDS", variable, in: 1..., wanted: "a whole number of 1 or more")
    guard let count else { return Self() }
    let wanted = "a shard's number from 0 to \(count - 1)"
    let index = try RunSettings.number("TEST_SHARD_INDEX", variable, in: 0..<count, wanted: wanted)
    guard let index = index ?? (count == 1 ? 0 : nil) else {
      throw Diagnostic(
        .misuse, "TEST_TOTAL_SHARDS is \(count), and TEST_SHARD_INDEX is not set.",
        likelyCause: "only one of the two was handed on, and every machine would run the same executions.",
        suggestion: "set TEST_SHARD_INDEX to \(wanted), another one on each machine.")
    }
    return Self(index: index, count: count)
  }
}
