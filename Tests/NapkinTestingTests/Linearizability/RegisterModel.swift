// SPDX-License-Identifier: Apache-2.0

import NapkinTesting

/// A few cells, by their names, that hold a number each.
struct RegisterModel: SequentialModel, CustomStringConvertible {
  enum Command: Sendable, CustomStringConvertible {
    case get(String)
    case set(String, Int)

    var description: String {
      switch self {
      case .get(let cell): "get(\(cell))"
      case .set(let cell, let value): "set(\(cell), \(value))"
      }
    }
  }

  var values: [String: Int] = [:]

  /// Returns the former value of the cell.
  mutating func apply(_ command: Command) -> Int {
    switch command {
    case .get(let cell): return values[cell, default: 0]
    case .set(let cell, let value):
      defer { values[cell] = value }
      return values[cell, default: 0]
    }
  }

  var description: String {
    values.isEmpty
      ? "empty" : values.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
  }
}

/// The same cells, each of which is a part of its own.
struct PartitionedModel: SequentialModel {
  var cells = RegisterModel()
  mutating func apply(_ command: RegisterModel.Command) -> Int { cells.apply(command) }

  static func partition(of command: RegisterModel.Command) -> String {
    switch command {
    case .get(let cell), .set(let cell, _): cell
    }
  }
}

extension History where Command == RegisterModel.Command, Response == Int {
  /// A history in shorthand: a call, its time, and the time and the value of its return.
  static func make(_ calls: [(command: Command, called: Int, returned: (at: Int, Int)?)]) -> Self {
    var history = Self()
    var numbers: [Int: Int] = [:]
    let last = calls.flatMap { [$0.called, $0.returned?.at ?? 0] }.max() ?? 0
    for moment in 0...last {
      for (caller, call) in calls.enumerated() {
        if call.called == moment { numbers[caller] = history.call(call.command, by: caller + 1) }
        if let returned = call.returned, returned.at == moment, let number = numbers[caller] {
          history.return(returned.1, from: number)
        }
      }
    }
    return history
  }
}
