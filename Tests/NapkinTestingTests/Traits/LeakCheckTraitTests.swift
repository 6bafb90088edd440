// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite(.leakChecked) struct LeakCheckTraitTests {
  private let recorder = Recorder<Int>("Of the suite")

  @Test func `a test of a checked suite is checked, with what its suite makes`() {
    recorder.record(1)
  }

  @Test(arguments: 1...3) func `each case is checked by itself`(number: Int) async {
    let interactor = MockInteractor()
    await interactor.activate()
    await interactor.deactivate()
  }
}

@Suite struct LeakCheckedFailureTests {
  @Test func `a leak is reported at the line of the test`() async throws {
    let test = try #require(Test.current)
    let kept = Monitored<[MockInteractor]>([])
    let records = try await issueRecords {
      try await LeakCheckTrait.leakChecked(within: .milliseconds(5)).provideScope(for: test, testCase: nil) {
        kept.update { $0.append(MockInteractor()) }
      }
    }
    #expect(records.map(\.line) == [test.sourceLocation.line])
    #expect(records.first?.text.hasPrefix("MockInteractor is still alive") == true)
  }
}

@Suite struct LeaksOfExecutionsTests {
  @Test(.failsInAnExecution, .leakChecked, .interleavings(20))
  func `a leak of an explored test is a failure of one execution`() async {
    for _ in 0..<2 {
      let home = await HomeRouter(interactor: HomeInteractor())
      await home.interactor.hold(home)
    }
  }
}

/// For a test whose report has to name each type once, and a token.
private struct FailsInAnExecution: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withKnownIssue {
      try await function()
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined(separator: "\n")
      return text.hasPrefix("2 HomeInteractor, 2 HomeRouter are still alive 1 s after the end; 4 were made.")
        && text.contains("HomeRouter.interactor.router holds HomeRouter") && text.contains("Replay: .replay(")
    }
  }
}

extension Trait where Self == FailsInAnExecution {
  fileprivate static var failsInAnExecution: Self { Self() }
}

@Suite struct LeakCycleTests {
  @Test func `in an exploration a leak names the property of the cycle, and what to do`() async throws {
    let result = await Explorer(executions: 1).run {
      await expectNoLeaks {
        let home = await HomeRouter(interactor: HomeInteractor())
        await home.interactor.hold(home)
      }
    }
    let diagnostic = try #require(result.failure?.diagnostics.first)
    #expect(
      diagnostic.likelyCause
        == "strong references close a cycle: HomeRouter.interactor.router holds HomeRouter.", "\(diagnostic)")
    #expect(diagnostic.suggestion?.hasPrefix("make one of the properties named here weak") == true)
  }

  @Test func `what a task keeps is no cycle`() async throws {
    let result = await Explorer(executions: 1).run {
      await expectNoLeaks {
        let home = await HomeRouter(interactor: HomeInteractor())
        Task {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          withExtendedLifetime(home) {}
        }
      }
    }
    let diagnostic = try #require(result.failure?.diagnostics.first)
    #expect(diagnostic.likelyCause?.hasPrefix("a strong `listener` or `router` closes a cycle, or a task") == true)
  }

  @Test func `a leak that the fuzzer finds is not blamed on the order of the tasks`() async throws {
    let leaking = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }
      .action("close a cycle") { await $0.interactor.hold($0) }
    let exploration = await leaking.run(executions: 10, seed: 1)
    let text = try #require(exploration.failure).report
    #expect(text.contains("\nLikely cause: a strong reference closes a cycle."), "\(text)")
    #expect(text.contains("\nWhat to do: make `HomeRouter.interactor.router` weak, or clear it in"), "\(text)")
  }
}
