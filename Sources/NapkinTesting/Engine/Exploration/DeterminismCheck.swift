// SPDX-License-Identifier: Apache-2.0

/// The first execution of an exploration, with the hashes of its ready jobs, to be compared with its repetitions.
///
/// The choices of an execution decide all of its steps, if its body is deterministic. Replays, shrinking and proofs rely
/// on that.
struct DeterminismCheck {
  /// The number of the execution.
  let number: Int
  let sequence: ChoiceSequence
  let holdsBack: Bool
  private let steps: [UInt64]

  /// The most executions of an exploration in which none runs twice: there one more would be two in a hundred.
  static let most = 50

  // How many executions there are between two repetitions, and how many with repetitions: five in a thousand.
  private static let interval = 250
  private static let mostChecked = 1_000

  /// Whether the first execution is to be run again, when this number of executions has run.
  ///
  /// Once is not enough: a coin falls on the same side twice in every other exploration.
  static func isDue(after executions: Int) -> Bool {
    executions == 1 || executions <= mostChecked && executions.isMultiple(of: interval)
  }

  /// How often the first execution is run again after an exhaustive search: one that tosses a coin is noticed almost surely.
  static let repetitionsOfProof = 16

  /// Nil for an execution that says nothing of its repetition: it failed, was discarded, or left something to other threads.
  init?(_ outcome: ExecutionOutcome, number: Int, _ readiness: Readiness) {
    guard outcome.diagnostics.isEmpty, outcome.rejection == nil, !outcome.isOutOfControl,
      let sequence = outcome.sequence
    else { return nil }
    (self.number, self.sequence, holdsBack, steps) = (number, sequence, outcome.holdsBack, readiness.steps)
  }

  /// The first step before which something else was ready; nil if there is none.
  func difference(to other: Readiness) -> Int? {
    let common = zip(steps, other.steps).prefix { $0 == $1 }.count
    return common == steps.count && common == other.steps.count ? nil : common + 1
  }
}

/// Whether the executions of an exploration depend on their choices alone, as far as it is known.
struct Determinism {
  /// The first execution; nil where it is not compared.
  var first: DeterminismCheck?
  /// The difference that was found.
  var difference: Diagnostic?
  var hasSettled = false
}

/// Memory of all small sizes, held so that an execution meanwhile allocates at other addresses than the one before.
final class HeldMemory {
  // More blocks of a size than an allocator keeps at hand to be used again.
  private static let blocks = 8
  private static let step = 16
  private static let sizes = 64

  // Loops without iterators, since this is a part of each exploration, and those cost more than the memory in debug.
  private let held = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: sizes * blocks)

  init() {
    let (count, blocks, step) = (Self.sizes * Self.blocks, Self.blocks, Self.step)
    var index = 0
    while index < count {
      (held + index).initialize(to: .allocate(byteCount: (index / blocks + 1) * step, alignment: step))
      index += 1
    }
  }

  deinit {
    let count = Self.sizes * Self.blocks
    var index = 0
    while index < count {
      held[index].deallocate()
      index += 1
    }
    held.deallocate()
  }
}

extension Diagnostic {
  private static let otherSources = """
    the time of day, unseeded randomness, the order of a Set or Dictionary (set SWIFT_DETERMINISTIC_HASHING), input and \
    output, or state that one execution leaves for the next
    """

  private static let makesItDeterministic = """
    make everything in the body, draw what is random with Execution.draw, and ask Execution.clock for the time.
    """

  /// An execution with the same choices was another one.
  static func notDeterministic(execution number: Int, step: Int, settles: Bool, comparesValues: Bool) -> Diagnostic {
    Diagnostic(
      warning: settles ? .keptState : .notDeterministic, kind: .divergence,
      """
      The body is not deterministic: when execution \(number) was run again with the same choices, something else was ready \
      before step \(step)\(comparesValues ? ", or a task was started with other values" : "").
      """,
      likelyCause: settles
        ? """
        something is made once and kept, such as a singleton, a static property, a cache or a file: from the second time on \
        the execution is the same again.
        """ : otherSources + ".",
      suggestion: makesItDeterministic)
  }

  /// An exhaustive search came to a choice by the same choices as before, and something else was ready.
  static let searchDiverged = Diagnostic(
    warning: .notDeterministic, kind: .divergence,
    """
    The body is not deterministic: after the same choices not the same was ready in all executions, or tasks were started \
    with other values, so the search has not seen all that may happen.
    """,
    likelyCause: otherSources + ".", suggestion: makesItDeterministic)

