// SPDX-License-Identifier: Apache-2.0
import Foundation
import PlantedBugs
import Testing

/// The planted bug that `PLANTED_BUG` names, as its author's test would report it; `.ci/debugger` stops in it.
@Suite struct ShownBugTests {
  private static let name = ProcessInfo.processInfo.environment["PLANTED_BUG"]

  @Test(.enabled(if: name != nil, "no bug is asked for")) func `the planted bug that is asked for fails`() async throws
  {
    let canary = try #require(Canary.all.first { $0.name == Self.name })
    await canary.shown(Hunt.executions, 0)
  }
}
