// SPDX-License-Identifier: Apache-2.0

/// What each caller calls, one call after the other.
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

  /// The program as a story: `(deposit(1) → balance) ∥ withdraw(1)`.
  var story: String {
    let lanes = callers.filter { !$0.isEmpty }.map { commands in commands.map { "\($0)" }.joined(separator: " → ") }
    guard lanes.count > 1 else { return lanes.joined() }
    return lanes.map { $0.contains(" → ") ? "(\($0))" : $0 }.joined(separator: " ∥ ")
  }
}