  /// A failing execution does not always fail when its choices are replayed.
  static func notReproduced(failed: Int, of replays: Int) -> Diagnostic {
    let count = failed == 0 ? "did not come again" : "came again in \(failed) of \(replays) replays only"
    return Diagnostic(
      warning: .notDeterministic, kind: .divergence,
      """
      The body is not deterministic: the failure \(count) when the same choices were replayed, so they are not what it \
      depends on.
      """,
      likelyCause: otherSources + ".", suggestion: makesItDeterministic)
  }

  /// The order of steps that was to explain a failure passed, and failed when it was run again.
  static let passesAndFails = Diagnostic(
    warning: .notDeterministic, kind: .divergence,
    """
    The body is not deterministic: with its steps in another order it passed, and failed when the same was run again, so \
    the failure depends on more than its choices.
    """,
    likelyCause: otherSources + ".", suggestion: makesItDeterministic)

  /// An execution passed, and fails in the same way as a later one when it is run again after that.
  static func outlivesBody(passed number: Int) -> Diagnostic {
    Diagnostic(
      warning: .keptState, kind: .divergence,
      """
      State outlives the body: execution \(number) passed, and with the same choices it fails now, in this way. So the failure \
      depends on the executions before it, and its token may pass in a new process.
      """,
      likelyCause: "a singleton, a static or global variable, or a file keeps what one execution leaves for the next.",
      suggestion: "make everything in the body, or reset it there, and explore again.")
  }

  /// A replay passes in the build that recorded its failure.
  static let replayPasses = Diagnostic(
    warning: .replayPasses, kind: .divergence,
    "The replay passes, though this very build has recorded its failure: the body is not deterministic.",
    likelyCause: otherSources + ".", suggestion: makesItDeterministic)

  /// A replay passes in the build that recorded its failure, in another test or with other arguments.
  static let replayIsOfAnother = Diagnostic(
    warning: .replayOfAnother, kind: .divergence,
    "The replay passes here, which says nothing: its token is of another test, or of this one with other arguments.",
    likelyCause: "NAPKIN_REPLAY replays the token in each test that runs, and with each of its arguments.",
    suggestion: "run the test of the report alone, by swift test --filter, and look at the arguments in the report.")

  /// No value but the first was tried, as one search took all executions.
  static func drewOnce(executions: Int) -> Diagnostic {
    Diagnostic(
      warning: .drawnOnce,
      "All \(executions.grouped) executions drew the same values: their search has not come to its end.",
      likelyCause:
        "the body has more schedules than executions, and an exhaustive search draws anew when it has run all.",
      suggestion: "bound it, as by .exhaustive(preemptions: 1), run more executions, or use .portfolio.")
  }
}

extension SearchContext {
  /// The fingerprint of the tokens that it makes; a replay of this build's token makes that one again.
  var fingerprint: UInt64 {
    if let text = explorer.strategy.token, let token = try? ReplayToken(text),
      BuildFingerprint.isCurrent(token.fingerprint)
    {
      return token.fingerprint & ~BuildFingerprint.countsArrivals
    }
    return BuildFingerprint.current(in: key)
  }
}

extension ReplayToken {
  /// A warning if a replayed execution was not quite the recorded one, by the number of choices that it met.
  ///
  /// A rank or a number that was out of reach counts, too: there were fewer tasks ready, or less to choose from.
  func divergence(met: Int, outOfReach: Int, in key: String?) -> Diagnostic? {
    guard count != met || outOfReach > 0 else { return nil }
    let happened =
      count != met
      ? "the replay met \(met) choices and the recorded execution \(count)"
      : "\(outOfReach) of the \(met) recorded choices were out of reach in the replay"
    return Diagnostic(
      warning: .divergence, kind: .divergence,
      "Divergence: \(happened), so it was another execution. A pass says nothing of the recorded failure.",
      likelyCause: BuildFingerprint.isOfAnother(fingerprint, than: key)
        ? "the token is of another test, or of this one with other arguments."
        : BuildFingerprint.isCurrent(fingerprint)
          ? """
          the token is of another test, or the body depends on something besides its choices: the build is the one that \
          recorded it.
          """
          : """
          it was recorded with another build: debug and release builds differ in their scheduling points, and so does \
          changed code.
          """,
      suggestion: "explore the test again without the token; if it fails, pin the token of that failure.")
  }
}
