// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// An access at which a task is preempted, as a choice has it.
package struct Preemption {
  /// The task's number, less than 2^24: a token of an execution with as many choices is not read back.
  package var task: Int32

  /// The access' number among the task's, from 1 on and less than 2^40: half a day of accesses, at 45 ns each.
  package var number: Int64

  package init(task: Int32, number: Int64) {
    (self.task, self.number) = (task, number)
  }

  /// Reads a choice, which has the task's number in the 16 lowest bits and the 8 highest.
  package init(_ choice: UInt64) {
    self.init(task: Int32((choice >> 56) << 16 | choice & 0xffff), number: Int64((choice << 8) >> 24))
  }

  /// The access as a choice, which is not zero.
  package var choice: UInt64 {
    let task = UInt64(UInt32(bitPattern: task))
    return (task >> 16) << 56 | UInt64(number) << 16 | task & 0xffff
  }

  var point: napkin_point { napkin_point(task: task, number: number) }
}
