// SPDX-License-Identifier: Apache-2.0
import Foundation
import Napkin
import NapkinTesting
import Testing
import XCTest

/// The kit's functions from an `XCTestCase`: the issues that they record reach it.
final class XCTestBridgeTests: XCTestCase {
  func testAListenerIsRecordedAndNothingLeaks() async {
    await expectNoLeaks {
      let listener = HomeListenerMock()
      let call = Task { await listener.homeDidRequestLogout() }
      let events = await listener.recorder.events(atLeast: 1)
      await call.value
      XCTAssertEqual(events, [.didRequestLogout])
    }
  }

  func testAnExplorationSaysWhereItDoesNotHearOfIssues() async {
    let exploration = await Explorer(executions: 1).run {}
    let isDeaf = exploration.warnings.contains {
      $0.hasPrefix("An exploration of this process does not hear of an #expect")
    }
    XCTAssertEqual(isDeaf, XCTestBridge.place != .ours)
  }

  #if os(Linux)
  private var failures: [(text: String, line: Int)] = []
  private var takesFailures = false

  override func recordFailure(withDescription text: String, inFile file: String, atLine line: Int, expected: Bool) {
    guard takesFailures, !Execution.isSimulated else {
      return super.recordFailure(withDescription: text, inFile: file, atLine: line, expected: expected)
    }
    failures.append((text, line))
  }

  func testAnIssueOfTheKitFailsTheTestCaseAtItsLine() async {
    takesFailures = true
    await Recorder<Int>("Ears").next(within: .milliseconds(1))
    let line = #line - 1
    takesFailures = false
    XCTAssertEqual(failures.map(\.line), [line])
    XCTAssert(failures.first?.text.contains("Ears waited 1 ms for another event") == true)
  }

  @MainActor func testAMisuseFailsTheTestCaseAtItsLineAndDoesNotStopTheProcess() async {
    let (parent, child) = (Router(interactor: MockInteractor()), MockRouter())
    await parent.attachChild(child)
    takesFailures = true
    await parent.attachChild(child)
    let line = #line - 1
    takesFailures = false
    XCTAssertEqual(failures.map(\.line), [line])
    XCTAssertEqual(parent.children.count, 1)
  }

  @MainActor func testAMisuseInADetachedTaskDoesNotStopTheProcessEither() async {
    let (parent, child) = (Router(interactor: MockInteractor()), MockRouter())
    await parent.attachChild(child)
    takesFailures = true
    await Task.detached { _ = await parent.attachChild(child) }.value
    takesFailures = false
    XCTAssertEqual(failures.count, 1)
    XCTAssertEqual(parent.children.count, 1)
  }

