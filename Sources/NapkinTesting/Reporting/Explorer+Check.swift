// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Explorer {
  /// Explores the body, and records one issue if an execution failed.
  ///
  /// The issue stands where the failed expectation stands, or else at the call of this function. It tells what happened,
  /// shows the shrunk interleaving and ends with the line that replays it.
  ///
  /// - Returns: What was found, for those who want to look closer.
  @discardableResult
  public func check(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () async throws -> Void
  ) async -> Exploration {
    await check(sourceLocation: sourceLocation, body) { _ in [] }
  }

  /// The same, with warnings of those who know more of the body than the exploration does.
  func check(
    sourceLocation: SourceLocation,
    _ body: @escaping @Sendable () async throws -> Void,
    warnings: (Exploration) async -> [ExplorationWarning]
  ) async -> Exploration {
    var exploration = await runAsATest(FailureDatabase.key(sourceLocation), body)
    exploration.diagnostics += await warnings(exploration)
    exploration.failure?.record(of: exploration, sourceLocation: sourceLocation)
    PassLine.print(exploration, at: sourceLocation)
    RunLog.write(exploration, of: self, at: sourceLocation)
    // The report of a failure has brought some already.
    let reported = exploration.failure?.remarks ?? []
    for warning in exploration.diagnostics where !reported.contains(where: warning.text.hasPrefix) {
      Issue.record(
        Comment(rawValue: warning.text), severity: .warning,
        sourceLocation: warning.diagnostic.sourceLocation ?? sourceLocation)
    }
    return exploration
  }

  /// Explores the body as the environment wants it, beginning with what failed last time.
  func runAsATest(_ key: String, _ body: @escaping @Sendable () async throws -> Void) async -> Exploration {
    await runAsATest(key, keptIn: nil, body)
  }

  /// The same with a database of one's own in place of the one that the environment asks for.
  package func runAsATest(
    _ key: String,
    keptIn own: FailureDatabase?,
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
    // A pinned replay is the whole test, and a replay that the environment asks for is what somebody waits for.
    guard !explorer.isReplay, let database = own ?? .current(under: settings.profile) else {
      return await explorer.run(body)
    }
    explorer.database = database
    if let again = await explorer.replayed(from: database, key, body) { return again }
    let exploration = await explorer.run(body)
    if let failure = exploration.failure, !failure.schedule.isEmpty { database.store(failure.schedule, for: key) }
    return exploration
  }

  private var isReplay: Bool {
    if case .replay = strategy.kind { return true }
    return false
  }

  /// What comes of the failure that the database keeps; nil if there is none, or none any more.
  private func replayed(
    from database: FailureDatabase,
    _ key: String,
    _ body: @escaping @Sendable () async throws -> Void
  ) async -> Exploration? {
    guard let token = database.token(for: key) else { return nil }
    var replay = Explorer(executions: 1, strategy: .replay(token), shrinks: false)
    replay.key = key
    replay.database = database
    var exploration = await replay.run(body)
    guard exploration.failure != nil else {
      database.remove(key)
      return nil
    }
    exploration.failure?.seed = seed
    exploration.failure?.remarks.append("It failed in an earlier run, too, and was replayed before anything else.")
    return exploration
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
/// It is short for ``Explorer/check(sourceLocation:_:)``; ``Explorer/init(executions:strategy:seed:shrinks:cancels:steps:)``
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
