// SPDX-License-Identifier: Apache-2.0

/// Several strategies in rotation, an execution each: none of them finds everything that the others find.
///
/// The sticky walk lets a task get far while others wait, PCT finds bugs that a few switches of long tasks
/// decide, SURW bugs of few steps, and the uniform walk bugs in which a long task overtakes a short one. Of bugs that
/// take four switches or more, POS and the guided search find most.
final class PortfolioStrategy: SchedulingStrategy {
  private let members: [SchedulingStrategy]

  // Rotation for executions 1–100, 101–1,000 and beyond.
  private let rotation: [SchedulingStrategy]
  private let later: [SchedulingStrategy]
  private let late: [SchedulingStrategy]

  // That of every second execution, once one of them has a target.
  private let guided: SchedulingStrategy
  private var hasTarget = false

  // The number of the next execution.
  private var next = 0
  private var current: SchedulingStrategy

  override var member: SchedulingStrategy { current }

  // Bugs that a few switches decide have shown by then; for the deep ones that remain it pays to change the rotation.
  private static let first = 100
  private static let early = 1_000

  override init() {
    let sticky = StickyRandomStrategy()
    let pct = PCTStrategy(depth: 5)
    let pos = POSStrategy()
    let surw = SURWStrategy()
    let uniform = UniformStrategy()
    let guided = GuidedStrategy()
    let others: [SchedulingStrategy] = [sticky, surw, sticky, pct, sticky, uniform]
    members = [sticky, pct, pos, surw, uniform, guided]
    rotation = [sticky, pos, surw, uniform, pct, surw, sticky, pos, uniform, surw]
    later = rotation.flatMap { $0 === sticky || $0 === uniform ? [$0, guided] : [$0] }
    late = others.flatMap { [guided, guided, pos, guided, guided, pos, guided, $0] }
    self.guided = guided
    current = rotation[0]
  }

  override func begin(seed: SplitMix64) -> Bool {
    if hasTarget, next & 1 == 1 {
      current = guided
    } else if next < Self.first {
      current = rotation[next % rotation.count]
    } else {
      current = next < Self.early ? later[next % later.count] : late[next % late.count]
    }
    next += 1
    return current.begin(seed: seed)
  }

  override func learn(_ lesson: Lesson) {
    if lesson.score != nil { hasTarget = true }
    if current.learns { current.learn(lesson) }
  }

  override func skip(to execution: Int) { next = execution }

  override func end(choices: Int) {
    for member in members { member.end(choices: choices) }
  }
}
