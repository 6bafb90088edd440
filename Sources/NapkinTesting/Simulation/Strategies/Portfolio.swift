// SPDX-License-Identifier: Apache-2.0

/// Several strategies in rotation, an execution each: none of them finds everything that the others find.
final class PortfolioStrategy: SchedulingStrategy {
  private let turns: [SchedulingStrategy]
  private let later: [SchedulingStrategy]
  private let late: [SchedulingStrategy]
  private let guided: SchedulingStrategy
  private let members: [SchedulingStrategy]
  private var turn = 0
  private var current: SchedulingStrategy

  // Whether an execution has said how close it came to a target.
  private var hasTarget = false

  override var member: SchedulingStrategy { current }

  // Bugs that a few switches decide have shown by then; for the deep ones that remain it pays to change the turns.
  private static let first = 100
  private static let early = 1_000

  /// - Parameters:
  ///   - turns: The strategies of the first hundred executions.
  ///   - later: The strategies of the first thousand after that.
  ///   - late: The strategies after that, each one of those before.
  ///   - guided: The strategy of every second execution, once one of them has a target.
  init(
    _ turns: [SchedulingStrategy], later: [SchedulingStrategy], late: [SchedulingStrategy], guided: SchedulingStrategy
  ) {
    precondition(!turns.isEmpty && !later.isEmpty && !late.isEmpty)
    self.turns = turns
    self.later = later
    self.late = late
    self.guided = guided
    var seen: Set<ObjectIdentifier> = []
    members = (turns + later).filter { seen.insert(ObjectIdentifier($0)).inserted }
    current = turns[0]
  }

  /// The default portfolio.
  ///
  /// The sticky walk lets a task get far while others wait, PCT finds what a few switches of long tasks decide,
  /// SURW what few steps decide, and the uniform walk what takes a long task overtaking a short one. Of bugs that take
  /// four switches or more, POS and the guided search find most.
  static func standard() -> PortfolioStrategy {
    let sticky = StickyRandomStrategy()
    let pct = PCTStrategy(depth: 5)
    let pos = POSStrategy()
    let surw = SURWStrategy()
    let uniform = UniformStrategy()
    let guided = GuidedStrategy()
    let turns: [SchedulingStrategy] = [sticky, pos, surw, uniform, pct, surw, sticky, pos, uniform, surw]
    let others: [SchedulingStrategy] = [sticky, surw, sticky, pct, sticky, uniform]
    return PortfolioStrategy(
      turns,
      later: turns.flatMap { $0 === sticky || $0 === uniform ? [$0, guided] : [$0] },
      late: others.flatMap { [guided, guided, pos, guided, guided, pos, guided, $0] },
      guided: guided
    )
  }

  override func begin(seed: SplitMix64) -> Bool {
    if hasTarget, turn & 1 == 1 {
      current = guided
    } else if turn < Self.first {
      current = turns[turn % turns.count]
    } else {
      current = turn < Self.early ? later[turn % later.count] : late[turn % late.count]
    }
    turn += 1
    return current.begin(seed: seed)
  }

  override func learn(_ lesson: Lesson) {
    if lesson.score != nil { hasTarget = true }
    if current.learns { current.learn(lesson) }
  }

  override func skip(to execution: Int) { turn = execution }

  override func end(choices: Int) {
    for member in members { member.end(choices: choices) }
  }
}
