// SPDX-License-Identifier: Apache-2.0

/// Notices explorations that cannot find anything, however long they run.
struct HealthCheck {
  private var hadChoices = false

  /// So many executions in a row are looked at before a filter is called too narrow.
  private static let leastRejected = 100

  mutating func look(at outcome: Simulation.Outcome) {
    if outcome.hadChoices { hadChoices = true }
  }

  /// Nine in ten executions are thrown away: the generator asks for what it hardly ever draws.
  func tooManyRejected(_ exploration: Exploration, _ rejection: GeneratorProblem) -> Problem? {
    let isTooMany =
      exploration.rejected >= Self.leastRejected && exploration.rejected * 10 >= exploration.executions * 9
    guard isTooMany else { return nil }
    var problem = Problem(rejection)
    problem.message = """
      \(exploration.rejected) of \(exploration.executions) executions had to be thrown away.
      \(rejection)
      """
    return problem
  }

  /// What a passing exploration should not be trusted for.
  func warnings(_ exploration: Exploration, under strategy: Explorer.Strategy) -> [String] {
    guard !hadChoices, exploration.failure == nil, exploration.executions > 1, exploration.rejected == 0 else {
      return []
    }
    return [
      """
      This body never suspends while another task is ready, and draws nothing: all \(exploration.executions) executions \
      of it were the same.
      Likely cause: it starts no tasks, or waits for each before it starts the next.
      What to do: start what is to race in tasks of its own, draw data with Execution.draw, or run the test once, as it is.
      """
    ]
  }
}
