// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
public import Testing

extension Explorer {
  /// Explores the body, and records one issue if an execution failed.
  ///
  /// The issue stands where the failed expectation stands, or else at the call of this function. It says what happened,
  /// shows the shrunk interleaving and ends with the line that replays it.
  ///
  /// - Returns: What was found, to be looked at more closely.
  @discardableResult
  public func check(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () async throws -> Void
  ) async -> Exploration {
    await check(sourceLocation: sourceLocation, body) { _ in [] }
  }

  /// The same, with warnings of callers that know more of the body than the exploration does.
  func check(
    sourceLocation: SourceLocation,
    _ body: @escaping @Sendable () async throws -> Void,
    warnings: (Exploration) async -> [Diagnostic]
  ) async -> Exploration {
    var exploration = await runAsATest(FailureDatabase.key(sourceLocation), body)
    exploration.diagnostics += await warnings(exploration) + MisspeltVariables.takeWarnings()
    for failure in exploration.failures { failure.record(sourceLocation: sourceLocation) }
    record(exploration.knownFailures, of: exploration, at: sourceLocation)
    PassLine.print(exploration, at: sourceLocation)
    RunLog.write(exploration, of: self, at: sourceLocation)
    // The report of a failure has brought some already.
    let reported = exploration.failures.flatMap(\.remarks)
    let doubts = exploration.failures.compactMap(\.doubt)
    for warning in exploration.diagnostics
    where !doubts.contains(warning) && !reported.contains(where: warning.description.hasPrefix) {
      Issue.record(
        Comment(rawValue: warning.description), severity: .warning,
        sourceLocation: warning.sourceLocation ?? sourceLocation)
    }
    return exploration
  }

  /// Records each known failure that came as an issue that is known, and warns of those that did not.
  private func record(
    _ seen: [Exploration.KnownFailure], of exploration: Exploration, at sourceLocation: SourceLocation
  ) {
    guard exploration.executions > 0 else { return }
    for name in known {
      let count = seen.first { $0.name == name }?.executions ?? 0
      guard count == 0 else {
        withKnownIssue(Comment(rawValue: "A known failure: \(name)")) {
          let text = "Failed in \(count.grouped) of \(exploration.executions.grouped) executions, as is known."
          _ = Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
        }
        continue
      }
      Issue.record(
        """
        The known failure \(name) did not come in \(exploration.executions.grouped) executions.
        Likely cause: it is fixed, or the executions are too few to meet it.
        What to do: replay its token, and remove .knownFailure if it passes.
        """, severity: .warning, sourceLocation: sourceLocation)
    }
  }

  /// Explores the body with the settings of the environment, after a replay of what failed last time.
  ///
  /// A database can be given in place of the one that the environment selects.
  package func runAsATest(
    _ key: String,
    keptIn own: FailureDatabase? = nil,
    _ body: @escaping @Sendable () async throws -> Void
  ) async -> Exploration {
    let settings: RunSettings
    do throws(Diagnostic) {
      settings = try RunSettings.current()
    } catch {
      return .failed(error, seed: seed)
    }
    var explorer = adjusted(by: settings)
    explorer.key = key
    let occurrence = Occurrences.next(of: key)
    if let worker = Worker.current {
      switch worker.part(in: key, occurrence: occurrence) {
      case .serve: await worker.serve(explorer, body)
      case .run: return await explorer.run(body)
      case .skip: return Exploration()
      }
    }
    if let wanted = Autopsy.key, wanted != key { return Exploration() }
    explorer.task = WorkerProcess.Task(key: key, occurrence: occurrence)
    // A pinned replay is the whole test, and a replay that the environment asks for is what the user waits for.
    guard explorer.strategy.token == nil, let database = own ?? .current(under: settings.profile) else {
      return await explorer.explore(body)
    }
    explorer.database = database
    let again = await explorer.replayed(from: database, key, body)
    if let again, again.failure != nil { return again }
    var exploration = await explorer.explore(body)
    // A later exploration of the same line may have other parameters.
    if let again, occurrence == 1 { exploration.diagnostics += again.diagnostics.filter { $0 == .replayPasses } }
    if let failure = exploration.failure { database.store(failure, for: key) }
    return exploration
  }

