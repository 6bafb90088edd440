// SPDX-License-Identifier: Apache-2.0

/// Every schedule, those with fewer preemptions first; with a bound, every schedule of at most that many preemptions.
///
/// A preemption is a switch away from a task that could have gone on. Musuvathi and Qadeer, "Iterative context bounding
/// for systematic testing of multithreaded programs" (PLDI 2007): most bugs need two or fewer. Schedules that need
/// one more than the current ones are kept until all of these have run, so no schedule runs twice.
///
/// On request, schedules are left out that differ only in the order of independent steps, see ``Footprint``.
final class ExhaustiveStrategy: SchedulingStrategy {
  private let preemptions: Int?
  private let skipsIndependent: Bool

  /// A choice of an execution, which others share that begin in the same way.
  private final class Node {
    let parent: Branch?
    let depth: Int
    /// The hash of the jobs that were ready up to this choice: the same in each execution that begins alike.
    let readiness: UInt64
    /// The steps that lead only to schedules run from elsewhere: the sleep set on arrival here.
    let asleep: [Footprint]
    /// The footprints of the picks so far, in the order in which they were made.
    var done: [Footprint] = []

    init(after parent: Branch?, asleep: [Footprint], readiness: UInt64) {
      self.parent = parent
      self.asleep = asleep
      self.readiness = readiness
      depth = parent.map { $0.node.depth + 1 } ?? 0
    }
  }

  /// A pick at a choice.
  private struct Branch {
    let node: Node
    let rank: Int
    let preemptions: Int
  }

  // Branches that remain to be run with as many preemptions as now, the next one last; and with one more.
  private var untried: [Branch] = []
  private var later: [Branch] = []

  // The execution at hand: the picks that it begins with, those that it has made, and its sleeping steps.
  private var beginning: [Branch] = []
  private var last: Branch?
  private var position = 0
  private var asleep: [Footprint] = []
  private var step: Footprint?
  private var names = ActorNames()
  private var picked: Node?
  private var isRepeated = false

  private var hasBegun = false
  private var isDone = false

  // How often time has passed in this execution while a task was ready. A task that polls with a sleep would go on for ever
  // if it always did, so after `mostPassed` times it does not, and not every schedule is run.
  private var passed = 0
  private var isCut = false
  private static let mostPassed = 4

  /// The record of the ready jobs in the current execution.
  let readiness = Readiness(comparesValues: true)
  /// Whether executions with the same choices have differed, so that the body depends on something else, too.
  private(set) var hasDiverged = false

  /// How many searches have ended: the schedules of a body depend on the values that it draws, so a search keeps to them.
  private(set) var searches = 0

  /// Whether every schedule has been seen, within the bound that the strategy was given.
  var isExhausted: Bool { isDone && !isCut && !hasDiverged }

  init(preemptions: Int?, skipsIndependent: Bool = false) {
    (self.preemptions, self.skipsIndependent) = (preemptions, skipsIndependent)
    super.init(skipsIndependent ? [.letsTimePass, .watchesSteps] : .letsTimePass)
  }

  override func begin(seed: SplitMix64) -> ChoiceSequence? {
    // An execution that ends before the pick that it was to try has another beginning: the body is not deterministic.
    if position < beginning.count { hasDiverged = true }
    beginning = []
    if hasBegun {
      if untried.isEmpty { (untried, later) = (later.reversed(), []) }
      guard let next = untried.popLast() else {
        isDone = true
        return nil
      }
      beginning.reserveCapacity(next.node.depth + 1)
      var branch: Branch? = next
      while let pick = branch {
        beginning.append(pick)
        branch = pick.node.parent
      }
      beginning.reverse()
    }
    hasBegun = true
    (last, position, passed, asleep, step, picked, isRepeated) = (nil, 0, 0, [], nil, nil, false)
    names = ActorNames()
    return ChoiceSequence()
  }

  /// Gets ready for the next search, with other values, after the last one has ended.
  func startOver() {
    searches += 1
    (hasBegun, isDone, beginning, position) = (false, false, [], 0)
  }

  override func pick(_ ready: inout ReadyQueue, after running: Int) -> Int {
    finishStep()
    let branch = position < beginning.count ? beginning[position] : branch(from: ready, after: running)
    position += 1
    guard let branch else { return 0 }
    last = branch
    picked = branch.node
    if branch.node.readiness != readiness.hash || branch.rank > ready.lastRank { hasDiverged = true }
    let rank = min(branch.rank, ready.lastRank)
    if rank == ready.count {
      passed += 1
      // The jobs that become ready then are not known before.
      (asleep, picked) = ([], nil)
    } else {
      // This pick may have been made before, with others behind it.
      let task = ready[rank].task
      asleep = branch.node.asleep + branch.node.done.filter { $0.task != task }
    }
    return rank
  }

