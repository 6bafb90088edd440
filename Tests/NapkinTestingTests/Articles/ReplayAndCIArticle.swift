// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct ReplayAndCIArticle {
  @Test func `a token is replayed from code, too`() async throws {
    @Sendable func body() async {
      let recorder = Recorder<Int>()
      async let first: Void = recorder.record(1)
      async let second: Void = recorder.record(2)
      _ = await (first, second)
      #expect(recorder.events == [1, 2])
    }
    let found = await Explorer(executions: 1_000).run(body)
    let token = try #require(found.failure).schedule
    let again = await Explorer(strategy: .replay(token)).run(body)
    #expect(again.executions == 1)
    #expect(again.failure != nil)
  }
}
