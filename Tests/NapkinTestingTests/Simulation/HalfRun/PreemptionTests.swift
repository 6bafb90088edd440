// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

struct PreemptionTests {
  @Test(arguments: [0, 1, 65_535, 65_536, 70_000, 1 << 24 - 1] as [Int32], [1, 20_000, 1 << 40 - 1] as [Int64])
  func `an access is read back from its choice, of whatever task it is`(_ task: Int32, _ number: Int64) {
    let read = Preemption(Preemption(task: task, number: number).choice)
    #expect(read.task == task)
    #expect(read.number == number)
  }
}
