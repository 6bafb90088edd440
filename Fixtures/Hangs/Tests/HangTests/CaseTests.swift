// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import XCTest

/// A test case of XCTest that hangs.
final class CaseTests: XCTestCase {
  func testLost() async {
    await withCheckedContinuation { Self.lost.append($0) }  // names: testLost
  }

  nonisolated(unsafe) private static var lost: [CheckedContinuation<Void, Never>] = []
}
