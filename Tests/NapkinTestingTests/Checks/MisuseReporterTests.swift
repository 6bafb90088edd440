// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite @MainActor struct MisuseReporterTests {
  private final class Parent: Router<MockInteractor> {}

  @Test func `a misuse in an ordinary test is an issue at the line of the call, and no crash`() async {
    let parent = Parent(interactor: MockInteractor())
    let child = MockRouter()
    await parent.attachChild(child)
    let line = #line + 2
    let records = await issueRecords {
      await parent.attachChild(child)
    }
    #expect(records.map(\.line) == [line])
    #expect(
      records.first?.text.hasPrefix(
        "attachChild was called on Parent with MockRouter, which is attached to Parent already."
      ) == true
    )
    #expect(parent.children.count == 1)
  }
}