  /// Explores in this process, or in processes of its own where that is asked for and can be done.
  private func explore(_ body: @escaping @Sendable () async throws -> Void) async -> Exploration {
    guard isolated, strategy != .parallel else { return await run(body) }
    if let task, let exploration = await IsolatedRun(self, task).run() { return exploration }
    var exploration = await run(body)
    exploration.diagnostics.append(.isNotIsolated(task))
    return exploration
  }

  /// Replays the failure that the database keeps, and forgets one that no longer fails; nil if there is none.
  private func replayed(
    from database: FailureDatabase,
    _ key: String,
    _ body: @escaping @Sendable () async throws -> Void
  ) async -> Exploration? {
    guard let (token, endsProcess) = database.entry(for: key) else { return nil }
    var replay = self
    (replay.executions, replay.strategy, replay.known) = (1, .replay(token), [])
    // What ended its process has not been shrunk there.
    (replay.shrinks, replay.isolated) = (shrinks && endsProcess, isolated || endsProcess)
    var exploration = await replay.explore(body)
    guard let failure = exploration.failure else {
      database.remove(key)
      return exploration
    }
    if endsProcess { database.store(failure, for: key) }
    exploration.addRemark("It failed in an earlier run, too, and was replayed before anything else.")
    return exploration
  }
}

extension Exploration {
  /// The result of an exploration that could not begin, recorded as one issue.
  static func failed(_ misuse: Diagnostic, recordedAt sourceLocation: SourceLocation) -> Exploration {
    let exploration = failed(misuse, seed: 0)
    exploration.failure?.record(sourceLocation: sourceLocation)
    return exploration
  }
}

extension FailureDatabase {
  fileprivate func store(_ failure: Exploration.Failure, for key: String) {
    guard !failure.schedule.isEmpty else { return }
    store(failure.schedule, for: key, endsProcess: [.crash, .hang].contains(failure.diagnostics.first?.kind))
  }
}

extension Diagnostic {
  /// Says why the executions were not run in processes of their own.
  fileprivate static func isNotIsolated(_ task: WorkerProcess.Task?) -> Diagnostic {
    let (cause, remedy) =
      if task == nil {
        (
          "no test of Swift Testing runs here, and an XCTestCase cannot be started again by its name.",
          "write it as a @Test with .interleavings(…, isolated: true)."
        )
      } else if WorkerProcess.arguments(filter: "") == nil {
        ("the test is not run by `swift test` but by Xcode or another program.", "run it by `swift test`.")
      } else {
        (
          "a process was started for the test alone, and did not come to this exploration.",
          "let the test come to it in every run, whatever other tests have done before."
        )
      }
    return Diagnostic(
      warning: "isolation",
      "isolated: true, NAPKIN_ISOLATE or NAPKIN_JOBS has no effect here: the executions ran in this process.",
      likelyCause: cause, suggestion: remedy)
  }
}

/// Counts the explorations of each key, since one line may explore several times.
private enum Occurrences {
  private static let counts = Mutex<[String: Int]>([:])

  static func next(of key: String) -> Int {
    counts.withLock { counts in
      counts[key, default: 0] += 1
      return counts[key]!
    }
  }
}

/// Explores the body, and records one issue if an execution failed.
///
/// ```swift
/// await explore(executions: 10_000) {
///   let counter = Counter()
///   async let first: Void = counter.increment()
///   async let second: Void = counter.increment()
///   _ = await (first, second)
///   #expect(await counter.value == 2)
/// }
/// ```
///
/// It is short for ``Explorer/check(sourceLocation:_:)``; ``Explorer/init(executions:strategy:seed:shrinks:cancels:isolated:steps:time:busyTime:)``
/// says what the parameters mean.
@discardableResult
public func explore(
  executions: Int = 1_000,
  strategy: Explorer.Strategy = .portfolio,
  seed: UInt64? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async throws -> Void
) async -> Exploration {
  await Explorer(executions: executions, strategy: strategy, seed: seed).check(sourceLocation: sourceLocation, body)
}
