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

  @Test(arguments: Canary.all) func `its repaired twin survives 5,000 executions, and the state that matters`(
    canary: Canary
  ) async {
    let exploration = await canary.repaired(5_000, 0)
    #expect(exploration.executions == 5_000)
    #expect(exploration.failure == nil, "\(exploration.failure?.timeline ?? "")")
    #expect(exploration.labels[canary.reached, default: 0] > 0, "no execution came by: \(canary.reached)")
  }

  @Test func `there are two dozen canaries at least, each with a name of its own`() {
    #expect(Canary.all.count >= 24)
    #expect(Set(Canary.all.map(\.name)).count == Canary.all.count)
  }
}

/// The pair of steps that a failure names first, against a list that was made before.
@Suite(
  .serialized, .disabled(if: ProcessInfo.processInfo.environment["NAPKIN_LIKE_APPLE"] != nil, "it needs functions"))
struct DecidingPairTests {
  @Test func `the pair that decides is the bug's own for 8 in 10 planted bugs`() async {
    var missed: [String] = []
    for (name, pair) in DecidingPair.expected.sorted(by: { $0.key < $1.key }) {
      guard let canary = Canary.all.first(where: { $0.name == name }) else {
        Issue.record("no canary is called \(name)")
        continue
      }
      let found = await canary.buggy(Hunt.executions, 0).failure?.decisivePair
      if let found, pair.matches(found) { continue }
      missed.append("\(name): \(found.map { "\($0)" } ?? "none")")
    }
    #expect(missed.count * 5 <= DecidingPair.expected.count, "\(missed.joined(separator: "\n"))")
    print("decisive pairs: \(DecidingPair.expected.count - missed.count) of \(DecidingPair.expected.count)")
  }
}
