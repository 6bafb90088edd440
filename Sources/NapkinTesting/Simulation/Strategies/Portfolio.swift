// SPDX-License-Identifier: Apache-2.0

/// Several strategies in rotation, an execution each: none of them finds everything that the others find.
final class PortfolioStrategy: SchedulingStrategy {
  private let turns: [SchedulingStrategy]
  private let late: [SchedulingStrategy]
  private let members: [SchedulingStrategy]
  private var turn = 0
  private var current: SchedulingStrategy

  override var member: SchedulingStrategy { current }

  // Bugs that a few switches decide have shown by then; for the deep ones that remain it pays to change the turns.
  private static let early = 1_000

  /// - Parameters:
  ///   - turns: The strategies of the first thousand executions.
  ///   - late: The strategies after that, each one of those before.
  init(_ turns: [SchedulingStrategy], late: [SchedulingStrategy]) {
    precondition(!turns.isEmpty && !late.isEmpty)
    self.turns = turns
    self.late = late
    var seen: Set<ObjectIdentifier> = []
    members = turns.filter { seen.insert(ObjectIdentifier($0)).inserted }
    current = turns[0]
  }

  /// What explores when nothing else is asked for.
  ///
  /// The sticky walk lets a task get far while others wait, PCT finds what a few switches of long tasks decide,
  /// SURW what few steps decide, and the uniform walk what takes a long task overtaking a short one. Of bugs that take
  /// four switches or more, POS finds most.
  static func standard() -> PortfolioStrategy {
    let sticky = StickyRandomStrategy()
    let pct = PCTStrategy(depth: 5)
    let pos = POSStrategy()
    let surw = SURWStrategy()
    let uniform = UniformStrategy()
    let others: [SchedulingStrategy] = [sticky, surw, sticky, pct, sticky, uniform]
    return PortfolioStrategy(
      [sticky, pos, surw, uniform, pct, surw, sticky, pos, uniform, surw],
      late: others.flatMap { [pos, pos, pos, $0] }
    )
  }

  override func begin(seed: SplitMix64) -> Bool {
    current = turn < Self.early ? turns[turn % turns.count] : late[turn % late.count]
    turn += 1
    return current.begin(seed: seed)
  }

  override func end(choices: Int) {
    for member in members { member.end(choices: choices) }
  }
}
