// SPDX-License-Identifier: Apache-2.0

/// Several strategies that take turns, an execution each: none of them finds everything that the others find.
final class PortfolioStrategy: SchedulingStrategy {
  private let members: [any SchedulingStrategy]
  private var turn = -1
  private var current: any SchedulingStrategy

  init(_ members: [any SchedulingStrategy]) {
    precondition(!members.isEmpty)
    self.members = members
    current = members[0]
  }

  func begin(seed: SplitMix64) -> Bool {
    turn += 1
    current = members[turn % members.count]
    return current.begin(seed: seed)
  }

  func arrived(_ job: inout ReadyJob) { current.arrived(&job) }

  func pick(_ ready: inout ReadyQueue, after running: Int) -> Int { current.pick(&ready, after: running) }

  func end(choices: Int) {
    for member in members { member.end(choices: choices) }
  }
}
