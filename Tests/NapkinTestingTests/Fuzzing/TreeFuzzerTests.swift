// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct TreeFuzzerTests {
  private func fuzzer<Home: HomeRouter>(_ make: @escaping @MainActor @Sendable () -> Home) -> TreeFuzzer<Home> {
    TreeFuzzer { make() }
      .action("tap profile") { await $0.routeToProfile() }
      .action("profile finishes") { await $0.routeBackFromProfile() }
      .invariant("at most one profile") { $0.children.count <= 1 }
  }

  @Test func `a sound feature survives`() async {
    await fuzzer { CarefulHomeRouter(interactor: HomeInteractor()) }.check(executions: 500)
  }

  @Test func `a double tap is caught`() async throws {
    let result = await fuzzer { HastyHomeRouter(interactor: HomeInteractor()) }.run(executions: 1_000)
    let failure = try #require(result.failure)
    #expect(failure.messages.contains("Broken at rest: at most one profile."))
  }

  @Test func `synthetic trees of any size survive`() async {
    await TreeFuzzer.synthetic(nodes: 1...8).check(executions: 500)
  }
}
