// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

extension SearchContext {
  /// Explores a body without recording an issue, and returns the result.
  package func run(_ body: @escaping @Sendable () async throws -> Void) async -> Exploration {
    await Search(self, body).run()
  }
}

extension Explorer {
  /// Explores a body without recording an issue, and returns the result.
  ///
  /// Issues that the body records do not reach the test run; they make their execution a failure. It works outside a test,
  /// too, where only an error that the body throws is a failure.
  public func run(_ body: @escaping @Sendable () async throws -> Void) async -> Exploration {
    await SearchContext(self).run(body)
  }
}

extension SearchContext {
  /// Explores the body with the settings of the environment, after a replay of the last failure.
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
      return .failed(error, seed: explorer.seed)
    }
    settings.shard.tellRunner()
    var context = adjusted(by: settings)
    context.key = key
    let occurrence = Occurrences.next(of: key)
    if let worker = Worker.current {
      switch worker.part(in: key, occurrence: occurrence) {
      case .serve: await worker.serve(context, body)
      case .run: return await context.run(body)
      case .skip: return Exploration()
      }
    }
    if let wanted = Autopsy.key, wanted != key { return Exploration() }
    context.task = WorkerTask(key: key, occurrence: occurrence)
    if own == nil, context.explorer.strategy.token == nil, let folder = FailureDatabase.named,
      !FailureDatabase(folder: folder).makeFolder()
    {
      return .failed(.noDatabase(folder), seed: explorer.seed)
    }
    // A pinned replay is the whole test, and so is a replay that the environment asks for.
    guard context.explorer.strategy.token == nil, let database = own ?? .current(under: settings.profile) else {
      return Autopsy.renumbered(await context.explore(body))
    }
    context.database = database
    let again = await context.replayed(from: database, key, body)
    if let again, again.failure != nil { return again }
    var exploration = await context.explore(body)
    // A later exploration of the same line may have other parameters.
    if let again, occurrence == 1 { exploration.diagnostics += again.diagnostics.filter { $0 == .replayPasses } }
    if let failure = exploration.failure, !database.store(failure, for: key) {
      exploration.diagnostics.append(.isNotKept(in: database))
    }
    return exploration
  }

  /// Explores in this process, or in processes of its own where that is asked for and can be done.
  private func explore(_ body: @escaping @Sendable () async throws -> Void) async -> Exploration {
    guard explorer.isolated else { return await run(body) }
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
    (replay.explorer.executions, replay.explorer.strategy) = (1, .replay(token))
    // A failure that ended its process has not been shrunk there.
    replay.explorer.shrinks = explorer.shrinks && endsProcess
    replay.explorer.isolated = explorer.isolated || endsProcess
    var exploration = await replay.explore(body)
    guard let failure = exploration.failure else {
      database.remove(key)
      return exploration
    }
    if endsProcess { _ = database.store(failure, for: key) }
    exploration.failures[0].remarks.append("It failed in an earlier run, too, and was replayed before anything else.")
    return exploration
  }
}

extension FailureDatabase {
  /// Stores a failure that can be replayed; returns false where it should have been written, and could not.
  fileprivate func store(_ failure: Exploration.Failure, for key: String) -> Bool {
    guard !failure.schedule.isEmpty else { return true }
    return store(failure.schedule, for: key, endsProcess: [.crash, .hang].contains(failure.diagnostics.first?.kind))
  }
}

extension Diagnostic {
  /// Says why the executions were not run in processes of their own.
  fileprivate static func isNotIsolated(_ task: WorkerTask?) -> Diagnostic {
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
      warning: .isolation,
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
