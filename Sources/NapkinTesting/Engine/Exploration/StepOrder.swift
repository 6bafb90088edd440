// SPDX-License-Identifier: Apache-2.0

/// The steps of a logged execution in their order, by names that are the same in every execution of the body.
struct StepOrder: Sendable {
  /// A task by its place in the tree of tasks: the how-manieth child of which one, from the root on.
  typealias Lineage = [Int]

  /// One of the steps of a task.
  struct Key: Hashable, Sendable {
    let task: Lineage
    /// The number of the step among those of the task, from one on; the rest of a preempted step has the same.
    let number: Int
  }

  struct Step: Sendable {
    let key: Key
    let event: Event
    let place: Event.Place
    /// The place of the task's step before this one in the list; nil for its first.
    let previous: Int?
    /// Whether it goes on after it was preempted in its middle.
    let isRest: Bool
    /// The tasks that it cancels.
    var cancelled: Set<Int> = []

    /// Whether it is a step of the body's own task, which mostly checks the results of the others, or of code of Napkin.
    var isForeign: Bool { event.task == 0 && cancelled.isEmpty || event.isOfFramework }

    /// How far it is from the code under test: 0 in one of its functions, 1 in one of the test's file or in a closure of the
    /// test that calls an actor, and 4 in any other closure of the test.
    var remoteness = 0

    func cancels(_ other: Step) -> Bool { other.event.task.map(cancelled.contains) ?? false }
  }

  private(set) var steps: [Step] = []

  /// The same as an order of tasks that can be run again.
  private(set) var order = TaskOrder()

  /// The steps without those of a loop's equal rounds but the first two and the last.
  private var distinct: [Int] = []

  /// The number of steps that had begun when each task was created.
  private var creations: [Lineage: Int] = [:]

  /// The entry of each step in that order.
  private(set) var entries: [Int] = []

  /// The values that were drawn, by the task and by how many it drew before.
  private(set) var draws: [Key: String] = [:]

  // More steps would have too many pairs; of those in equal rounds only the first and the last count.
  private static let mostSteps = 1_000

  /// Nil where the log leaves out events, or has too many.
  init?(_ log: EventLog) {
    var lineages: [Int: Lineage] = [:]
    var children: [Lineage: Int] = [:]
    var last: [Int: Int] = [:]
    var counts: [Int: Int] = [:]
    var drawn: [Lineage: Int] = [:]
    var preempted: Set<Int> = []
    let testFile = log.events.lazy.compactMap(\.source).first { $0.function == log.testFunction }?.file
    func lineage(_ task: Int) -> Lineage { lineages[task] ?? [-1, task] }
    for event in log.events {
      switch event.kind {
      case .started(let starter):
        guard let task = event.task else { continue }
        let parent = starter.map(lineage) ?? []
        children[parent, default: 0] += 1
        lineages[task] = parent + [children[parent]!]
        creations[parent + [children[parent]!]] = steps.count
        order.starts += [task, starter ?? -1]
      case .ran(let place, _, _):
        guard let task = event.task else { return nil }
        let isRest = preempted.remove(task) != nil
        if !isRest { counts[task, default: 0] += 1 }
        let key = Key(task: lineage(task), number: counts[task, default: 0])
        let before = last[task]
        last[task] = steps.count
        entries.append(order.entries.count)
        order.entries.append(task)
        var step = Step(
          key: key, event: event, place: isRest ? before.map { steps[$0].place } ?? place : place, previous: before,
          isRest: isRest)
        if let source = event.source, log.isNamed(source) {
          step.remoteness = source.file != nil && source.file == testFile ? 1 : 0
        } else {
          step.remoteness = step.place == .global || step.place == .main ? 4 : 1
        }
        if step.isForeign { step.remoteness += 8 }
        steps.append(step)
      case .timePassed: order.entries.append(TaskOrder.time)
      case .preempted: if let task = event.task { preempted.insert(task) }
      case .cancels(let cancelled?):
        if let step = event.task.flatMap({ last[$0] }) { steps[step].cancelled.insert(cancelled) }
      case .drew(let label, let value):
        guard let task = event.task else { continue }
        let name = lineage(task)
        draws[Key(task: name, number: drawn[name, default: 0])] = (label ?? "") + value
        drawn[name, default: 0] += 1
      case .leftOut: return nil
      default: continue
      }
    }
    let rounds = EqualRounds.repeated(
      in: steps.map { Kind(task: $0.event.task, place: $0.place, source: $0.event.source) })
    let repeated = RangeSet(rounds.map(\.range))
    distinct = steps.indices.filter { !repeated.contains($0) }
    guard distinct.count <= Self.mostSteps else { return nil }
  }

