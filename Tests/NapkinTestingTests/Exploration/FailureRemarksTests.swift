// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct FailureRemarksTests {
  /// The remarks of a body that draws two amounts and a tip, and fails if `isWrong` says so.
  private static func remarks(ofFailureWhere isWrong: @escaping @Sendable (Int, Int) -> Bool) async -> [String]? {
    var explorer = SearchContext(Explorer(executions: 200, seed: 1))
    explorer.shrinkingTime = .seconds(600)
    return await explorer.run {
      let first = Execution.draw(.int(in: 0...9_999), "amount")
      let second = Execution.draw(.int(in: 0...9_999), "amount")
      _ = Execution.draw(.int(in: 0...9_999), "tip")
      if isWrong(first, second) { Issue.record("wrong") }
    }.failure?.remarks
  }

  @Test func `a name that was drawn twice is named once`() async {
    let remarks = await Self.remarks { _, _ in true }
    #expect(remarks == ["The failure does not depend on amount, tip: 5 other values fail, too."])
  }

  @Test func `a name is left out where one of its values matters`() async {
    let remarks = await Self.remarks { first, _ in first > 5_000 }
    #expect(remarks == ["The failure does not depend on tip: 5 other values fail, too."])
  }

  // Each replay waits for the main actor, in all for longer than the replays may take.
  @Test func `a name is found though others have the main actor between the replays`() async {
    let other = Task { @MainActor in
      while !Task.isCancelled {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .milliseconds(20) {}
        await Task.yield()
      }
    }
    var explorer = SearchContext(Explorer(executions: 1, seed: 1))
    explorer.shrinkingTime = .milliseconds(200)
    let remarks = await explorer.run {
      for name in ["amount", "tax", "tip", "seat", "table"] { _ = Execution.draw(.int(in: 0...9_999), name) }
      Issue.record("wrong")
    }.failure?.remarks
    other.cancel()
    await other.value
    #expect(remarks == ["The failure does not depend on amount, tax, tip, seat, table: 5 other values fail, too."])
  }

  @Test func `a value that has fewer than five others is not named`() async {
    let exploration = await Explorer(executions: 1, seed: 1).run {
      _ = Execution.draw(.int(in: 1...5), "stars")
      Issue.record("wrong")
    }
    #expect(exploration.failure?.remarks == [])
    #expect(exploration.failure?.report.hasPrefix("wrong") == true, "another value was not seen to pass")
  }

  @Test func `a value that decides alone is named in the first sentence`() async throws {
    let exploration = await Explorer(executions: 200, seed: 1).run {
      let seat = Execution.draw(.int(in: 0...99), "seat")
      if seat > 6 { Issue.record("it is sold twice") }
    }
    let report = try #require(exploration.failure?.report)
    #expect(report.hasPrefix("It fails with seat = 7, in no special order of the tasks: it is sold twice"), "\(report)")
  }
}
