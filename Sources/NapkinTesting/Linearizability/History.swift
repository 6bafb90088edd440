// SPDX-License-Identifier: Apache-2.0

/// The calls of one execution, with the moments at which each was made and returned.
///
/// A moment is a number that counts calls and returns alike, so what overlaps and what does not is all there is of time.
package struct History<Command: Sendable, Response: Sendable>: Sendable {
  package struct Operation: Sendable {
    package var caller: Int
    package var command: Command
    package var called: Int

    /// When and what it returned; nil if it never did.
    package var returned: (moment: Int, response: Response)?
  }

  /// The calls in the order in which they were made.
  package private(set) var operations: [Operation] = []
  package private(set) var moments = 0

  package init() {}

  /// Notes a call, and returns the number by which its return is noted.
  package mutating func call(_ command: Command, by caller: Int) -> Int {
    operations.append(Operation(caller: caller, command: command, called: moments))
    moments += 1
    return operations.count - 1
  }

  package mutating func `return`(_ response: Response, from operation: Int) {
    operations[operation].returned = (moments, response)
    moments += 1
  }
}
