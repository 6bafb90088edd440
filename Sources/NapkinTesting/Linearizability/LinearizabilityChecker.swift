// SPDX-License-Identifier: Apache-2.0

/// Decides whether the calls of a history can be put in one order that a sequential model agrees with.
///
/// It is the search of Wing and Gong ("Testing and verifying concurrent objects", 1993) with the cache of Lowe ("Testing
/// for linearizability", 2017): a set of calls that took effect, with the model that came of them, is tried once. Calls
/// are partitioned by what the model says (Horn and Kroening, "Faster linearizability checking via P-compositionality",
/// 2015). A call that never returned may have taken effect, or not.
///
/// The problem is NP-complete: with `n` calls that all overlap there are up to 2ⁿ sets. The number of configurations is
/// bounded, and reaching the bound is a verdict of its own.
package struct LinearizabilityChecker<Model: SequentialModel>: Sendable {
  package typealias Calls = History<Model.Command, Model.Response>

  let model: Model

  /// How many configurations are tried in one partition before the question is left open.
  let limit: Int

  package init(model: Model, limit: Int = 20_000) {
    self.model = model
    self.limit = limit
  }

  package enum Verdict: Sendable {
    /// An order that the model agrees with, by the numbers of the operations, partition after partition.
    case linearizable([Int])
    case violation(Violation)
    /// The bound was reached first.
    case undecided(configurations: Int)
  }

  /// Why there is no such order.
  package struct Violation: Sendable {
    /// The operations of the partition that has none, in the order in which they were called.
    package var operations: [Int]

    /// The longest order that the model agrees with, by the numbers of the operations.
    package var furthest: [Int]

    /// What could come next there, by what the calls' moments say, and what the model would have returned.
    package var refused: [(operation: Int, expected: Model.Response)]

    /// The model after the longest order.
    package var model: Model
  }

  package func check(_ history: Calls) -> Verdict {
    var order: [Int] = []
    var undecided: Int?
    for operations in partitions(of: history) {
      var search = LinearizabilitySearch(history, operations, model)
      switch search.run(limit: limit) {
      case .found(let found): order += found
      case .none(let violation): return .violation(violation)
      case .limit: undecided = limit
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
