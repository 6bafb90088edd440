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

  /// The executor that a task leaves for `target` without anything in between; zero for all others.
  package var source: UInt = 0

  /// A number that the strategy keeps for its own use, such as a priority.
  package var key: UInt64 = 0

  /// How many jobs of the execution became ready before this one: it is in the queue of its target no earlier.
  package var order: Int32 = 0

  /// When it is in the queue of its target at the latest: a task on its way from the thread pool may arrive at any time.
  package var latest: Int32 = 0

  /// How often the job's task was passed over, where that counts; the queue is in the order of the levels then.
  package var level: Int32 = 0

  /// The priority by which the target's queue is sorted before the order of arrival; zero where it is not sorted.
  var priority: UInt8 = 0

  /// Whether it was in the queue of its target when that one was done with another job: no job of a lower priority can have
  /// been taken out before it.
  var isDue = false

  /// How the job gets to run.
  var arrival: Arrival

  /// How a job came to be ready.
  package enum Arrival: UInt8 {
    /// Enqueued by the runtime: it can be run as it is.
    case enqueued
    /// A task parked on its way into `target`: it is enqueued there when it is picked.
    case hopped
    /// A continuation of the same task, as by `Task.yield()`: it asks others to go first.
    case yielded
    /// A job of the runtime that drains an actor, whose queue has more than tasks.
    case errand
    /// The rest of a job that was preempted, or had to wait, in the middle: in place of a job it has its thread.
    case preempted
  }

  @inline(__always)
  package init(
    job: UnsafeMutableRawPointer, task: Int, target: UInt, implementation: UInt, source: UInt = 0, latest: Int32 = 0,
    priority: UInt8 = 0, arrival: Arrival
  ) {
    (self.job, self.task, self.target, self.implementation) = (job, task, target, implementation)
    (self.source, self.latest, self.priority, self.arrival) = (source, latest, priority, arrival)
  }
}

/// The jobs that are ready, in the order in which they became so.
///
/// A job stays where it is put: ranks are an array of places, which a job that is taken out at any rank moves by one, on
/// the shorter side; taking the first costs the same however many wait. The places outside of the ranks are free ones.
/// The memory is managed by hand because this is the innermost loop of a tool that mostly runs in debug builds, where
/// an array's accessors cost more than all of the scheduling.
package struct ReadyQueue: ~Copyable {
  private typealias Place = UnsafeMutablePointer<ReadyJob>

  private var places: UnsafeMutablePointer<Place>
  private var blocks: [Place] = []
  private var capacity = 0
  private var head = 0

  /// How many jobs are ready.
  package private(set) var count = 0

  /// Whether the ranks are in the order of arrival: no job has been put back, nor before others.
  private var isInOrder = true

  /// Whether jobs of different priorities have been on their way to actors.
  var hasPriorities = false

  /// Whether a task sleeps, so that the rank behind all jobs may be picked: time passes, and that task is ready.
  package var hasTimer = false

  package init() {
    places = .allocate(capacity: 32)
    addPlaces(32)
  }

  deinit {
    for block in blocks { block.deallocate() }
    places.deallocate()
  }

  /// The job at a rank in the order of arrival, zero first.
  package subscript(rank: Int) -> ReadyJob {
    unsafeAddress { UnsafePointer(places[head &+ rank]) }
    unsafeMutableAddress { places[head &+ rank] }
  }

  /// Adds a job behind all others, and returns its place until it is taken out.
  @inline(__always)
  package mutating func append(_ job: consuming ReadyJob) -> UnsafeMutablePointer<ReadyJob> {
    if head &+ count == capacity { makeRoom() }
    let place = places[head &+ count]
    place.initialize(to: job)
    count &+= 1
    return place
  }

  /// Adds a job again that was taken out, or kept, after others had arrived.
  package mutating func putBack(_ job: ReadyJob) -> UnsafeMutablePointer<ReadyJob> {
    isInOrder = false
    return append(job)
  }

  /// Moves the last job before those of deeper levels.
  package mutating func settleLast() {
    var index = head &+ count &- 1
    let last = places[index]
    while index > head, places[index &- 1].pointee.level > last.pointee.level {
      isInOrder = false
      places[index] = places[index &- 1]
      index &-= 1
    }
    places[index] = last
  }

  /// Takes out the job at a rank.
  @inline(__always)
  package mutating func remove(at rank: Int) -> ReadyJob {
    let place = places[head &+ rank]
    var index = head &+ rank
    if rank &+ rank < count {
      while index != head {
        places[index] = places[index &- 1]
        index &-= 1
      }
      head &+= 1
    } else {
      let last = head &+ count &- 1
      while index != last {
        places[index] = places[index &+ 1]
        index &+= 1
      }
    }
    places[index] = place
    count &-= 1
    if count == 0 { head = 0 }
    return place.move()
  }

  /// Whether a job is ready already.
  func contains(_ job: UnsafeMutableRawPointer) -> Bool {
    var rank = 0
    while rank < count {
      if self[rank].job == job { return true }
      rank &+= 1
    }
    return false
  }

  /// Slides the ranks back to the front, and doubles the room if they fill half of it.
  private mutating func makeRoom() {
    for rank in 0..<count { swap(&places[rank], &places[head &+ rank]) }
    head = 0
    if count &+ count > capacity {
      places.grow(to: capacity &* 2, keeping: capacity)
      addPlaces(capacity)
    }
  }

  private mutating func addPlaces(_ number: Int) {
    let block = Place.allocate(capacity: number)
    blocks.append(block)
    var index = 0
    while index < number {
      (places + capacity).initialize(to: block + index)
      capacity &+= 1
      index &+= 1
    }
  }
}

