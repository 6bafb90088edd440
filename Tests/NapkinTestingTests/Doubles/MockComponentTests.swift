// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

private final class Service: Sendable {}

private final class HomeDependencyMock: MockComponent, @unchecked Sendable {
  var service: Service { provided { Service() } }
  var other: Service { provided { Service() } }
}

@Suite struct MockComponentTests {
  @Test func `a mock component provides one instance, and says that it was read`() {
    let dependency = HomeDependencyMock()
    #expect(dependency.service === dependency.service)
    #expect(dependency.service !== dependency.other)
    #expect(dependency.reads == ["service", "service", "service", "other"])
  }
}
