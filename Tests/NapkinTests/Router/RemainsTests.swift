// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Napkin

@MainActor
@Suite struct RemainsTests {
  @Test func `starting over releases what a long burst has left`() {
    let routers = (0..<100).map { _ in
      let router = Router(interactor: ProbeInteractor())
      Remains.bury([router])
      return Weak(router)
    }
    #expect(routers.contains { $0.object != nil })
    Remains.startOver()
    #expect(!routers.contains { $0.object != nil })
  }
}
