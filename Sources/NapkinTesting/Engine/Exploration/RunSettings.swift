// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime
internal import Synchronization

/// The settings of explorations in the environment, so that a run can be changed without editing a test.
///
/// - `NAPKIN_SEED`: another seed, a whole number.
/// - `NAPKIN_EXECUTIONS`: another number of executions.
/// - `NAPKIN_PROFILE`: `standard`, `ci` or `nightly`, see ``RunProfile``, in place of the profile that a trait sets; a
///   number of executions outdoes its factor.
/// - `NAPKIN_TIME_BUDGET`: how many seconds an exploration may take, however many executions that is.
/// - `NAPKIN_REPLAY`: a token to replay, in place of everything else.
/// - `NAPKIN_ISOLATE`: `1` runs executions in processes of their own, but for those on real threads.
/// - `NAPKIN_JOBS`: in how many such processes at once.
/// - `NAPKIN_SHARD`, `TEST_TOTAL_SHARDS` and `TEST_SHARD_INDEX`: this machine's share, see ``Shard``.
///
/// They act on tests (`check`, `explore` and the traits) and leave ``Explorer/run(_:)`` alone.
package struct RunSettings: Sendable, Equatable {
  package var seed: UInt64?
  package var executions: Int?
  package var timeBudget: Duration?
  package var replay: String?
  package var isIsolated = false
  package var jobs: Int?
  package var shard = Shard()
  package var profile = RunProfile.standard

  /// A variable that cannot be read.
  static func misuse(_ variable: String, _ value: String, wanted: String) -> Diagnostic {
    Diagnostic(
      .misuse, "The environment variable \(variable) is \"\(value)\", which is not \(wanted).",
      likelyCause: "it was mistyped, or set for another program.",
      suggestion: "set it to \(wanted), or unset it.")
  }

  package init() {}

  /// The number of processes that the environment of this process asks for; 1 if it asks for none.
  static var mostJobs: Int { (try? current())?.jobs ?? 1 }

  /// Whether the output of executions is held back, except the reported one's; `NAPKIN_OUTPUT=all` shows everything.
  static let holdsOutput = Environment["NAPKIN_OUTPUT"] != "all"

  /// Reads the settings of this process.
  package static func current() throws(Diagnostic) -> RunSettings {
    try RunSettings { Environment[$0] }
  }

  /// Reads the settings that a function gives by their names.
  package init(_ variable: (String) -> String?) throws(Diagnostic) {
    seed = try Self.read("NAPKIN_SEED", variable, wanted: "a whole number of 0 or more", UInt64.init)
    executions = try Self.number("NAPKIN_EXECUTIONS", variable, in: 1..., wanted: "a whole number of 1 or more")
    timeBudget = try Self.read("NAPKIN_TIME_BUDGET", variable, wanted: "a positive number of seconds") { text in
      Double(text).flatMap { $0 > 0 && $0 < 1e9 ? .seconds($0) : nil }
    }
    replay = variable("NAPKIN_REPLAY").flatMap { $0.isEmpty ? nil : $0 }
    isIsolated = try Self.flag("NAPKIN_ISOLATE", variable) ?? false
    jobs = try Self.number("NAPKIN_JOBS", variable, in: 1...256, wanted: "a number of processes from 1 to 256")
    guard let profile = RunProfile(variable) else {
      let names = RunProfile.all.map(\.name).joined(separator: ", ")
      throw Self.misuse("NAPKIN_PROFILE", variable("NAPKIN_PROFILE") ?? "", wanted: "one of \(names)")
    }
    if let misuse = profile.misuse { throw misuse }
    self.profile = profile
    shard = try Shard(variable)
    try Self.refuseUnread(variable)
  }

  /// Refuses values of variables that are read elsewhere, where one that means nothing would pass for none.
  private static func refuseUnread(_ variable: (String) -> String?) throws(Diagnostic) {
    _ = try hangTimeout(variable)
    for name in ["NAPKIN_SELF_TEST", "NAPKIN_SHARED", "NAPKIN_VERBOSE"] { _ = try flag(name, variable) }
    _ = try read("NAPKIN_OUTPUT", variable, wanted: "all") { $0 == "all" ? true : nil }
  }

  /// How many seconds one job may run before it counts as hanging.
  static func hangTimeout(_ variable: (String) -> String?) throws(Diagnostic) -> Int? {
    try read("NAPKIN_HANG", variable, wanted: "a positive number of seconds") { text in
      Double(text).flatMap { $0 > 0 && $0 < 1e9 ? Int($0.rounded(.up)) : nil }
    }
  }

  private static func flag(_ name: String, _ variable: (String) -> String?) throws(Diagnostic) -> Bool? {
    try read(name, variable, wanted: "0 or 1") { $0 == "0" ? false : $0 == "1" ? true : nil }
  }

  static func number(
    _ name: String, _ variable: (String) -> String?, in range: some RangeExpression<Int>, wanted: String
  ) throws(Diagnostic) -> Int? {
    try read(name, variable, wanted: wanted) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
  }

  static func read<Value>(
    _ name: String, _ variable: (String) -> String?, wanted: String, _ parse: (String) -> Value?
  ) throws(Diagnostic) -> Value? {
    guard let text = variable(name), !text.isEmpty else { return nil }
    guard let value = parse(text) else { throw misuse(name, text, wanted: wanted) }
    return value
  }
}

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

