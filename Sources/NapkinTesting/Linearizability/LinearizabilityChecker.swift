// SPDX-License-Identifier: Apache-2.0

/// Decides whether a sequential model agrees with some order of the calls of a history.
///
/// It is the search of Wing and Gong ("Testing and verifying concurrent objects", 1993) with the cache of Lowe ("Testing
/// for linearizability", 2017): a set of calls that took effect, with the model that came of them, is tried once. Calls
/// are partitioned as the model says (Horn and Kroening, "Faster linearizability checking via P-compositionality",
/// 2015). A call that never returned may have taken effect, or not.
///
/// The problem is NP-complete: with `n` calls that all overlap there are up to 2ⁿ sets. The number of configurations is
/// bounded, and reaching the bound is a verdict of its own.
package struct LinearizabilityChecker<Model: SequentialModel>: Sendable {
  package typealias Calls = History<Model.Command, Model.Response>

  let model: Model

  /// The most configurations to try in one partition; beyond it the result is undecided.
  let limit: Int

  package init(model: Model, limit: Int = 20_000) {
    self.model = model
    self.limit = limit
  }

  package enum Result: Sendable {
    /// An order that the model agrees with, by the numbers of the operations, partition after partition.
    case linearizable([Int])
    case violation(Violation)
    /// The bound was reached first.
    case undecided(configurations: Int)
  }

  /// The reason why there is no such order.
  package struct Violation: Sendable {
    /// The operations of the partition that has none, in the order in which they were called.
    package var operations: [Int]

    /// The longest order that the model agrees with, by the numbers of the operations.
    package var furthest: [Int]

    /// The calls that could come next, and the responses of the model that differ from theirs.
    package var refused: [(operation: Int, expected: Model.Response)]

    /// The model after the longest order.
    package var model: Model
  }

  package func check(_ history: Calls) -> Result {
    var order: [Int] = []
    var undecided: Int?
    for operations in partitions(of: history) {
      switch LinearizabilitySearch(history, operations, model).run(limit: limit) {
      case .linearizable(let found): order += found
      case .violation(let violation): return .violation(violation)
      case .undecided(let configurations): undecided = configurations
      }
    }
    return undecided.map { .undecided(configurations: $0) } ?? .linearizable(order)
  }

  /// The operations by their partitions, in the order of their first calls.
  private func partitions(of history: Calls) -> [[Int]] {
    var places: [Model.Partition: Int] = [:]
    var partitions: [[Int]] = []
    for (index, operation) in history.operations.enumerated() {
      let key = Model.partition(of: operation.command)
      if let place = places[key] {
        partitions[place].append(index)
      } else {
        places[key] = partitions.count
        partitions.append([index])
      }
    }
    return partitions
  }
}
