// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct KitVariablesTests {
  private func warnings(_ names: String...) -> [String] {
    KitVariables.warnings(of: names).map(\.description)
  }

  @Test func `a variable that begins like those of the kit, and is none, is named`() {
    let found = warnings("NAPKIN_EXECTIONS", "PATH", "NAPKIN_URL")
    #expect(found.count == 2)
    let expected = """
      The environment variable NAPKIN_EXECTIONS has no effect.
      Likely cause: it was mistyped, or is one of another version.
      What to do: unset it, or set one of NAPKIN_DATABASE, NAPKIN_EXECUTIONS, NAPKIN_HANG,
      """
    #expect(found.first?.hasPrefix(expected) == true, "\(found)")
  }

  @Test func `variables of the kit, and those of others, are left alone`() {
    #expect(warnings("NAPKIN_SEED", "NAPKIN_EXECUTIONS", "NAPKIN_WORKER", "MY_NAPKIN_URL", "SEED") == [])
  }
}
