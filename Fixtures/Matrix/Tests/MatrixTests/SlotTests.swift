// SPDX-License-Identifier: Apache-2.0

import Foundation
import Napkin
import NapkinTesting
import Testing

// The comments that begin with "at:" mark the line that a failure without a line of its own is reported at.

/// A cell by a trait of each test function.
///
/// Which cell a function runs is for the driver to say.
@Suite(.serialized) struct TraitTests {
  @Test(.interleavings(Wanted.executions(1), strategy: Wanted.strategy(1), cancels: Wanted.cancels(1)))
  func slot01() async throws { try await Cell.run(Wanted.cell(1)) }  // at: trait slot01
  @Test(.interleavings(Wanted.executions(2), strategy: Wanted.strategy(2), cancels: Wanted.cancels(2)))
  func slot02() async throws { try await Cell.run(Wanted.cell(2)) }  // at: trait slot02
  @Test(.interleavings(Wanted.executions(3), strategy: Wanted.strategy(3), cancels: Wanted.cancels(3)))
  func slot03() async throws { try await Cell.run(Wanted.cell(3)) }  // at: trait slot03
  @Test(.interleavings(Wanted.executions(4), strategy: Wanted.strategy(4), cancels: Wanted.cancels(4)))
  func slot04() async throws { try await Cell.run(Wanted.cell(4)) }  // at: trait slot04
  @Test(.interleavings(Wanted.executions(5), strategy: Wanted.strategy(5), cancels: Wanted.cancels(5)))
  func slot05() async throws { try await Cell.run(Wanted.cell(5)) }  // at: trait slot05
  @Test(.interleavings(Wanted.executions(6), strategy: Wanted.strategy(6), cancels: Wanted.cancels(6)))
  func slot06() async throws { try await Cell.run(Wanted.cell(6)) }  // at: trait slot06
  @Test(.interleavings(Wanted.executions(7), strategy: Wanted.strategy(7), cancels: Wanted.cancels(7)))
  func slot07() async throws { try await Cell.run(Wanted.cell(7)) }  // at: trait slot07
  @Test(.interleavings(Wanted.executions(8), strategy: Wanted.strategy(8), cancels: Wanted.cancels(8)))
  func slot08() async throws { try await Cell.run(Wanted.cell(8)) }  // at: trait slot08
  @Test(.interleavings(Wanted.executions(9), strategy: Wanted.strategy(9), cancels: Wanted.cancels(9)))
  func slot09() async throws { try await Cell.run(Wanted.cell(9)) }  // at: trait slot09
  @Test(.interleavings(Wanted.executions(10), strategy: Wanted.strategy(10), cancels: Wanted.cancels(10)))
  func slot10() async throws { try await Cell.run(Wanted.cell(10)) }  // at: trait slot10
  @Test(.interleavings(Wanted.executions(11), strategy: Wanted.strategy(11), cancels: Wanted.cancels(11)))
  func slot11() async throws { try await Cell.run(Wanted.cell(11)) }  // at: trait slot11
  @Test(.interleavings(Wanted.executions(12), strategy: Wanted.strategy(12), cancels: Wanted.cancels(12)))
  func slot12() async throws { try await Cell.run(Wanted.cell(12)) }  // at: trait slot12
  @Test(.interleavings(Wanted.executions(13), strategy: Wanted.strategy(13), cancels: Wanted.cancels(13)))
  func slot13() async throws { try await Cell.run(Wanted.cell(13)) }  // at: trait slot13
  @Test(.interleavings(Wanted.executions(14), strategy: Wanted.strategy(14), cancels: Wanted.cancels(14)))
  func slot14() async throws { try await Cell.run(Wanted.cell(14)) }  // at: trait slot14
  @Test(.interleavings(Wanted.executions(15), strategy: Wanted.strategy(15), cancels: Wanted.cancels(15)))
  func slot15() async throws { try await Cell.run(Wanted.cell(15)) }  // at: trait slot15
  @Test(.interleavings(Wanted.executions(16), strategy: Wanted.strategy(16), cancels: Wanted.cancels(16)))
  func slot16() async throws { try await Cell.run(Wanted.cell(16)) }  // at: trait slot16
}

/// A cell by a trait of the suite.
@Suite(.interleavings(Wanted.executions(1), strategy: Wanted.strategy(1), cancels: Wanted.cancels(1)))
struct SuiteTests {  // at: suite
  @Test func slot01() async throws { try await Cell.run(Wanted.cell(1)) }
  @Test func slot02() async throws { try await Cell.run(Wanted.cell(2)) }
  @Test func slot03() async throws { try await Cell.run(Wanted.cell(3)) }
  @Test func slot04() async throws { try await Cell.run(Wanted.cell(4)) }
  @Test func slot05() async throws { try await Cell.run(Wanted.cell(5)) }
  @Test func slot06() async throws { try await Cell.run(Wanted.cell(6)) }
  @Test func slot07() async throws { try await Cell.run(Wanted.cell(7)) }
  @Test func slot08() async throws { try await Cell.run(Wanted.cell(8)) }
  @Test func slot09() async throws { try await Cell.run(Wanted.cell(9)) }
  @Test func slot10() async throws { try await Cell.run(Wanted.cell(10)) }
  @Test func slot11() async throws { try await Cell.run(Wanted.cell(11)) }
  @Test func slot12() async throws { try await Cell.run(Wanted.cell(12)) }
  @Test func slot13() async throws { try await Cell.run(Wanted.cell(13)) }
  @Test func slot14() async throws { try await Cell.run(Wanted.cell(14)) }
  @Test func slot15() async throws { try await Cell.run(Wanted.cell(15)) }
  @Test func slot16() async throws { try await Cell.run(Wanted.cell(16)) }
}
