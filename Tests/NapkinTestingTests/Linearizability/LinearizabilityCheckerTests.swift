// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct LinearizabilityCheckerTests {
  typealias Calls = History<RegisterModel.Command, Int>

  private func isLinearizable(_ history: Calls) -> Bool? {
    switch LinearizabilityChecker(model: RegisterModel()).check(history) {
    case .linearizable: true
    case .violation: false
    case .undecided: nil
    }
  }

  @Test func `calls that do not overlap have one order, and it has to fit`() {
    #expect(isLinearizable(.make([(.set("x", 1), 0, (1, 0)), (.get("x"), 2, (3, 1))])) == true)
    #expect(isLinearizable(.make([(.set("x", 1), 0, (1, 0)), (.get("x"), 2, (3, 0))])) == false)
  }

  @Test func `calls that overlap may take effect in either order`() {
    #expect(isLinearizable(.make([(.set("x", 1), 0, (3, 0)), (.get("x"), 1, (2, 0))])) == true)
    #expect(isLinearizable(.make([(.set("x", 1), 0, (3, 0)), (.get("x"), 1, (2, 1))])) == true)
  }

  @Test func `after one caller has seen the new value, no later one may see the old one`() {
    let history = Calls.make([
      (.set("x", 1), 0, (9, 0)), (.get("x"), 1, (2, 1)), (.get("x"), 3, (4, 0)),
    ])
    #expect(isLinearizable(history) == false)
  }

  @Test func `an update that both callers make is lost in no order`() {
    let lost = Calls.make([(.set("x", 1), 0, (3, 0)), (.set("x", 2), 1, (2, 0))])
    #expect(isLinearizable(lost) == false)
  }

  @Test func `a call that never returned may have taken effect or not`() {
    let pending = Calls.make([(.set("x", 1), 0, nil), (.get("x"), 1, (2, 1)), (.get("x"), 3, (4, 1))])
    #expect(isLinearizable(pending) == true)
    let noEffect = Calls.make([(.set("x", 1), 0, nil), (.get("x"), 1, (2, 0)), (.get("x"), 3, (4, 0))])
    #expect(isLinearizable(noEffect) == true)
    let undone = Calls.make([(.set("x", 1), 0, nil), (.get("x"), 1, (2, 1)), (.get("x"), 3, (4, 0))])
    #expect(isLinearizable(undone) == false)
  }

  @Test func `the order that is found is one that the model agrees with`() throws {
    let history = Calls.make([
      (.set("x", 1), 0, (5, 2)), (.set("x", 2), 1, (4, 0)), (.get("x"), 2, (6, 1)),
    ])
    guard case .linearizable(let order) = LinearizabilityChecker(model: RegisterModel()).check(history) else {
      Issue.record("no order was found")
      return
    }
    var model = RegisterModel()
    #expect(order.map { model.apply(history.operations[$0].command) } == [0, 2, 1])
  }

  @Test func `a violation shows the longest order, and what the model would have returned next`() throws {
    let history = Calls.make([(.set("x", 1), 0, (1, 0)), (.get("x"), 2, (3, 1)), (.get("x"), 4, (5, 7))])
    guard case .violation(let violation) = LinearizabilityChecker(model: RegisterModel()).check(history) else {
      Issue.record("the history was passed")
      return
    }
    #expect(violation.furthest == [0, 1])
    #expect(violation.refused.map(\.operation) == [2])
    #expect(violation.refused.map(\.expected) == [1])
    #expect(violation.model == RegisterModel(values: ["x": 1]))
  }

  @Test func `it agrees with trying all orders, on 3,000 small random histories`() {
    var random = SplitMix64(seed: 11)
    var verdicts = [true: 0, false: 0]
    for _ in 0..<3_000 {
      let history = Self.randomHistory(&random)
      let expected = Self.hasOrder(history)
      #expect(isLinearizable(history) == expected, "\(history)")
      verdicts[expected, default: 0] += 1
    }
    // Both answers are common, so neither could be given blindly.
    #expect(verdicts.values.allSatisfy { $0 > 300 }, "\(verdicts)")
  }

  @Test func `partitions give the same verdicts, on 1,000 random histories of two cells`() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<1_000 {
      let history = Self.randomHistory(&random)
      let whole = isLinearizable(history)
      let parts =
        if case .linearizable = LinearizabilityChecker(model: PartitionedModel()).check(history) { true } else { false }
      #expect(whole == parts, "\(history)")
    }
  }

  /// Writes that all overlap, and reads of a value that is never written: every set of writes has to be tried.
  static func worst(_ count: Int, cells: Int = 1) -> Calls {
    let writes = (0..<count).map { index in
      (RegisterModel.Command.set("c\(index % cells)", 0), index, (at: 100 + index, 0) as (at: Int, Int)?)
    }
    return .make(writes + (0..<cells).map { (.get("c\($0)"), 300 + $0, (at: 400 + $0, 9)) })
  }

  @Test func `n calls that overlap cost at most 2ⁿ configurations, and partitions much less`() {
    func isDecided<Model: SequentialModel>(_ model: Model, cells: Int = 1, limit: Int) -> Bool
    where Model.Command == RegisterModel.Command, Model.Response == RegisterModel.Response {
      let verdict = LinearizabilityChecker(model: model, limit: limit).check(Self.worst(12, cells: cells))
      if case .undecided = verdict { return false }
      return true
    }
    #expect(isDecided(RegisterModel(), limit: 4_095) && !isDecided(RegisterModel(), limit: 4_094))
    #expect(isDecided(PartitionedModel(), cells: 3, limit: 15) && !isDecided(PartitionedModel(), cells: 3, limit: 14))
  }

  @Test func `reaching the bound is a verdict of its own`() {
    guard case .undecided(1_000) = LinearizabilityChecker(model: RegisterModel(), limit: 1_000).check(Self.worst(12))
    else {
      Issue.record("the bound was not reported")
      return
    }
  }

  @Test func `an empty history is linearizable`() {
    #expect(isLinearizable(Calls()) == true)
  }

  /// Up to six calls of two cells by as many callers; their responses are guessed, so that half of them are wrong.
  private static func randomHistory(_ random: inout SplitMix64) -> Calls {
    func below(_ bound: UInt64) -> Int { Int(random.next() % bound) }
    let count = 2 + below(5)
    var moments = Array(0..<count * 2)
    for index in moments.indices.reversed() { moments.swapAt(index, below(UInt64(index + 1))) }
    return .make(
      (0..<count).map { index in
        let (first, second) = (moments[index * 2], moments[index * 2 + 1])
        let cell = below(4) == 0 ? "y" : "x"
        let command = below(2) == 0 ? RegisterModel.Command.get(cell) : .set(cell, below(2))
        return (command, min(first, second), below(6) == 0 ? nil : (at: max(first, second), below(5) == 0 ? 1 : 0))
      })
  }

  /// The definition, tried out: an order of all calls that returned and any of the others.
  private static func hasOrder(_ history: Calls) -> Bool {
    func extend(_ model: RegisterModel, _ left: [Int]) -> Bool {
      if left.allSatisfy({ history.operations[$0].returned == nil }) { return true }
      for number in left {
        let operation = history.operations[number]
        // A caller that returned before this call was made comes first.
        let isNext = left.allSatisfy { (history.operations[$0].returned?.moment ?? .max) > operation.called }
        guard isNext else { continue }
        var after = model
        let response = after.apply(operation.command)
        guard operation.returned == nil || operation.returned?.response == response else { continue }
        if extend(after, left.filter { $0 != number }) { return true }
      }
      return false
    }
    return extend(RegisterModel(), Array(history.operations.indices))
  }
}
