// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite struct MockBuilderTests {
  private final class ChildBuilderMock: MockBuilder<(listener: HomeListenerMock, id: Int), any Routing>,
    @unchecked Sendable
  {
    @MainActor func build(withListener listener: HomeListenerMock, id: Int) async -> any Routing {
      await produce((listener, id))
    }
  }

  private final class PlainBuilderMock: MockBuilder<Void, MockRouter>, @unchecked Sendable {
    @MainActor func build() async -> MockRouter { await produce() }
  }

  @Test func `a mock builder counts, and keeps its arguments`() async {
    let builder = ChildBuilderMock { _ in MockRouter() }
    let listener = HomeListenerMock()
    #expect(builder.buildCount == 0)
    _ = await builder.build(withListener: listener, id: 3)
    #expect(builder.buildCount == 1)
    #expect(builder.arguments.map(\.id) == [3])
    #expect(builder.arguments.first?.listener === listener)
  }

  @Test func `a mock builder makes the product from its argument`() async {
    let routers = await [MockRouter(), MockRouter()]
    let builder = ChildBuilderMock { routers[$0.id] }
    #expect(await builder.build(withListener: HomeListenerMock(), id: 1) === routers[1])
  }

  @Test func `a mock builder without arguments builds`() async {
    let builder = PlainBuilderMock { MockRouter() }
    _ = await builder.build()
    #expect(builder.buildCount == 1)
  }

  @Test func `a build can be held at a gate, noted already`() async {
    let gate = Gate()
    let builder = PlainBuilderMock {
      await gate.pass()
      return MockRouter()
    }
    let build = Task { await builder.build() }
    await gate.reached()
    #expect(builder.buildCount == 1)
    gate.open()
    _ = await build.value
  }
}
