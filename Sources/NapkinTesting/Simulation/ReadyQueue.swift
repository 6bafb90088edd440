// SPDX-License-Identifier: Apache-2.0

/// A job that could run next.
package struct ReadyJob {
  /// The runtime's job: a task, or an errand of the runtime such as draining an actor.
  var job: UnsafeMutableRawPointer

  /// The number of the task behind the job, counted from zero in the order of first appearance.
  package var task: Int

  /// The identity of the actor that the job runs on; zero is the global executor.
  package var target: UInt

  /// The implementation that goes with `target` in the runtime's reference to an executor.
  var implementation: UInt

  /// How the job gets to run.
  var arrival: Arrival

  /// The actor that a task leaves for `target` without anything in between; zero for all others.
  var source: UInt = 0

  /// A number that the strategy keeps for its own use, such as a priority.
  package var key: UInt64 = 0

  /// How many jobs of the execution became ready before this one.
  var order = 0

  /// How often the job's task was passed over, where that counts; the queue is in the order of the levels then.
  var level = 0

  /// How a job came to be ready.
  package enum Arrival: UInt8 {
    /// Enqueued by the runtime: it can be run as it is.
    case enqueued
    /// A task parked on its way into `target`: it is enqueued there when its turn comes.
    case hopped
    /// A continuation of the same task, as by `Task.yield()`: it asks others to go first.
    case yielded
  }
}

/// The jobs that are ready, in the order in which they became so.
///
/// A job is taken out at any rank, which moves the shorter side by one; taking the first costs the same however many wait.
/// The memory is managed by hand because this is the innermost loop of a tool that mostly runs in debug builds, where
/// an array's accessors cost more than all of the scheduling.
package struct ReadyQueue: ~Copyable {
  private var storage: UnsafeMutablePointer<ReadyJob>
  private var capacity: Int
  private var head = 0

  /// How many jobs are ready.
  package private(set) var count = 0

  init() {
    capacity = 64
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// The job at a rank in the order of arrival, zero first.
  package subscript(rank: Int) -> ReadyJob {
    unsafeAddress { UnsafePointer(storage + (head &+ rank)) }
    unsafeMutableAddress { storage + (head &+ rank) }
  }

  /// Adds a job behind all others, and returns where it stands until the queue changes.
  @inline(__always)
  mutating func append(_ job: consuming ReadyJob) -> UnsafeMutablePointer<ReadyJob> {
    if head &+ count == capacity { makeRoom() }
    let place = storage + (head &+ count)
    place.initialize(to: job)
    count &+= 1
    return place
  }

  /// Moves the last job before those of deeper levels.
  mutating func settleLast() {
    var rank = count &- 1
    let job = self[rank]
    while rank > 0, self[rank &- 1].level > job.level {
      self[rank] = self[rank &- 1]
      rank &-= 1
    }
    self[rank] = job
  }

  mutating func remove(at rank: Int) -> ReadyJob {
    let removed = (storage + (head &+ rank)).move()
    if rank &+ rank < count {
      if rank != 0 { (storage + (head &+ 1)).moveInitialize(from: storage + head, count: rank) }
      head &+= 1
    } else {
      let behind = count &- rank &- 1
      if behind != 0 {
        (storage + (head &+ rank)).moveInitialize(from: storage + (head &+ rank &+ 1), count: behind)
      }
    }
    count &-= 1
    if count == 0 { head = 0 }
    return removed
  }

  /// Slides the jobs back to the front, and doubles the room if they fill half of it.
  private mutating func makeRoom() {
    if count &+ count > capacity {
      let larger = UnsafeMutablePointer<ReadyJob>.allocate(capacity: capacity &* 2)
      larger.moveInitialize(from: storage + head, count: count)
      storage.deallocate()
      storage = larger
      capacity &*= 2
    } else {
      storage.moveInitialize(from: storage + head, count: count)
    }
    head = 0
  }
}
