// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
public import Testing

/// Runs a test under many interleavings, with no change to its body.
///
/// Write it as ``Testing/Trait/interleavings(_:strategy:seed:cancels:isolated:steps:time:busyTime:sourceLocation:)``.
public struct InterleavingsTrait: TestTrait, SuiteTrait, TestScoping {
  let context: SearchContext
  // The line of the trait; one that is written as a property cannot know it, and takes the test's.
  let sourceLocation: SourceLocation?

  // Distinguishes this trait from another one with the same values.
  private let identity = Identity()

  private final class Identity: Sendable {
    private let hasWarned = Atomic(false)
    /// True the first time.
    func warns() -> Bool { !hasWarned.exchange(true, ordering: .relaxed) }
  }

  // The traits of the suites that the running test is in, from the outermost to the innermost.
  @TaskLocal private static var ofSuites: [Identity] = []

  /// Whether a suite applies it to its tests: true, for those without a closer trait.
  public var isRecursive: Bool { true }

  /// Returns the trait for suites and for each case of a test.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    test.isSuite || testCase != nil ? self : nil
  }

  /// Explores the test instead of running it once, unless another exploration is written closer to it.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let all = test.traits.compactMap { ($0 as? Self) }
    let own = all.filter { trait in !Self.ofSuites.contains { $0 === trait.identity } }
    if own.count > 1 {
      own[1].recordMisuse(beside: own[0], on: test)
      if testCase != nil { return }
    }
    guard testCase != nil else {
      return try await Self.$ofSuites.withValue(Self.ofSuites + own.map(\.identity)) { try await function() }
    }
    // The traits of suites come first, from the outermost to the innermost.
    guard all.last?.identity === identity else { return try await function() }
    var context = context
    // A suite has tests that are not async, too, and the trait cannot know which.
    if Self.ofSuites.contains(where: { $0 === identity }) { context.saysNoChoice = { [identity] in identity.warns() } }
    await ProfileTrait.withProfile(of: test) { [context] in
      _ = await withBorrowedBody(function) { body in
        await context.check(sourceLocation: sourceLocation ?? test.sourceLocation) { try await body() }
      }
    }
  }
}

extension InterleavingsTrait {
  /// The trait as it is written, without what else it is given.
  private var name: String {
    let explorer = context.explorer
    if "\(explorer.strategy)".hasPrefix("replay(") { return ".\(explorer.strategy)" }
    if context.runsOnce { return ".simulated" }
    let strategy = explorer.strategy == .portfolio ? "" : ", strategy: .\(explorer.strategy)"
    return ".interleavings(\(explorer.executions)\(strategy))"
  }

  /// Records that one test, or one suite, has two explorations; neither could be meant by the other.
  private func recordMisuse(beside other: Self, on test: Test) {
    let place = sourceLocation ?? test.sourceLocation
    Diagnostic(
      .misuse,
      """
      \(test.isSuite ? "The suite" : "The test") \(test.displayName ?? test.name) has two traits that explore: \
      \(other.name) and \(name).
      """,
      likelyCause: "a trait was copied, or .replay was added to .interleavings.",
      suggestion: "keep one; to run both, write a test for each, or call explore in the body.",
      at: place
    ).record(at: place)
  }
}

extension Trait where Self == InterleavingsTrait {
  /// Runs the test under this number of interleavings, and records the smallest failure if one fails.
  ///
  /// ```swift
  /// @Test(.interleavings(1_000)) func `two increments count twice`() async {
  ///   let counter = Counter()
  ///   async let first: Void = counter.increment()
  ///   async let second: Void = counter.increment()
  ///   _ = await (first, second)
  ///   #expect(await counter.value == 2)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - executions: The most executions to run. Nil is 1,000, or the one of a replay.
  ///   - strategy: The strategy that picks the next job.
  ///   - seed: The source of all randomness; the same seed gives the same executions in the same build.
  ///   - cancels: Whether tasks are cancelled, too, at any of their suspensions.
  ///   - isolated: Whether the executions run in a process of their own, so that one that crashes or hangs is a failure like
  ///     any other, and the other tests go on.
  ///   - steps: The most jobs of an execution; one with more is a livelock.
  ///   - time: The most real time of all executions together; the line of a pass says how many were run.
  ///   - busyTime: The virtual time that all steps of an execution take less than, together: a sleep or a timeout that ends
  ///     within it may end in the middle of work. With `.zero` no time passes while a task is ready; nil sets no limit.
  ///   - sourceLocation: The line at which a failure without an expectation is recorded.
  /// - Returns: The trait.
  public static func interleavings(
    _ executions: Int? = nil,
    strategy: Explorer.Strategy = .portfolio,
    seed: UInt64? = nil,
    cancels: Bool = false,
    isolated: Bool = false,
    steps: Int = 200_000,
    time: Duration? = nil,
    busyTime: Duration? = .seconds(1),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    Self(
      context: Explorer(
        executions: executions, strategy: strategy, seed: seed, cancels: cancels, isolated: isolated, steps: steps,
        time: time, busyTime: busyTime
      ).asked(by: ".interleavings"),
      sourceLocation: sourceLocation)
  }

  /// Runs the one execution that a failure's token describes.
  ///
  /// Once the bug is fixed, the test passes, and guards against its return.
  public static func replay(_ schedule: String, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    Self(
      context: SearchContext(Explorer(executions: 1, strategy: .replay(schedule), shrinks: false)),
      sourceLocation: sourceLocation
    )
  }

  /// Runs the test once, in FIFO order, in virtual time: sleeping costs nothing.
  public static var simulated: Self {
    var context = SearchContext(Explorer(executions: 1, strategy: .fifo))
    context.runsOnce = true
    return Self(context: context, sourceLocation: nil)
  }
}
