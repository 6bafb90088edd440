// SPDX-License-Identifier: Apache-2.0
import Foundation
import PlantedBugs
import Testing

@Suite(.serialized) struct CanaryTests {
  /// The rule of unbound tasks finds the function of a task by a library of Linux's toolchain.
  static let findable = Canary.all.filter {
    ProcessInfo.processInfo.environment["NAPKIN_LIKE_APPLE"] == nil || $0.name != "listens for ever"
  }

  // 500 executions with each of the seeds 0 to 19; the mean over all canaries is about 6, and the most that any took is in
  // the README.
  @Test(arguments: findable) func `a planted bug is found in 19 of 20 seeds, and named`(canary: Canary) async {
    let hunt = await Hunt(for: canary)
    #expect(hunt.found.count >= Hunt.enough)
    #expect(hunt.others == [])
  }

  @Test(arguments: Canary.all) func `its repaired twin survives 5,000 executions`(canary: Canary) async {
    let exploration = await canary.repaired(5_000, 0)
    #expect(exploration.executions == 5_000)
    #expect(exploration.failure == nil, "\(exploration.failure?.timeline ?? "")")
  }

  @Test func `there are two dozen canaries at least, each with a name of its own`() {
    #expect(Canary.all.count >= 24)
    #expect(Set(Canary.all.map(\.name)).count == Canary.all.count)
  }
}
