// SPDX-License-Identifier: Apache-2.0

/// The search for an order of the operations of one partition: calls are taken up as far as the model agrees, and put back.
///
/// The moments of the partition stand in a doubly linked list. From its front, every call that comes before the first
/// return may take effect next; a return that comes first means that the operation it belongs to had to be taken up by
/// now, so the last choice was wrong.
struct LinearizabilitySearch<Model: SequentialModel> {
  typealias Checker = LinearizabilityChecker<Model>

  enum Result {
    case found([Int])
    case none(Checker.Violation)
    case limit
  }

  private enum Entry {
    case call(Int)
    case `return`(Int)
  }

  /// A set of operations that took effect, and the model after them.
  private struct Configuration: Hashable {
    var taken: [UInt64]
    var model: Model
  }

  private let operations: [Checker.Calls.Operation]
  private let numbers: [Int]
  private let initial: Model

  // Entry 0 is the front, which is no moment; links are indices, and the list's end is `entries.count`.
  private var entries: [Entry] = []
  private var next: [Int] = []
  private var previous: [Int] = []
  private var places: [(call: Int, return: Int?)] = []

  private var configurations = 0

  init(_ history: Checker.Calls, _ numbers: [Int], _ initial: Model) {
    self.numbers = numbers
    self.initial = initial
    operations = numbers.map { history.operations[$0] }
    layOut()
  }

  private mutating func layOut() {
    var moments: [(moment: Int, entry: Entry)] = []
    for (index, operation) in operations.enumerated() {
      moments.append((operation.called, .call(index)))
      if let returned = operation.returned { moments.append((returned.moment, .return(index))) }
    }
    moments.sort { $0.moment < $1.moment }
    entries = [.call(-1)] + moments.map(\.entry)
    next = Array(1...entries.count)
    previous = Array(-1..<entries.count)
    places = Array(repeating: (0, nil), count: operations.count)
    for (index, entry) in entries.enumerated().dropFirst() {
      switch entry {
      case .call(let operation): places[operation].call = index
      case .return(let operation): places[operation].return = index
      }
    }
  }

  mutating func run(limit: Int) -> Result {
    var seen: Set<Configuration> = []
    var current = Configuration(taken: Array(repeating: 0, count: (operations.count + 63) / 64), model: initial)
    var stack: [(operation: Int, before: Configuration)] = []
    var furthest: (order: [Int], configuration: Configuration) = ([], current)
    var position = next[0]
    while position < entries.count {
      switch entries[position] {
      case .call(let operation):
        if let after = taking(operation, from: current), seen.insert(after).inserted {
          configurations += 1
          if configurations > limit { return .limit }
          stack.append((operation, current))
          current = after
          takeOut(operation)
          if stack.count > furthest.order.count { furthest = (stack.map(\.operation), current) }
          position = next[0]
        } else {
          position = next[position]
        }
      case .return:
        guard let last = stack.popLast() else { return .none(violation(furthest.order, furthest.configuration)) }
        current = last.before
        putBack(last.operation)
        position = next[places[last.operation].call]
      }
    }
    // Calls that are left over have never returned, and have not taken effect.
    return .found(stack.map { numbers[$0.operation] })
  }

  /// The configuration after an operation takes effect; nil if the model returns something else than it did.
  private func taking(_ operation: Int, from before: Configuration) -> Configuration? {
    var after = before
    let response = after.model.apply(operations[operation].command)
    if let returned = operations[operation].returned, returned.response != response { return nil }
    after.taken[operation / 64] |= 1 << UInt64(operation % 64)
    return after
  }

  private mutating func takeOut(_ operation: Int) {
    unlink(places[operation].call)
    if let entry = places[operation].return { unlink(entry) }
  }

  /// Undoes `takeOut`; operations come back in the opposite order, so the neighbours are those of then.
  private mutating func putBack(_ operation: Int) {
    if let entry = places[operation].return { link(entry) }
    link(places[operation].call)
  }

  private mutating func unlink(_ entry: Int) {
    next[previous[entry]] = next[entry]
    if next[entry] < entries.count { previous[next[entry]] = previous[entry] }
  }

  private mutating func link(_ entry: Int) {
    next[previous[entry]] = entry
    if next[entry] < entries.count { previous[next[entry]] = entry }
  }

  private func violation(_ order: [Int], _ configuration: Configuration) -> Checker.Violation {
    // What is not taken up and was called before the first return of its like could come next.
    let left = operations.indices.filter { configuration.taken[$0 / 64] & (1 << UInt64($0 % 64)) == 0 }
    let deadline = left.compactMap { operations[$0].returned?.moment }.min() ?? .max
    let refused = left.compactMap { index -> (operation: Int, expected: Model.Response)? in
      guard operations[index].returned != nil, operations[index].called < deadline else { return nil }
      var model = configuration.model
      let expected = model.apply(operations[index].command)
      return operations[index].returned?.response == expected ? nil : (numbers[index], expected)
    }
    return Checker.Violation(
      operations: numbers, furthest: order.map { numbers[$0] }, refused: refused, model: configuration.model)
  }
}
