// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

@Suite struct ExplorationWarningTests {
  /// Adds a warning in every second execution, twice in each.
  private func exploration(strategy: Explorer.Strategy = .random) async -> Exploration {
    let runs = Mutex(0)
    return await Explorer(executions: 10, strategy: strategy).run {
      async let one: Void = Task.yield()
      await Task.yield()
      await one
      let number = runs.withLock {
        $0 += 1
        return $0
      }
      guard number.isMultiple(of: 2) else { return }
      for _ in 1...2 {
        CurrentExecution.scope?.warn(
          Diagnostic(
            warning: .recorded("test"), "It rained.", likelyCause: "the season.", suggestion: "take an umbrella."))
      }
    }
  }

  private let text = """
    It rained.
    Likely cause: the season.
    What to do: take an umbrella.
    Seen in 5 of 10 executions.
    """

  @Test(arguments: [Explorer.Strategy.random, .parallel])
  func `a warning of several executions is kept once, with how many had it`(strategy: Explorer.Strategy) async {
    #expect(await exploration(strategy: strategy).warnings == [text])
  }

  @Test func `the description ends with each warning`() async {
    #expect(
      await exploration().description.hasSuffix(
        """

        warning     It rained.
                    Likely cause: the season.
                    What to do: take an umbrella.
                    Seen in 5 of 10 executions.
        """))
  }
}
