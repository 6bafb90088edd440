// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

private enum Shown: Equatable { case user(String) }

private final class HomePresentableMock: MockPresentable<Shown> {
  func presentUser(_ name: String) async { record(.user(name)) }
}

@Suite struct MockPresentableTests {
  @Test func `a mock presentable keeps what was presented, from any isolation`() async {
    let presentable = await HomePresentableMock()
    await presentable.presentUser("Joe")
    #expect(presentable.events == [.user("Joe")])
    #expect(presentable.recorder.name == "HomePresentableMock")
  }
}
