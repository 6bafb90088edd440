// SPDX-License-Identifier: Apache-2.0
import Foundation
import Napkin
import NapkinTesting
import Testing

/// An object that another thread holds when an execution has come to rest may be released a moment later.
@Suite struct ReleaseElsewhereTests {
  @Test(.enabled(if: PlatformWays.replaceLibraryFunctions, "it is not known here that a thread was started"))
  func `an interactor that a thread holds for a moment is not leaked`() async {
    let result = await fuzz(holdingFor: 0.01)
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test func `an interactor that a thread goes on holding is leaked`() async throws {
    let failure = try #require(await fuzz(holdingFor: 2).failure)
    #expect(failure.messages.first?.contains("was never released") == true, "\(failure.messages)")
  }

  private func fuzz(holdingFor seconds: Double) async -> Exploration {
    await TreeFuzzer { MockRouter() }
      .action("hold") { root in
        let interactor = root.interactable
        Thread {
          Thread.sleep(forTimeInterval: seconds)
          withExtendedLifetime(interactor) {}
        }.start()
      }
      .run(executions: 3, seed: 0)
  }
}
