// SPDX-License-Identifier: Apache-2.0

/// The search for an order of the operations of one partition: calls are taken up as far as the model agrees, and put back.
struct LinearizabilitySearch<Model: SequentialModel> {
  typealias Checker = LinearizabilityChecker<Model>

  /// A set of operations that took effect, and the model after them.
  private struct Configuration: Hashable {
    var taken: [UInt64]
    var model: Model
  }

  private let operations: [Checker.Calls.Operation]
  private let numbers: [Int]
  private let initial: Model

  init(_ history: Checker.Calls, _ numbers: [Int], _ initial: Model) {
    self.numbers = numbers
    self.initial = initial
    operations = numbers.map { history.operations[$0] }
  }

  func run(limit: Int) -> Checker.Result {
    var seen: Set<Configuration> = []
    var current = Configuration(taken: Array(repeating: 0, count: (operations.count + 63) / 64), model: initial)
    var next = candidates(after: current).calls
    var stack: [(operation: Int, before: Configuration, next: ArraySlice<Int>)] = []
    var furthest: (order: [Int], configuration: Configuration) = ([], current)
    while true {
      OwnWork.goesOn()
      if let operation = next.popFirst() {
        guard let after = taking(operation, from: current), seen.insert(after).inserted else { continue }
        if seen.count > limit { return .undecided(configurations: limit) }
        stack.append((operation, current, next))
        (current, next) = (after, candidates(after: after).calls)
        if stack.count > furthest.order.count { furthest = (stack.map(\.operation), current) }
      } else if candidates(after: current).areLast {
        // Calls that are left over have never returned, and have not taken effect.
        return .linearizable(stack.map { numbers[$0.operation] })
      } else if let last = stack.popLast() {
        (current, next) = (last.before, last.next)
      } else {
        return .violation(violation(furthest.order, furthest.configuration))
      }
    }
  }

  /// The calls that may take effect next: the remaining calls that were made before the first return of a remaining call.
  ///
  /// They are the last calls if no remaining call has returned.
  private func candidates(after configuration: Configuration) -> (calls: ArraySlice<Int>, areLast: Bool) {
    var calls: [Int] = []
    var firstReturn = Int.max
    // They stand in the order in which they were made.
    for index in operations.indices where configuration.taken[index / 64] & (1 << UInt64(index % 64)) == 0 {
      if operations[index].called > firstReturn { break }
      calls.append(index)
      firstReturn = min(firstReturn, operations[index].returned?.moment ?? .max)
    }
    return (calls[...], firstReturn == .max)
  }

  /// The configuration after an operation takes effect; nil if the model returns something else than it did.
  private func taking(_ operation: Int, from before: Configuration) -> Configuration? {
    var after = before
    let response = after.model.apply(operations[operation].command)
    if let returned = operations[operation].returned, returned.response != response { return nil }
    after.taken[operation / 64] |= 1 << UInt64(operation % 64)
    return after
  }

  private func violation(_ order: [Int], _ configuration: Configuration) -> Checker.Violation {
    let refused = candidates(after: configuration).calls.compactMap {
      index -> (operation: Int, expected: Model.Response)? in
      guard let returned = operations[index].returned else { return nil }
      var model = configuration.model
      let expected = model.apply(operations[index].command)
      return returned.response == expected ? nil : (numbers[index], expected)
    }
    return Checker.Violation(
      operations: numbers, furthest: order.map { numbers[$0] }, refused: refused, model: configuration.model)
  }
}
