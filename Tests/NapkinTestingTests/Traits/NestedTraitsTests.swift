// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

/// How often the bodies of the tests below have run.
private let runs = Mutex<[String: Int]>([:])

private func count(_ name: String = #function) {
  runs.withLock { $0[name, default: 0] += 1 }
}

/// Two tasks that can change places, so that no exploration warns.
private func twoTasks() async {
  async let first: Void = Task.yield()
  async let second: Void = Task.yield()
  _ = await (first, second)
}

@Suite(.serialized) struct NestedTraitsTests {
  @Suite(.interleavings(7)) struct Outer {
    @Test func inherited() async {
      count()
      await twoTasks()
    }

    @Test(.interleavings(3)) func own() async {
      count()
      await twoTasks()
    }

    @Suite(.interleavings(2)) struct Inner {
      @Test func closest() async {
        count()
        await twoTasks()
      }
    }
  }

  /// Runs after the suite above, since both are serialized.
  @Suite struct Then {
    @Test func `the innermost trait says how often a body runs`() {
      let runs = runs.withLock { $0 }
      // A filter may have left the others out.
      guard runs["inherited()"] != nil else { return }
      #expect(runs == ["inherited()": 7, "own()": 3, "closest()": 2])
    }
  }

  @Test func `two explorations of one test are misuse, and do not run it`() async throws {
    let twice = Test.__function(
      named: "twice()", in: NestedTraitsTests.self, xcTestCompatibleSelector: nil,
      traits: [.interleavings(2), .replay("nk1.AAAA")], sourceLocation: #_sourceLocation, testFunction: {})
    let hasRun = Mutex(false)
    let records = try await issueRecords {
      let trait = try #require(twice.traits.first as? InterleavingsTrait)
      try await trait.provideScope(for: twice, testCase: Test.Case.current) { hasRun.withLock { $0 = true } }
    }
    #expect(records.count == 1)
    #expect(
      records.first?.text.hasPrefix(
        "The test twice() has two traits that explore: .interleavings(2) and .replay(\"nk1.AAAA\").") == true)
    #expect(!hasRun.withLock { $0 })
  }

  @Test func `traits that explore are named with their strategies`() async throws {
    let twice = Test.__function(
      named: "twice()", in: NestedTraitsTests.self, xcTestCompatibleSelector: nil,
      traits: [.interleavings(2, strategy: .exhaustive()), .interleavings(2)], sourceLocation: #_sourceLocation,
      testFunction: {})
    let records = try await issueRecords {
      let trait = try #require(twice.traits.first as? InterleavingsTrait)
      try await trait.provideScope(for: twice, testCase: Test.Case.current) {}
    }
    let text = "two traits that explore: .interleavings(2, strategy: .exhaustive()) and .interleavings(2)."
    #expect(records.first?.text.contains(text) == true, "\(records)")
  }

  @Test func `tests of a suite that never vary are a warning once`() async throws {
    let suite = Test.__type(Outer.self, traits: [.interleavings(3)], sourceLocation: #_sourceLocation)
    let trait = try #require(suite.traits.first as? InterleavingsTrait)
    let still = Test.__function(
      named: "still()", in: Outer.self, xcTestCompatibleSelector: nil, traits: [trait],
      sourceLocation: #_sourceLocation, testFunction: {})
    let records = try await issueRecords {
      try await trait.provideScope(for: suite, testCase: nil) {
        for _ in 0..<3 { try await trait.provideScope(for: still, testCase: Test.Case.current) {} }
      }
    }
    #expect(records.count == 1)
    #expect(records.first?.text.contains("of its other tests this is not said again") == true, "\(records)")
  }
}
