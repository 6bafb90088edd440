// SPDX-License-Identifier: Apache-2.0

/// Runs an async body under many interleavings, each from a seed, and finds the smallest one that fails.
///
/// ```swift
/// let result = await Explorer(executions: 10_000, strategy: .pct(depth: 3), seed: 42).run {
///   let counter = Counter()
///   async let first: Void = counter.increment()
///   async let second: Void = counter.increment()
///   _ = await (first, second)
///   #expect(await counter.value == 2)
/// }
/// ```
///
/// Everything that the body starts runs on the main thread, one job at a time, and the explorer picks the next job; the code
/// under test is not changed. `Task.sleep` costs no real time. Dispatch queues and threads are not controlled: a body that
/// waits for them cannot be replayed exactly, and a warning says so.
public struct Explorer: Sendable {
  /// The most executions to run.
  public var executions: Int

  /// The strategy that picks the next job.
  public var strategy: Strategy {
    // The arguments of a search are no fault of the replay that takes its place.
    didSet { ignored = [] }
  }

  /// The arguments of `init` that its strategy ignores, as they are written.
  private(set) var ignored: [String]

  /// The source of all randomness.
  public var seed: UInt64

  var shrinks: Bool
  var cancels: Bool
  var isolated: Bool
  var steps: Int
  /// How long the executions may take together, as the test says.
  var time: Duration?
  /// How much virtual time may pass in an execution while a task is ready: less than this, or any where it is nil.
  var busyTime: Duration?
  /// How many jobs an execution may run where an exploration does not say, and how much time may pass in its steps.
  static let (standardSteps, standardBusyTime) = (200_000, Duration.seconds(1))

  /// Creates an explorer; nothing runs before ``run(_:)`` or ``check(sourceLocation:_:)``.
  ///
  /// Arguments that the strategy would ignore are refused: `executions`, `seed`, `cancels`, `time` and `busyTime` with
  /// ``Strategy/replay(_:)``, since its token says all that an execution needs; `steps`, `cancels`, `isolated` and `busyTime`
  /// with ``Strategy/parallel``; `cancels` with ``Strategy/exhaustive(preemptions:)``; `busyTime` with ``Strategy/fifo``.
  ///
  /// - Parameters:
  ///   - executions: The most executions to run; the first failure ends the exploration. Nil is 1,000, or the one of a
  ///     replay.
  ///   - strategy: The strategy that picks the next job.
  ///   - seed: The source of all randomness. The same seed gives the same executions in the same build. Nil is 0, so that a
  ///     test that passed passes again.
  ///   - shrinks: Whether a failing execution is shrunk before it is reported.
  ///   - cancels: Whether tasks of the body are cancelled at any of their suspensions, at most two in an execution; the report
  ///     names them. A body that was cancelled itself may throw `CancellationError`. Children of groups and `async let`s are
  ///     cancelled with the task that waits for them, never alone: no code outside could do that.
  ///   - isolated: Whether ``check(sourceLocation:_:)`` runs the executions in a process of their own, so that one that
  ///     crashes or hangs is a failure like any other. It takes a fraction of a second for each test.
  ///   - steps: The most jobs of an execution, each from one suspension to the next; an execution that has not ended by then
  ///     is a livelock. A stream takes two for each element.
  ///   - time: The most real time of all executions together; an exploration that takes longer ends with those that it has
  ///     run, at least one, and its result says how many. Nil sets no limit.
  ///   - busyTime: The virtual time that all steps of an execution take less than, together. Sleeps and timeouts that end
  ///     within it may end in the middle of work; a longer one waits until no task is ready. With `.zero` no time passes
  ///     while a task is ready; nil sets no limit. A replay has none.
  public init(
    executions: Int? = nil, strategy: Strategy = .portfolio, seed: UInt64? = nil, shrinks: Bool = true,
    cancels: Bool = false, isolated: Bool = false, steps: Int = 200_000, time: Duration? = nil,
    busyTime: Duration? = .seconds(1)
  ) {
    self.isolated = isolated
    self.executions = executions ?? (strategy.token == nil ? 1_000 : 1)
    self.strategy = strategy
    self.seed = seed ?? 0
    self.shrinks = shrinks
    self.cancels = cancels
    self.steps = steps
    self.time = time
    // A token says itself when time passes.
    self.busyTime = strategy.token == nil ? busyTime : nil
    // The standard time may not have been given, and nil is how much time may pass in a replay and on real threads.
    let limit = busyTime == Self.standardBusyTime ? nil : busyTime.map { "busyTime: \($0)" }
    ignored =
      switch strategy.kind {
      case .replay:
        [
          executions.flatMap { $0 == 1 ? nil : "executions: \($0)" }, seed.map { "seed: \($0)" },
          cancels ? "cancels: true" : nil, time.map { "time: \($0)" }, limit,
        ].compactMap(\.self)
      case .fifo: [limit].compactMap(\.self)
      case .parallel: [steps == Self.standardSteps ? nil : "steps: \(steps)", limit].compactMap(\.self)
      default: []
      }
  }
}

extension Explorer {
  /// A strategy that picks the next of the ready jobs.
  public struct Strategy: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
      case random, pos, surw, guided, fifo, portfolio, parallel
      case pct(depth: Int)
      case exhaustive(preemptions: Int?, Assumption?)
      case replay(String)
    }

    let kind: Kind
  }
}

