// SPDX-License-Identifier: Apache-2.0

/// What a step of a task touched, as far as the scheduler sees it: on it depends which steps could come in another order.
///
/// Two steps of different tasks are independent if they do not run on the same actor, and neither puts a job into a queue
/// that the other one uses. A task on its way from the thread pool comes to an actor at any time, so where only such tasks set
/// out it does not matter which is first. A step after which its task is not ready again has ended it, or waits for
/// something that the scheduler does not see, and depends on all others. So does one that creates a task.
///
/// The scheduler does not see memory. That tasks share none but in actors is for the caller to say.
///
/// Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems" (1996), has the sleep sets that this is for: a
/// step that has been tried at a choice sleeps in what is tried there next, until a step comes that depends on it.
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
    // With priorities it matters what is in the queue when the actor takes its next job.
    if hasPriorities { enqueuesOn.append(actor) }
    // Once the actor runs again, what has left it has come to where it was going.
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
