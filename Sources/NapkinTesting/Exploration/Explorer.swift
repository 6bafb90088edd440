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
/// Everything that the body starts runs on the main thread, one job at a time, and the explorer picks the next one;
/// the code under test is not changed. `Task.sleep` costs no time. What the body waits for must come from Swift
/// Concurrency: a dispatch queue or a thread is out of the explorer's hands.
public struct Explorer: Sendable {
  /// The most executions to run.
  public var executions: Int

  /// How the next job is picked.
  public var strategy: Strategy

  /// The source of all randomness.
  public var seed: UInt64

  var shrinks: Bool
  var cancels: Bool
  var steps: Int
  /// How long the executions may take together, as the test says.
  var time: Duration?
  /// How long they take, as the environment says: that long, however many they are.
  var timeBudget: Duration?

  /// How many jobs an execution may run where an exploration does not say.
  static let standardSteps = 200_000

  /// How long one execution may take before a passing exploration warns of it.
  package var slowness = Duration.seconds(1)

  /// How long the executions of shrinking may take together.
  package var shrinkingTime = Duration.seconds(10)

  /// What its failures are filed under; nil outside a test.
  var key: String?

  /// Where they are kept, if anywhere.
  var database: FailureDatabase?

  var shard = RunSettings.Shard()

  /// Whether its executions run in processes of their own, and in how many at once.
  var isolated: Bool
  package var jobs = 1

  /// The exploration as another process finds it; nil where no process can.
  var task: WorkerProcess.Task?

  /// Failures to go on past: a part of what each says, or its token.
  package var known: [String] = []

  /// Sets up an exploration; nothing runs before ``run(_:)`` or ``check(sourceLocation:_:)``.
  ///
  /// - Parameters:
  ///   - executions: How many executions to run at most; it stops at the first that fails.
  ///   - strategy: How the next job is picked.
  ///   - seed: Where all randomness comes from. The same seed gives the same executions, in the same build. Without one it
  ///     is 0, so that a test that passed passes again.
  ///   - shrinks: Whether a failing execution is shrunk before it is reported.
  ///   - cancels: Whether tasks of the body are cancelled, too, at any of their suspensions; the report names the one. A
  ///     body that was cancelled itself may throw `CancellationError`. Children of groups and `async let`s are cancelled
  ///     with the task that waits for them, never alone: no code outside could do that.
  ///   - isolated: Whether ``check(sourceLocation:_:)`` runs the executions in a process of their own, so that one that
  ///     crashes or hangs is a failure like any other. It takes a fraction of a second for each test.
  ///   - steps: How many jobs an execution may run, from one suspension to the next; one that has not ended by then is
  ///     a livelock. A stream takes two for each element.
  ///   - time: How long the executions may take together, in real time; an exploration that takes longer ends with those
  ///     that it has run, one at least, and its result says how many. Nil sets no limit.
  public init(
    executions: Int = 1_000, strategy: Strategy = .portfolio, seed: UInt64? = nil, shrinks: Bool = true,
    cancels: Bool = false, isolated: Bool = false, steps: Int = 200_000, time: Duration? = nil
  ) {
    self.isolated = isolated
    self.executions = executions
    self.strategy = strategy
    self.seed = seed ?? 0
    self.shrinks = shrinks
    self.cancels = cancels
    self.steps = steps
    self.time = time
  }

  /// Explores the body and reports nothing: the result says what was found.
  ///
  /// Issues that the body records are kept from the test run, and make the execution that recorded them a failure.
  /// Works outside a test, too; there, only what the body throws can fail.
  public func run(_ body: @escaping @Sendable () async throws -> Void) async -> Exploration {
    await ExplorationRun(self, body).run()
  }
}

extension Explorer {
  /// How the next of the ready jobs is picked.
  public struct Strategy: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
      case random, sticky, pos, surw, uniform, guided, fifo, portfolio, parallel
      case pct(depth: Int)
      case delayBounded(Int)
      case exhaustive(preemptions: Int?, Assumption?)
      case replay(String)
    }

    let kind: Kind
  }
}

extension Explorer.Strategy {
  /// Any ready job, with equal odds.
  public static let random = Self(kind: .random)

  /// Mostly the task that ran last, and any with a probability of one in eight.
  public static let sticky = Self(kind: .sticky)