extension Explorer.Strategy {
  /// Picks any ready job, with equal odds.
  public static let random = Self(kind: .random)

  /// Runs tasks by priorities that change at up to `depth` − 1 random points; finds bugs of that depth with proven odds.
  ///
  /// With `n` tasks and `k` choices, a bug that needs `depth` ordering constraints is found in an execution with a
  /// probability of at least 1 / (depth · n · k^(depth−1)).
  ///
  /// Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010.
  public static func pct(depth: Int) -> Self { Self(kind: .pct(depth: depth)) }

  /// Runs jobs by random priorities, drawn anew for jobs that enter the same actor.
  ///
  /// Yuan, Yang and Gu, "Partial order aware concurrency sampling", CAV 2018.
  public static let pos = Self(kind: .pos)

  /// Varies executions that showed something new, or came close to a target.
  ///
  /// A target is given by ``Execution/target(_:sourceLocation:)-(Double,_)``.
  /// Each execution depends on those before it; with the same seed it is the same again. The idea is that of Wolff,
  /// Shi, Duck, Mathur and Roychoudhury, "Greybox fuzzing for concurrency testing", ASPLOS 2024.
  public static let guided = Self(kind: .guided)

  /// Runs every schedule, or every one with at most this number of preemptions; those with fewer run first.
  ///
  /// Values that a body draws are the same until every schedule has run with them. Then all schedules run with others, as
  /// long as there are executions left, and nothing is proven.
  ///
  /// Where steps can be split it splits none, and still reports data races: that steps are whole orders no two of them.
  ///
  /// Musuvathi and Qadeer, "Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007.
  public static func exhaustive(preemptions: Int? = nil) -> Self {
    Self(kind: .exhaustive(preemptions: preemptions, nil))
  }

  /// An assumption about a body under which fewer of its schedules have to run.
  public enum Assumption: Sendable, Hashable {
    /// Tasks share state by actors alone: nothing that two tasks use is kept in a lock, an atomic, a global or local
    /// variable, a stream or a task-local's object, and no task cancels another one or asks for the time.
    case tasksShareOnlyActors
  }

  /// Runs every schedule, except those that are equal to one that runs if the assumption holds.
  ///
  /// Two schedules are equal if they differ only in the order of steps on different actors. A step that creates or ends
  /// a task, or after which the task waits for anything but an actor, keeps its place among all others. Where the
  /// assumption does not hold, a failure may be missed; a reported failure is real either way. The method is that of sleep
  /// sets: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996.
  public static func exhaustive(assuming assumption: Assumption) -> Self {
    Self(kind: .exhaustive(preemptions: nil, assumption))
  }

  /// Runs FIFO order, on one thread; data races are reported as in ``exhaustive(preemptions:)``.
  public static let fifo = Self(kind: .fifo)

  /// Alternates between four, since none finds everything; the default.
  ///
  /// They are ``guided``, ``pos``, ``random``, and one that samples all orders of entering one actor with equal odds: Zhao,
  /// Wolff, Mathur and Roychoudhury, "Selectively uniform concurrency testing", ASPLOS 2025. In each fifth execution steps
  /// are stopped at calls, see <doc:WhatAPassProves>.
  public static let portfolio = Self(kind: .portfolio)

  /// Runs the body on the real thread pool, without control, for data races that only threads show.
  public static let parallel = Self(kind: .parallel)

  /// Runs the one execution that a failure's token describes.
  public static func replay(_ schedule: String) -> Self { Self(kind: .replay(schedule)) }

  /// The token of a replay; nil for any other strategy.
  var token: String? { if case .replay(let token) = kind { token } else { nil } }

  /// Whether time passes at random, too, where the strategy itself does not say when.
  var drawsTime: Bool {
    switch kind {
    case .random, .pos, .surw, .guided, .pct, .portfolio: true
    case .fifo, .exhaustive, .replay, .parallel: false
    }
  }

  /// Whether steps are stopped at calls in some executions, where they are not split: the odds of the others are their own.
  var stopsAtCalls: Bool { if case .portfolio = kind { Instrumentation.stopsAtCalls } else { false } }

  /// Whether each execution depends on those before it, so that one machine runs all of them.
  var isExhaustive: Bool {
    if case .exhaustive = kind { true } else { false }
  }

  /// The strategy as it is written in source code, without the dot.
  public var description: String {
    switch kind {
    case .pct(let depth): "pct(depth: \(depth))"
    case .exhaustive(nil, nil): "exhaustive()"
    case .exhaustive(let preemptions?, _): "exhaustive(preemptions: \(preemptions))"
    case .exhaustive(nil, let assumption?): "exhaustive(assuming: .\(assumption))"
    case .replay(let token): "replay(\"\(token)\")"
    default: "\(kind)"
    }
  }
}

/// The member of the portfolio that no test chooses by itself, for the benchmarks that compare them.
extension Explorer.Strategy {
  /// Samples all orders of entering one actor with equal odds, one actor in each execution.
  ///
  /// Zhao, Wolff, Mathur and Roychoudhury, "Selectively uniform concurrency testing", ASPLOS 2025.
  @_spi(Benchmarks) public static let surw = Self(kind: .surw)
}
