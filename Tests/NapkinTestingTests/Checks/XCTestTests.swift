// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing
import XCTest

/// The kit's functions from an `XCTestCase`: what they record reaches it.
final class DoublesInXCTestTests: XCTestCase {
  func testAListenerIsRecordedAndNothingLeaks() async {
    let passes = await expectNoLeaks {
      let listener = HomeListenerMock()
      let call = Task { await listener.homeDidRequestLogout() }
      let events = await listener.recorder.events(atLeast: 1)
      await call.value
      XCTAssertEqual(events, [.didRequestLogout])
    }
    XCTAssertTrue(passes)
  }

  func testAnIssueOfTheKitReachesTheTestCase() async {
    _ = await Recorder<Int>("Ears").next(within: .milliseconds(1))
  }
}