extension UnsafeMutablePointer {
  /// Moves the first items to memory with room for more.
  mutating func grow(to capacity: Int, keeping count: Int) {
    let larger = Self.allocate(capacity: capacity)
    larger.moveInitialize(from: self, count: count)
    deallocate()
    self = larger
  }
}

extension ReadyQueue {
  /// The rank of the job that runs if the job at a rank is picked: that one, or one that comes before it in the queue of
  /// their target.
  ///
  /// A queue is in the order of arrival: of an actor for equal priorities, of any other executor for all. A job comes before
  /// another one if it has arrived before that one can have set out, or has left the same executor earlier.
  package func first(insteadOf picked: Int) -> Int {
    let target = self[picked].target
    // The thread pool takes jobs in any order.
    if target == 0 { return picked }
    let rank = hasPriorities ? due(insteadOf: picked) : picked
    let (order, source, priority) = (self[rank].order, self[rank].source, self[rank].priority)
    var first = rank
    var earliest = order
    var other = 0
    let end = isInOrder ? rank : count
    while other < end {
      if self[other].target == target, self[other].order < earliest, self[other].priority >= priority {
        if self[other].latest < order || (source != 0 && self[other].source == source) {
          first = other
          earliest = self[other].order
        }
      }
      other &+= 1
    }
    return first
  }

  /// The rank of the most urgent job that is due on the target of a job, if it is more urgent; else that job's rank.
  private func due(insteadOf rank: Int) -> Int {
    let (target, priority) = (self[rank].target, self[rank].priority)
    var due = rank
    for other in 0..<count where self[other].isDue && self[other].target == target && self[other].priority > priority {
      let isMore = self[other].priority > self[due].priority
      if isMore || (self[other].priority == self[due].priority && self[other].order < self[due].order) { due = other }
    }
    return due
  }

  /// Says that a target is done with a job: the jobs that have arrived in its queue are due.
  mutating func makeDue(on target: UInt) {
    for rank in 0..<count where self[rank].target == target && self[rank].latest != .max { self[rank].isDue = true }
  }

  /// Says that an executor works again: the jobs that have left it are in the queues of their targets by now.
  package mutating func arriveAll(from source: UInt, at time: Int32) {
    var rank = 0
    while rank < count {
      if self[rank].source == source, self[rank].latest == .max { self[rank].latest = time }
      rank &+= 1
    }
  }
}

/// The order that replays and shrinking count ranks in: a task that was passed over stays behind until it is alone.
///
/// In the plain order of arrival, holding one task back takes a deviation at every choice, since the others come back to
/// the queue behind it. In this one it takes a single deviation, as a change point of PCT does: the jobs that a rank
/// passes over take the next level, and a level runs when the levels above it are empty. Zeros are still FIFO order,
/// and every schedule can still be written down.
///
/// A new task joins those passed over last: a task that was preferred once can start ten tasks and go on, for the one
/// deviation that let it go.
struct HeldBack: ~Copyable {
  private var levels: [Int32] = []
  private var deepest: Int32 = 0

  mutating func level(of task: Int) -> Int32 {
    while levels.count <= task { levels.append(deepest) }
    return levels[task]
  }

  /// Puts a task behind all others: it was preempted.
  mutating func holdBack(_ task: Int) {
    _ = level(of: task)
    deepest += 1
    levels[task] = deepest
  }

  /// Puts the jobs before a rank behind all others, each with its task; the job at the rank has been taken out.
  mutating func passOver(_ count: Int, in ready: inout ReadyQueue) {
    guard count > 0 else { return }
    deepest += 1
    for _ in 0..<count {
      var job = ready.remove(at: 0)
      levels[job.task] = deepest
      job.level = deepest
      _ = ready.putBack(job)
    }
  }
}
