// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

extension RunSettings {
  /// One machine's share of the executions of each exploration: every `count`th, from the `index`th on.
  ///
  /// No two machines run the same execution, and each runs one at least, but for a simulated test, whose only one is the
  /// first machine's. An exhaustive search is dealt out by the prefixes of its schedules, see ``PrefixDealing``.
  ///
  /// - `NAPKIN_SHARD=2/8` is the third of eight, `0/1` the whole, wherever a runner deals out the tests themselves.
  /// - `NAPKIN_SHARD=auto` reads the variables of the engine that runs this process, see ``Engine``, and `auto/8` does
  ///   where the engine gives a number and no total. An engine's variables alone do nothing, as its tests may be dealt
  ///   out by another tool, and each of them would then run with a part of its executions only.
  /// - `TEST_TOTAL_SHARDS` and `TEST_SHARD_INDEX` are read where `NAPKIN_SHARD` is not set.
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
    if words.first == "auto", words.count == 1 || words.count == 2 && (Int(words[1]) ?? 0) > 0 {
      self = try Engine.shard(variable, count: words.count == 2 ? Int(words[1]) : nil)
    } else if words.count == 2, let index = Int(words[0]), let count = Int(words[1]), 0..<max(count, 0) ~= index {
      self.init(index: index, count: count)
    } else {
      throw RunSettings.misuse(
        "NAPKIN_SHARD", text, wanted: "a shard and their number, such as 0/4, or auto, or auto/4")
    }
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

  /// A program that starts several machines or processes for one job, and numbers them by variables.
  private struct Engine {
    let name: String
    let index: String
    /// The number of the first, or the variable that has it.
    var first = 0
    var firstVariable: String?
    var stepVariable: String?
    var total: String?

    // Slurm's and GNU Parallel's have been seen. Buildkite and CircleCI are taken to count from 0, as Kubernetes does.
    static let all = [
      Engine(name: "Kubernetes", index: "JOB_COMPLETION_INDEX"),
      Engine(name: "GitLab", index: "CI_NODE_INDEX", first: 1, total: "CI_NODE_TOTAL"),
      Engine(name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", total: "BUILDKITE_PARALLEL_JOB_COUNT"),
      Engine(name: "CircleCI", index: "CIRCLE_NODE_INDEX", total: "CIRCLE_NODE_TOTAL"),
      Engine(
        name: "Slurm", index: "SLURM_ARRAY_TASK_ID", firstVariable: "SLURM_ARRAY_TASK_MIN",
        stepVariable: "SLURM_ARRAY_TASK_STEP", total: "SLURM_ARRAY_TASK_COUNT"),
      Engine(name: "GNU Parallel", index: "PARALLEL_SEQ", first: 1),
    ]

    /// The share that the one engine gives whose variables are set.
    static func shard(_ variable: (String) -> String?, count given: Int?) throws(Diagnostic) -> RunSettings.Shard {
      let found = all.filter { variable($0.index)?.isEmpty == false }
      guard found.count == 1, let engine = found.first else {
        throw misuse(found.isEmpty ? "no engine has numbered" : "\(named(found)) have numbered", given)
      }
      return try engine.shard(variable, count: given)
    }

    private static func named(_ engines: [Engine]) -> String {
      engines.map { "\($0.name) (\($0.index))" }.joined(separator: " and ")
    }

    private static func misuse(_ problem: String, _ count: Int?) -> Diagnostic {
      Diagnostic(
        .misuse, "NAPKIN_SHARD is \"auto\(count.map { "/\($0)" } ?? "")\", and \(problem) this process.",
        likelyCause: "auto reads the variables of \(all.map(\.name).joined(separator: ", ")).",
        suggestion: "set NAPKIN_SHARD to a shard and their number, such as 0/4, from the variables that there are.")
    }

    private func shard(_ variable: (String) -> String?, count given: Int?) throws(Diagnostic) -> RunSettings.Shard {
      func number(_ name: String?, from least: Int) throws(Diagnostic) -> Int? {
        guard let name else { return nil }
        return try RunSettings.number(name, variable, in: least..., wanted: "a whole number of \(least) or more")
      }
      let first = try number(firstVariable, from: 0) ?? first
      let step = try number(stepVariable, from: 1) ?? 1
      let ofEngine = try number(total, from: 1)
      guard let count = given ?? ofEngine else {
        throw Self.misuse("\(name) gives no total to", given)
      }
      let number = try RunSettings.read(index, variable, wanted: "the number of one of \(count) processes") { text in
        Int(text).flatMap { $0 >= first && ($0 - first) / step < count ? $0 : nil }
      }
      return RunSettings.Shard(index: ((number ?? first) - first) / step, count: count)
    }
  }
}
