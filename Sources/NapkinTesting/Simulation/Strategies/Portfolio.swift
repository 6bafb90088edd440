// SPDX-License-Identifier: Apache-2.0

/// Several strategies that take turns, an execution each: none of them finds everything that the others find.
final class PortfolioStrategy: SchedulingStrategy {
  private let members: [any SchedulingStrategy]
  private let late: [any SchedulingStrategy]
  private var turn = 0
  @exclusivity(unchecked) private var current: any SchedulingStrategy

  // Bugs that a few switches decide have shown by then; for the deep ones that remain it pays to change the turns.
  private static let early = 1_000

  /// - Parameters:
  ///   - members: Who takes turns in the first thousand executions.
  ///   - late: Who takes turns after that, each one of the members.
  init(_ members: [any SchedulingStrategy], late: [any SchedulingStrategy]) {
    precondition(!members.isEmpty && !late.isEmpty)
    self.members = members
    self.late = late
    current = members[0]
  }

  /// What explores when nothing else is asked for.
  ///
  /// A random walk and SURW find what few steps decide, PCT what a few switches of long tasks decide, and the uniform
  /// walk what takes a long task overtaking a short one. Of bugs that take four switches or more, POS finds most.
  static func standard() -> PortfolioStrategy {
    let random = RandomStrategy()
    let pct = PCTStrategy(depth: 5)
    let pos = POSStrategy()
    let surw = SURWStrategy()
    let uniform = UniformStrategy()
    return PortfolioStrategy(
      [random, pct, pos, surw, uniform],
      late: [pos, pos, random, pos, pos, pct, pos, pos, surw, pos, pos, uniform]
    )
  }

  func begin(seed: SplitMix64) -> Bool {
    current = turn < Self.early ? members[turn % members.count] : late[turn % late.count]
    turn += 1
    return current.begin(seed: seed)
  }

  func arrived(_ job: inout ReadyJob) { current.arrived(&job) }

  func pick(_ ready: inout ReadyQueue, after running: Int) -> Int { current.pick(&ready, after: running) }

  func end(choices: Int) {
    for member in members { member.end(choices: choices) }
  }
}
