// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite(.leakChecked) struct LeakCheckedTests {
  private let recorder = Recorder<Int>("Of the suite")

  @Test func `a test of a checked suite is checked, with what its suite makes`() {
    recorder.record(1)
  }

  @Test(arguments: 1...3) func `each case is checked by itself`(number: Int) async {
    let interactor = MockInteractor()
    await interactor.activate()
    await interactor.deactivate()
  }
}

@Suite struct LeakCheckedFailureTests {
  @Test func `a leak is reported at the line of the test`() async throws {
    let test = try #require(Test.current)
    let kept = Recorder<MockInteractor>("Kept")
    let records = try await issueRecords {
      try await LeakChecked.leakChecked(within: .milliseconds(5)).provideScope(for: test, testCase: nil) {
        kept.record(MockInteractor())
      }
    }
    #expect(records.map(\.line) == [test.sourceLocation.line])
    #expect(records.first?.text.hasPrefix("MockInteractor is still alive") == true)
  }
}
