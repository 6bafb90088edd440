// SPDX-License-Identifier: Apache-2.0

/// The calls of one execution, with the moments of their start and return.
///
/// A moment counts starts and returns; only their order matters.
package struct History<Command: Sendable, Response: Sendable>: Sendable {
  package struct Operation: Sendable {
    package var caller: Int
    package var command: Command
    package var called: Int

    /// The moment and the response of the return; nil if it never returned.
    package var returned: (moment: Int, response: Response)?
  }

  /// The calls in the order in which they were made.
  package private(set) var operations: [Operation] = []
  package private(set) var moments = 0

  package init() {}

  /// Adds a call and returns its number.
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

/// The calls of each caller, in order.
struct CallProgram<Command: Sendable>: Sendable {
  var callers: [[Command]]

  /// Draws programs; zeros make one caller and the simplest commands.
  static func generator(_ command: Gen<Command>, calls: ClosedRange<Int>, callers: Int) -> Gen<CallProgram> {
    let call = command.flatMap { command in
      Gen<Int>.int(in: 0...(callers - 1)).map { (command: command, caller: $0) }
    }
    return Gen<[(command: Command, caller: Int)]>.array(of: call, count: calls).map { calls in
      var program = CallProgram(callers: Array(repeating: [], count: callers))
      for (command, caller) in calls { program.callers[caller].append(command) }
      return program
    }
  }

  /// The program as a text: `(deposit(1) → balance) ∥ withdraw(1)`.
  var text: String { callers.map { commands in commands.map { "\($0)" } }.inLanes }
}