  private struct Kind: Equatable {
    let task: Int?
    let place: Event.Place
    let source: SourcePlace?
  }

  /// The same order with one step, and the later ones of its task up to there, after another one.
  ///
  /// Where it overtakes, it does so in queues that have one order, too, as if it had arrived there later.
  func holding(_ first: Int, until second: Int, overtaking: Bool) -> TaskOrder {
    let task = order.entries[entries[first]]
    let range = entries[first]...entries[second]
    var reversed = order
    reversed.overtakes = overtaking
    let held = order.entries[range].filter { $0 == task }
    let others = order.entries[range].filter { $0 != task }
    reversed.entries.replaceSubrange(range, with: others + [TaskOrder.barrier] + held)
    return reversed
  }

  /// Whether another execution drew the same values where it drew as many.
  func drawsAlike(_ other: StepOrder) -> Bool {
    draws.allSatisfy { key, value in other.draws[key].map { $0 == value } ?? true }
  }

  /// The positions of the same steps in another execution; of a task that goes another way those up to there.
  func positions(in other: StepOrder) -> [Int?] {
    let there = Dictionary(other.steps.indices.map { (other.steps[$0].key, $0) }) { first, _ in first }
    var parted: Set<Lineage> = []
    return steps.map { step in
      guard !parted.contains(step.key.task), let found = there[step.key],
        step.isRest || other.steps[found].event.source == step.event.source
      else {
        parted.insert(step.key.task)
        return nil
      }
      return found
    }
  }

  /// Whether another execution has two steps the other way round.
  func isReversed(_ first: Int, _ second: Int, in other: StepOrder) -> Bool {
    let positions = positions(in: other)
    guard let one = positions[first], let two = positions[second] else { return false }
    return two < one
  }

  /// The pairs of steps in conflict that another execution has the other way round.
  func reversals(in other: StepOrder) -> [(first: Int, second: Int)] {
    let positions = positions(in: other)
    var pairs: [(first: Int, second: Int)] = []
    for (count, second) in distinct.enumerated() {
      guard let late = positions[second] else { continue }
      for first in distinct.prefix(count) where isConflict(first, second) {
        if let early = positions[first], late < early { pairs.append((first, second)) }
      }
    }
    return pairs
  }

  /// Whether two steps of different tasks are at one place, or one of them cancels the other's task.
  private func isConflict(_ first: Int, _ second: Int) -> Bool {
    let (one, other) = (steps[first], steps[second])
    guard one.key.task != other.key.task else { return false }
    return one.place == other.place || one.cancels(other) || other.cancels(one)
  }

  /// The pairs of steps in conflict whose order may decide, those first that are tried first.
  ///
  /// Steps of the code under test come before others, and near steps before distant ones.
  var candidates: [(first: Int, second: Int)] {
    var found: [(first: Int, second: Int, rank: Int)] = []
    for (count, second) in distinct.enumerated() {
      for first in distinct.prefix(count) where isConflict(first, second) && !isDescendant(second, of: first) {
        found.append((first, second, remoteness(first, second) * steps.count + second - first))
      }
    }
    return found.sorted { ($0.rank, $0.second) < ($1.rank, $1.second) }.map { ($0.first, $0.second) }
  }

  /// How far two steps are from the code under test: the test's own counters show a bug that the code under test has.
  func remoteness(_ first: Int, _ second: Int) -> Int { steps[first].remoteness + steps[second].remoteness }

  /// Whether the task of a step is one that the task of an earlier step has started, or a child of such a task.
  private func isDescendant(_ second: Int, of first: Int) -> Bool {
    let (one, two) = (steps[first].key.task, steps[second].key.task)
    guard two.count > one.count, two.starts(with: one) else { return false }
    // A task that was created before that step is as free as any other.
    return creations[Array(two.prefix(one.count + 1))].map { $0 > first } ?? true
  }
}
