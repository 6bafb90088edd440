// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Napkin

@MainActor
@Suite struct DeferredReleasesTests {
  @Test func `starting over releases what a long burst has left`() {
    let routers = (0..<100).map { _ in
      let router = Router(interactor: ProbeInteractor())
      DeferredReleases.add(router)
      return Weak(router)
    }
    #expect(routers.contains { $0.object != nil })
    DeferredReleases.startOver()
    #expect(!routers.contains { $0.object != nil })
  }
}
