// SPDX-License-Identifier: Apache-2.0

/// Counts the warnings of executions, each once by its `id`, in the order in which they were first added.
struct WarningTally {
  private var warnings: [(warning: ExplorationWarning, executions: Int)] = []
  private var positions: [String: Int] = [:]

  /// Counts the warnings of one execution.
  mutating func add(_ added: [ExplorationWarning]) {
    guard !added.isEmpty else { return }
    var seen: Set<String> = []
    for warning in added where seen.insert(warning.id).inserted {
      if let position = positions[warning.id] {
        warnings[position].executions += 1
      } else {
        positions[warning.id] = warnings.count
        warnings.append((warning, 1))
      }
    }
  }

  /// The warnings, each with the number of executions that added it, unless all did.
  func warnings(of executions: Int) -> [ExplorationWarning] {
    warnings.map { warning, count in
      guard count < executions else { return warning }
      var warning = warning
      warning.frequency = (count, executions)
      return warning
    }
  }
}
