// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct MisspeltVariablesTests {
  private func warnings(_ names: String...) -> [String] {
    MisspeltVariables.warnings(of: names).map(\.description)
  }

  @Test func `a variable that is nearly one of the kit's is said to have no effect`() {
    #expect(
      warnings("NAPKIN_EXECTIONS", "PATH") == [
        """
        The environment variable NAPKIN_EXECTIONS has no effect.
        Likely cause: it was mistyped, and NAPKIN_EXECUTIONS is meant.
        What to do: set NAPKIN_EXECUTIONS, and unset the other.
        """
      ])
    #expect(warnings("NAPKIN_SEEDS", "napkin_jobs", "NAPKIN_TIMEBUDGET").count == 3)
  }

  @Test func `variables of the kit, and others that begin like them, are left alone`() {
    #expect(warnings("NAPKIN_SEED", "NAPKIN_EXECUTIONS", "NAPKIN_URL", "NAPKIN_MY_OWN", "SEED") == [])
  }
}