  /// A pick at a choice that no execution has come to, with the others kept; nil if all are known.
  private func branch(from ready: borrowing ReadyQueue, after running: Int) -> Branch? {
    if isRepeated { return nil }
    // Where one job goes before another, both picks are one.
    var ranks = (0..<ready.count).filter { ready.first(insteadOf: $0) == $0 && !isAsleep(ready[$0].task) }
    if ranks.isEmpty {
      isRepeated = true
      return nil
    }
    let node = Node(after: last, asleep: asleep, readiness: readiness.hash)
    let used = last?.preemptions ?? 0
    var first = ranks[0]
    var preempting: [Int] = []
    // The representative of some schedules may have more preemptions than they, so a search that skips has no order by them.
    if !skipsIndependent, let goesOn = ready.rank(ofTask: running), ready.first(insteadOf: goesOn) == goesOn {
      (first, preempting) = (goesOn, ranks.filter { $0 != goesOn })
      ranks = [goesOn]
    }
    if ready.hasTimer {
      if passed < Self.mostPassed { ranks.append(ready.count) } else { isCut = true }
    }
    if used >= preemptions ?? .max { preempting = [] }
    for rank in ranks.reversed() where rank != first {
      untried.append(Branch(node: node, rank: rank, preemptions: used))
    }
    for rank in preempting { later.append(Branch(node: node, rank: rank, preemptions: used + 1)) }
    return Branch(node: node, rank: first, preemptions: used)
  }

  // The footprints of an execution's steps, which decide which of them could come in another order.

  override func willRun(_ job: ReadyJob?, before ready: borrowing ReadyQueue) {
    finishStep()
    guard let job else {
      asleep = []
      return
    }
    if isAsleep(job.task) { isRepeated = true }
    step = Footprint(of: job, before: ready, &names)
  }

  override func started(_ task: Int, by starter: Int?) { step?.dependsOnAll = true }

  override func arrived(_ job: inout ReadyJob) { step?.arrived(job, &names) }

  private func isAsleep(_ task: Int) -> Bool { asleep.contains { $0.task == task } }

  /// Wakes the steps that depend on the one that has run.
  private func finishStep() {
    guard let step else { return }
    self.step = nil
    if let picked, !picked.done.contains(where: { $0.task == step.task }) { picked.done.append(step) }
    picked = nil
    asleep.removeAll { !$0.isIndependent(of: step) }
  }
}

/// The objects that a step of a task touched, as far as the scheduler sees it: on them depends which steps could come
/// in another order.
///
/// Two steps of different tasks are independent if they do not run on the same actor, and neither puts a job into a queue
/// that the other one uses. A task on its way from the thread pool comes to an actor at any time, so where only such tasks set
/// out it does not matter which is first. A step after which its task is not ready again has ended it, or waits for
/// something that the scheduler does not see, and depends on all others. So does one that creates a task.
///
/// The scheduler does not see memory. That tasks share none but in actors is for the caller to say.
///
/// Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems" (1996), has the sleep sets that this is for: a
/// step that has been tried at a choice sleeps in the schedules tried there next, until a step comes that depends on it.
struct Footprint {
  let task: Int
  /// The actor that it runs on, those that it puts a job into the queue of, and those that a task sets out for.
  private var runsOn: Int?
  private var enqueuesOn: [Int] = []
  private var approaches: [Int] = []
  private var isReadyAgain = false
  private let hasPriorities: Bool

  /// Whether it is known that no other step could change places with it.
  var dependsOnAll: Bool

  init(of job: borrowing ReadyJob, before ready: borrowing ReadyQueue, _ names: inout ActorNames) {
    task = job.task
    dependsOnAll = job.arrival == .errand
    hasPriorities = ready.hasPriorities
    guard job.target != 0 else { return }
    let actor = names.name(of: job.target)
    runsOn = actor
    // With priorities the jobs in the queue matter when the actor takes its next one.
    if hasPriorities { enqueuesOn.append(actor) }
    // Once the actor runs again, the tasks that have left it have come to their targets.
    for rank in 0..<ready.count where ready[rank].source == job.target && ready[rank].target != 0 {
      enqueuesOn.append(names.name(of: ready[rank].target))
    }
  }

  mutating func arrived(_ job: borrowing ReadyJob, _ names: inout ActorNames) {
    if job.task == task { isReadyAgain = true }
    if job.arrival == .errand { dependsOnAll = true }
    guard job.target != 0 else { return }
    let actor = names.name(of: job.target)
    if job.latest == .max && !hasPriorities { approaches.append(actor) } else { enqueuesOn.append(actor) }
  }

  func isIndependent(of other: Footprint) -> Bool {
    guard task != other.task, isReadyAgain, other.isReadyAgain, !dependsOnAll, !other.dependsOnAll else { return false }
    if let runsOn, runsOn == other.runsOn { return false }
    return !enqueues(onOneOf: other) && !other.enqueues(onOneOf: self)
  }

  private func enqueues(onOneOf other: Footprint) -> Bool {
    enqueuesOn.contains { $0 == other.runsOn || other.enqueuesOn.contains($0) || other.approaches.contains($0) }
  }
}

/// The actors of an execution by the order in which steps touched them: the same numbers in each execution that begins alike.
///
/// Where two steps are the first to touch an actor, one after the other, its number can be another one. But then the number that it
/// had is another new actor's, which a step touches before, and the two depend on each other already.
struct ActorNames {
  private struct Known {
    let address: UInt
    // At the address of an actor that is no more there can be a new one.
    weak var object: AnyObject?
  }

  private var known: [Known] = []

  mutating func name(of address: UInt) -> Int {
    if let name = known.firstIndex(where: { $0.address == address && $0.object != nil }) { return name }
    let object = UnsafeRawPointer(bitPattern: address).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    known.append(Known(address: address, object: object))
    return known.count - 1
  }
}
