// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import XCTest

/// A cell by `explore` in a test case of XCTest.
nonisolated final class CaseTests: XCTestCase {
  private func run(_ slot: Int) async {
    await explore(executions: Wanted.executions(slot), strategy: Wanted.strategy(slot)) {  // at: xctest
      try await Cell.run(Wanted.cell(slot))
    }
  }

  func testSlot01() async { await run(1) }
  func testSlot02() async { await run(2) }
  func testSlot03() async { await run(3) }
  func testSlot04() async { await run(4) }
  func testSlot05() async { await run(5) }
  func testSlot06() async { await run(6) }
  func testSlot07() async { await run(7) }
  func testSlot08() async { await run(8) }
  func testSlot09() async { await run(9) }
  func testSlot10() async { await run(10) }
  func testSlot11() async { await run(11) }
  func testSlot12() async { await run(12) }
  func testSlot13() async { await run(13) }
  func testSlot14() async { await run(14) }
  func testSlot15() async { await run(15) }
  func testSlot16() async { await run(16) }
}