  func testAnExplorationHearsAFailedExpectation() async {
    let exploration = await Explorer(executions: 3).run { #expect(1 + 1 == 3) }
    let line = #line - 1
    XCTAssertEqual(exploration.failure?.execution, 1)
    XCTAssertEqual(exploration.failure?.messages.first?.hasPrefix("Expectation failed: "), true)
    XCTAssertEqual(exploration.failure?.sourceLocation?.line, line)
  }

  func testAFailedExpectationInAnExplorationFailsTheTestCaseOnce() async {
    takesFailures = true
    await explore(executions: 3) { #expect(1 + 1 == 3) }
    let line = #line - 1
    takesFailures = false
    XCTAssertEqual(failures.map(\.line), [line])
    XCTAssertEqual(failures.first?.text.contains("Replay: .replay("), true)
  }

  func testAFailedExplorationNamesTheTwoStepsThatDecide() async {
    takesFailures = true
    await explore(executions: 20) { await WithdrawnTwice.check(80) }
    takesFailures = false
    XCTAssertEqual(failures.count, 1)
    XCTAssert(failures.first?.text.contains("It fails where Bob ") == true, failures.first?.text ?? "")
    XCTAssert(failures.first?.text.contains(") before Ada ") == true, failures.first?.text ?? "")
  }

  func testAnExplorationHearsAFailedAssertion() async {
    let exploration = await Explorer(executions: 3).run { XCTAssertEqual(1, 2, "these two") }
    let line = #line - 1
    XCTAssertEqual(exploration.failure?.execution, 1)
    XCTAssertEqual(exploration.failure?.messages.count, 1)
    XCTAssertEqual(exploration.failure?.messages.first?.contains("these two"), true)
    XCTAssertEqual(exploration.failure?.sourceLocation?.line, line)
  }

  func testAFailedAssertionInAnExplorationFailsTheTestCaseOnce() async {
    takesFailures = true
    await explore(executions: 3) { XCTAssert(1 + 1 == 3) }
    let line = #line - 1
    takesFailures = false
    XCTAssertEqual(failures.map(\.line), [line])
    XCTAssertEqual(failures.first?.text.contains("Replay: .replay("), true)
  }

  func testAnExplorationHearsAnOperationWhoseThreadIsNotKnownToWorkForIt() async {
    for fails in [{ #expect(1 + 1 == 3) }, { XCTAssertEqual(1, 2) }] as [@Sendable () -> Void] {
      let exploration = await Explorer(executions: 3).run {
        await withUnsafeContinuation { continuation in
          OperationQueue().addOperation {
            fails()
            continuation.resume()
          }
        }
      }
      XCTAssertEqual(exploration.failure?.execution, 1)
    }
  }

  func testAnIssueOfADetachedTaskIsHeard() async {
    let exploration = await Explorer(executions: 1).run {
      await Task.detached { _ = Issue.record("detached") }.value
    }
    XCTAssertEqual(exploration.failure?.messages, ["detached"])
  }

  func testAnIssueOutsideAnExplorationFailsTheTestCase() {
    takesFailures = true
    #expect(1 + 1 == 3)
    let line = #line - 1
    takesFailures = false
    XCTAssertEqual(failures.map(\.line), [line])
  }

  func testAFailedExplorationFailsTheTestCase() async {
    takesFailures = true
    await explore(executions: 1, seed: 1) { throw CancellationError() }
    takesFailures = false
    XCTAssertEqual(failures.count, 1)
  }
  #endif
}

#if os(Linux)
/// A test case without a method of its own for failures, as most are.
final class XCTestAssertionTests: XCTestCase {
  func testAFailedAssertionOfAnExecutionIsItsOwnFailureAlone() async throws {
    let exploration = await Explorer(executions: 3).run {
      await Task.detached { XCTAssertTrue(false, "in a task") }.value
    }
    XCTAssertEqual(exploration.executions, 1)
    XCTAssertEqual(exploration.failure?.messages.first?.contains("in a task"), true)
    let unwrapping = await Explorer(executions: 3).run { _ = try XCTUnwrap(Int?.none) }
    XCTAssertEqual(unwrapping.failure?.messages.count, 1)
    XCTAssertEqual(unwrapping.failure?.messages.first?.contains("XCTUnwrap"), true)
  }
}
#endif

@Suite struct XCTestBridgePlaceTests {
  @Test func `the place for issues of test cases is left to Swift Testing where that runs`() {
    let arguments = ["a.xctest", "--testing-library", "swift-testing"]
    #expect(XCTestBridge.owner(arguments: arguments, isInXcode: true) == .notNeeded)
  }

  @Test func `the place for issues of test cases is left to Xcode`() {
    #expect(
      XCTestBridge.owner(arguments: [], isInXcode: true)
        == .others("Xcode's XCTest takes the issues of Swift Testing for itself."))
  }

  #if os(Linux)
  @Test func `the place for issues of test cases is taken once`() async {
    await #expect(processExitsWith: .success) {
      precondition(XCTestBridge.place == .notNeeded)
      precondition(XCTestBridge.owner(arguments: [], isInXcode: false) == .ours)
      let taken = XCTestBridge.Place.others("another testing library takes the issues of Swift Testing.")
      precondition(XCTestBridge.owner(arguments: [], isInXcode: false) == taken)
    }
  }
  #endif
}
