// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@testable import RibHouse

@Suite struct HouseFuzzTests {
  @Test func `the house stands, whatever its guests do`() async {
    await FuzzedHouse.fuzzer().check(executions: 1_000, seed: 1)
  }

  // The canary: were this not found, the test above would say nothing. With each of the seeds 0 to 19 it is found within
  // 98 executions.
  @Test func `a pit board built by two taps at once is found`() async {
    await withKnownIssue {
      await FuzzedHouse.hastyFuzzer.check(executions: 1_000, seed: 1)
    } matching: { issue in
      issue.comments.contains { "\($0)".contains("one pit board at most") }
    }
  }

  @Test func `what is left of it after shrinking is a login and two taps`() async throws {
    let failure = try #require(await FuzzedHouse.hastyFuzzer.run(executions: 1_000, seed: 1).failure)
    let story = #""tap login" → "tap pit board" ∥ "tap pit board""#
    #expect(failure.messages.contains { $0.contains(story) }, "\(failure.messages)")
  }
}

extension FuzzedHouse {
  fileprivate static var hastyFuzzer: TreeFuzzer<FuzzedHouse> {
    fuzzer { HastyLoggedInBuilder(dependency: $0) }
  }
}
