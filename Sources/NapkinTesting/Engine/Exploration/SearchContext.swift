// SPDX-License-Identifier: Apache-2.0

/// An exploration as it is asked for: by the parameters of its explorer, by its caller, and by the environment.
package struct SearchContext: Sendable {
  package var explorer: Explorer

  /// The function or trait that was called for it, as messages name it.
  var api = "Explorer"

  /// Whether it is one execution, whatever the environment says.
  package var runsOnce = false

  /// Whether it warns of a body that never varies, asked where it would; nil where it always does.
  package var saysNoChoice: (@Sendable () -> Bool)?

  /// How long its executions take, as the environment says: that long, however many they are.
  var timeBudget: Duration?

  /// How long one execution may take before a passing exploration warns of it.
  package var slowness = Duration.seconds(1)

  /// How long the executions of shrinking may take together, and after them those that explain the failure.
  package var shrinkingTime = Duration.seconds(10)

  /// The key of its failures in the database; nil outside a test.
  var key: String?

  /// The database of its failures, if there is one.
  var database: FailureDatabase?

  /// The share of its executions that this machine runs.
  var shard = RunSettings.Shard()

  /// In how many processes at once its executions run, where they run in processes of their own.
  package var jobs = 1

  /// The exploration as another process finds it; nil where no process can.
  var task: WorkerTask?

  package init(_ explorer: Explorer) { self.explorer = explorer }
}

/// An exploration as another process of the same program finds it: by its key and, where a line explores several times, by its
/// number.
struct WorkerTask: Codable, Sendable {
  var key: String
  var test: String
  var occurrence: Int
  var filter: String
}

extension Explorer {
  /// The exploration, for a function or trait that takes its parameters and that messages of wrong ones name.
  package func asked(by api: String) -> SearchContext {
    var context = SearchContext(self)
    context.api = api
    return context
  }

  /// The exploration, as an environment wants it.
  package func adjusted(by settings: RunSettings) -> SearchContext { SearchContext(self).adjusted(by: settings) }
}

extension SearchContext {
  /// This exploration, as an environment wants it.
  package func adjusted(by settings: RunSettings) -> SearchContext {
    var copy = self
    if let seed = settings.seed { copy.explorer.seed = seed }
    let (product, overflows) = explorer.executions.multipliedReportingOverflow(by: settings.profile.factor)
    if !runsOnce { copy.explorer.executions = settings.executions ?? (overflows ? .max : product) }
    if let replay = settings.replay { copy.explorer.strategy = .replay(replay) }
    copy.explorer.time = [explorer.time, settings.profile.time].compactMap(\.self).min()
    if !runsOnce { copy.timeBudget = settings.timeBudget }
    copy.shard = copy.isWhole && settings.shard.index == 0 ? RunSettings.Shard() : settings.shard
    // A debugger is in this process, and real threads are not dealt out: a test that asks for both itself is refused.
    let asksForProcesses = copy.explorer.strategy != .parallel && (settings.isIsolated || settings.jobs != nil)
    copy.explorer.isolated = Environment.isDebugged ? false : explorer.isolated || asksForProcesses
    copy.jobs = settings.jobs ?? jobs
    return copy
  }

  /// Whether the first machine runs all executions: the one of a simulated test, and those of an exhaustive search.
  var isWhole: Bool { runsOnce || explorer.strategy.isExhaustive }
}
