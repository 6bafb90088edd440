// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NapkinTesting
import Subjects
import Testing

/// How executions end that do not come to their end, and what is said of the limits.
@Suite(.serialized) struct EndingTests {
  @Test func `an isolated crash in the middle of a split step has its message and its line`() async {
    let heard = Words()
    await withKnownIssue {
      await Explorer(seed: 1, isolated: true).check {
        let counter = Tally()
        await withTaskGroup { group in
          for _ in 0..<2 { group.addTask { counter.incrementCarelessly() } }
        }
      }
    } matching: { issue in
      heard.add(issue.comments.map(\.rawValue).joined())
      return true
    }
    #expect(heard.text.contains("the number has changed"), "\(heard.text)")
    #expect(
      heard.text.contains(#/At Helpers\.swift:\d+, in (closure in )?Tally\.incrementCarelessly\(\)/#), "\(heard.text)")
    #expect(heard.text.contains("is preempted before"), "\(heard.text)")
  }

  @Test(arguments: Subject.stuck)
  func `what waits for ever is a deadlock, after which the process goes on`(_ subject: Subject) async throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let exploration = await Explorer(executions: 200, seed: seed, shrinks: false).run(subject.body)
      let failure = try #require(exploration.failure)
      #expect(failure.diagnostics.map(\.kind) == [.deadlock])
    }
  }

  @Test func `a semaphore that a discarded job waits for can be released`() async throws {
    for _ in 0..<3 {
      let semaphore = DispatchSemaphore(value: 1)
      let exploration = await Explorer(executions: 10, seed: 1, shrinks: false).run {
        async let first: Void = semaphore.wait()
        async let second: Void = semaphore.wait()
        _ = await (first, second)
      }
      #expect(exploration.failure?.diagnostics.first?.kind == .deadlock)
    }
  }
}