/// The effort of the explorations of a run or a suite, and whether failures are remembered.
///
///     extension RunProfile {
///       static let soak = RunProfile("soak", executions: 10, time: .seconds(60))
///     }
///
///     @Suite(.profile(.soak)) struct CheckoutTests { … }
///
/// `NAPKIN_PROFILE` chooses one of ``standard``, ``ci`` and ``nightly`` for a whole run, whatever the traits say. Where
/// neither does, it is ``ci`` on a machine that sets `CI`, as every hosted runner does, and ``standard`` elsewhere.
public struct RunProfile: Sendable, Hashable {
  /// The name in diagnostics, by which `NAPKIN_PROFILE` chooses those of the kit.
  public let name: String

  /// The factor for the number of executions of each test.
  package let factor: Int

  /// Whether failures are kept in the ``FailureDatabase``, and replayed first in the next run.
  package private(set) var remembers: Bool

  /// How long an exploration may take.
  package let time: Duration?

  /// Creates a profile.
  ///
  /// - Parameters:
  ///   - name: The name in diagnostics.
  ///   - factor: The factor for the number of executions of each test, 1 or more.
  ///   - time: The most real time of each exploration; a shorter limit of a test holds. Nil sets no limit.
  ///   - remembersFailures: Whether a failure is kept, and replayed first in the next run. Where `CI` is set, none is.
  public init(_ name: String, executions factor: Int = 1, time: Duration? = nil, remembersFailures: Bool = true) {
    self.name = name
    self.factor = factor
    self.time = time
    remembers = remembersFailures
  }

  /// For development: the executions of the test, after a replay of the last failure.
  public static let standard = RunProfile("standard")

  /// For continuous integration: the executions of the test; failures are neither replayed nor kept.
  public static let ci = RunProfile("ci", remembersFailures: false)

  /// For nightly runs: twenty times as many executions; failures are neither replayed nor kept.
  public static let nightly = RunProfile("nightly", executions: 20, remembersFailures: false)

  /// Every profile that `NAPKIN_PROFILE` can name.
  package static let all = [standard, ci, nightly]

  /// The profile that a trait of the running test, or of its suite, sets.
  @TaskLocal package static var ofTrait: RunProfile?

  /// The profile that the variables of an environment and the traits choose; nil if the variable names an unknown one.
  package init?(_ variable: (String) -> String?) {
    if let name = variable("NAPKIN_PROFILE"), !name.isEmpty {
      guard let profile = Self.all.first(where: { $0.name == name }) else { return nil }
      self = profile
      return
    }
    let isCI = variable("CI").map { !$0.isEmpty && $0 != "false" } ?? false
    self = Self.ofTrait ?? (isCI ? .ci : .standard)
    if isCI { remembers = false }
  }

  /// The diagnostic for a profile that no exploration could follow.
  package var misuse: Diagnostic? {
    if factor < 1 {
      return Diagnostic(
        .misuse, "RunProfile(\"\(name)\", executions: \(factor)) leaves no execution to run.",
        likelyCause: "the factor was computed, or mistyped.", suggestion: "pass 1 or more.")
    }
    guard let time, time <= .zero else { return nil }
    return Diagnostic(
      .misuse, "RunProfile(\"\(name)\", time: \(time)) leaves no time to run an execution.",
      likelyCause: "the time was computed, or mistyped.", suggestion: "pass a positive time, or none for no limit.")
  }
}

/// The variables that the kit reads, beside those of Bazel, of hosted runners and of terminals.
package enum KitVariables {
  /// The variables of users, then two of the kit's own processes and two of its manifest.
  private static let known = [
    "DATABASE", "EXECUTIONS", "HANG", "ISOLATE", "JOBS", "OUTPUT", "PROFILE", "REPLAY", "REPORT_DIR", "SEED",
    "SELF_TEST", "SHARD", "SHARED", "SPLIT", "TIME_BUDGET", "VERBOSE", "AUTOPSY", "WORKER", "LIKE_APPLE", "STRICT",
  ].map { "NAPKIN_" + $0 }

  private static let areReported = Mutex(false)

  /// The warnings for the environment of this process, once a process.
  package static func takeWarnings() -> [Diagnostic] {
    let isFirst = areReported.withLock { areReported in
      defer { areReported = true }
      return !areReported
    }
    return isFirst ? warnings(of: Environment.names) : []
  }

  /// A warning for each name that begins as those of the kit do, and is none.
  package static func warnings(of names: [String]) -> [Diagnostic] {
    names.sorted().filter { $0.hasPrefix("NAPKIN_") && !known.contains($0) }.map { name in
      Diagnostic(
        warning: .variable(name), "The environment variable \(name) has no effect.",
        likelyCause: "it was mistyped, or is one of another version.",
        suggestion: "unset it, or set one of \(known.prefix(16).joined(separator: ", ")).")
    }
  }
}