  /// Priorities that change at up to `depth` − 1 random points; finds bugs of that depth with proven odds.
  ///
  /// With `n` tasks and `k` choices, a bug that needs `depth` ordering constraints is found in an execution with a
  /// probability of at least 1 / (depth · n · k^(depth−1)).
  ///
  /// Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010.
  public static func pct(depth: Int) -> Self { Self(kind: .pct(depth: depth)) }

  /// Random priorities, drawn anew for jobs that enter the same actor.
  ///
  /// Yuan, Yang and Gu, "Partial order aware concurrency sampling", CAV 2018.
  public static let pos = Self(kind: .pos)

  /// All orders of entering one actor with equal odds, an actor an execution.
  ///
  /// Zhao, Wolff, Mathur and Roychoudhury, "Selectively uniform concurrency testing", ASPLOS 2025.
  public static let surw = Self(kind: .surw)

  /// All interleavings with equal odds, as far as they can be estimated from the executions before.
  ///
  /// The uniform random walk, URW, of the paper that ``surw`` is from.
  public static let uniform = Self(kind: .uniform)

  /// Variations of executions that showed something new, or came close to a target.
  ///
  /// A target is given by ``Execution/target(_:sourceLocation:)-(Double,_)``.
  /// What an execution does depends on those before it; with the same seed it is the same again. The idea is that of Wolff,
  /// Shi, Duck, Mathur and Roychoudhury, "Greybox fuzzing for concurrency testing", ASPLOS 2024.
  public static let guided = Self(kind: .guided)

  /// FIFO order with this number of random delays.
  ///
  /// Emmi, Qadeer and Rakamarić, "Delay-bounded scheduling", POPL 2011.
  public static func delayBounded(_ delays: Int) -> Self { Self(kind: .delayBounded(delays)) }

  /// Every schedule there is, or every one with at most this number of preemptions; those with fewer come first.
  ///
  /// Musuvathi and Qadeer, "Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007.
  public static func exhaustive(preemptions: Int? = nil) -> Self {
    Self(kind: .exhaustive(preemptions: preemptions, nil))
  }

  /// What is taken for granted of a body, so that fewer of its schedules have to run.
  public enum Assumption: Sendable, Hashable {
    /// Tasks share state by actors alone: nothing that two tasks use is kept in a lock, an atomic, a global or local
    /// variable, a stream or a task-local's object, and no task cancels another one or asks for the time.
    case tasksShareOnlyActors
  }

  /// Every schedule but those that are equal to one that runs, if the assumption holds.
  ///
  /// Two schedules are equal if they differ only in the order of steps on different actors. A step that creates or ends
  /// a task, or after which the task waits for anything but an actor, keeps its place among all others. Where the
  /// assumption does not hold, a failure may be missed, and none is reported that there is not. The method is that of sleep
  /// sets: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996.
  public static func exhaustive(assuming assumption: Assumption) -> Self {
    Self(kind: .exhaustive(preemptions: nil, assumption))
  }

  /// FIFO order, on one thread.
  public static let fifo = Self(kind: .fifo)

  /// Several of the others in turns, since none finds everything: what to use if in doubt.
  public static let portfolio = Self(kind: .portfolio)

  /// No control: the body runs on the real thread pool, for data races that only threads show.
  public static let parallel = Self(kind: .parallel)

  /// The one execution that a failure's token describes.
  public static func replay(_ schedule: String) -> Self { Self(kind: .replay(schedule)) }

  /// Whether time passes at random, too, where the strategy itself does not say when.
  var drawsTime: Bool {
    switch kind {
    case .random, .sticky, .pos, .surw, .uniform, .guided, .pct, .portfolio: true
    case .fifo, .delayBounded, .exhaustive, .replay, .parallel: false
    }
  }

  /// The strategy as it is written after the dot.
  public var description: String {
    switch kind {
    case .pct(let depth): "pct(depth: \(depth))"
    case .delayBounded(let delays): "delayBounded(\(delays))"
    case .exhaustive(nil, nil): "exhaustive()"
    case .exhaustive(let preemptions?, _): "exhaustive(preemptions: \(preemptions))"
    case .exhaustive(nil, let assumption?): "exhaustive(assuming: .\(assumption))"
    case .replay(let token): "replay(\"\(token)\")"
    default: "\(kind)"
    }
  }
}
