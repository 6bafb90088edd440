// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Looks in one execution whether an actor answers calls in another order than that in which they were made.
///
/// A call begins where a task enters an actor from another one, and is answered where the task is back on that one. The
/// queues of both keep the order of arrival, so an actor that awaits nothing never answers calls of one caller in another
/// order, and no schedule shows the effect of an answer that overtakes another.
///
/// Two calls count where the second one could have been made without the answer to the first: no task that has the answer
/// started or resumed the one that makes the call, directly or through others.
struct AnswerOrder {
  private struct Call {
    let pair: Int
    let number: Int
    /// The earlier calls of the pair whose answers its task had not learned of, as bits.
    let unknown: UInt64
  }

  /// The calls from one actor to another.
  private struct Pair {
    let caller: UInt
    let callee: UInt
    let type: any Actor.Type
    var made: UInt64 = 0
    var answered: UInt64 = 0
    var lastAnswered = -1
    var isInOrder = false
    var isOutOfOrder = false
  }

  private var pairs: [Pair] = []
  private var calls = 0
  private var places: [Int: UInt] = [:]
  private var open: [Int: [Call]] = [:]
  private let main: UInt

  // The answers that each task has learned of, as bits, and the task whose step it is.
  private var known: [Int: UInt64] = [:]
  private var running = -1

  // The calls of an execution that are looked at.
  private static let most = UInt64.bitWidth

  init(main: UInt) { self.main = main }

  /// Takes note of the step of a task, and of where that is; zero is no actor, nil where the task was before.
  mutating func begins(_ task: Int, on place: UInt?, isLate: (UInt) -> Bool) {
    running = task
    guard let place, let before = places.updateValue(place, forKey: task), before != place else { return }
    if let index = open[task]?.lastIndex(where: { pairs[$0.pair].caller == place }) {
      answer(open[task]![index], to: task)
      // Inner calls did not come back to where they were made.
      open[task]!.removeSubrange(index...)
    } else if before != 0, place != 0, place != main, calls < Self.most, let pair = pair(before, place) {
      if isLate(place) { pairs[pair].isOutOfOrder = true }
      open[task, default: []].append(
        Call(pair: pair, number: calls, unknown: pairs[pair].made & ~known[task, default: 0]))
      pairs[pair].made |= 1 << UInt64(calls)
      calls += 1
    }
  }

  private mutating func answer(_ call: Call, to task: Int) {
    known[task, default: 0] |= 1 << UInt64(call.number)
    if call.unknown & pairs[call.pair].answered != 0 { pairs[call.pair].isInOrder = true }
    if call.number < pairs[call.pair].lastAnswered { pairs[call.pair].isOutOfOrder = true }
    pairs[call.pair].answered |= 1 << UInt64(call.number)
    pairs[call.pair].lastAnswered = max(pairs[call.pair].lastAnswered, call.number)
  }

  /// Takes note that a task has become ready, by the step that runs if there is one.
  mutating func arrives(_ task: Int) {
    guard running >= 0, running != task else { return }
    let learned = open[running, default: []].reduce(known[running, default: 0]) { $0 | 1 << UInt64($1.number) }
    if learned != 0 { known[task, default: 0] |= learned }
  }

  /// Takes note that the next jobs become ready by themselves: time passes, or all tasks have come to rest.
  mutating func goesOnByItself() { running = -1 }

  /// The number of the pair; nil where no actor of the test's own is called.
  private mutating func pair(_ caller: UInt, _ callee: UInt) -> Int? {
    guard let type = SchedulerLog.metatype(ofObjectAt: callee) as? any Actor.Type, !(type is any GlobalActor.Type)
    else { return nil }
    // The memory of an actor that is gone may be another one's.
    if let known = pairs.firstIndex(where: { $0.caller == caller && $0.callee == callee && $0.type == type }) {
      return known
    }
    pairs.append(Pair(caller: caller, callee: callee, type: type))
    return pairs.count - 1
  }

  /// The types of the actors that answered several tasks, and call no other actor: in order, and out of it.
  var result: AnswerTally {
    var tally = AnswerTally()
    for pair in pairs where pair.isInOrder || pair.isOutOfOrder {
      if pairs.contains(where: { $0.caller == pair.callee }) { continue }
      tally.add(Self.name(of: pair.type), isInOrder: !pair.isOutOfOrder)
    }
    return tally
  }

  /// The name with its module, and without the address that stands for a private context.
  private static func name(of type: any Actor.Type) -> String {
    String(reflecting: type).split(separator: ".").filter { !$0.hasPrefix("(unknown context") }.joined(separator: ".")
  }
}

extension Scheduler {
  func noteAnswer(_ job: borrowing ReadyJob) {
    let place =
      switch job.arrival {
      case .enqueued, .hopped: job.target
      case .yielded, .errand, .preempted: UInt?.none
      }
    answers?.begins(job.task, on: place) { lateAnswers?.longest(at: $0) != nil }
  }
}

/// The types of actors that answered several tasks, by whether they kept the order.
struct AnswerTally: Codable, Sendable {
  /// In order in some execution.
  private(set) var inOrder: [String] = []
  /// Out of order in some execution, or held back by the test.
  private(set) var outOfOrder: [String] = []
  /// The calls that were awaited, by the place at which the caller goes on.
  private(set) var awaits: [UInt64: AwaitedCall] = [:]

  mutating func add(_ calls: [AwaitedCall]) {
    for call in calls { awaits[call.resumption, default: call].add(call) }
  }

  mutating func add(_ name: String, isInOrder: Bool) {
    let types = isInOrder ? \Self.inOrder : \Self.outOfOrder
    if !self[keyPath: types].contains(name) { self[keyPath: types].append(name) }
  }

  mutating func add(_ other: AnswerTally) {
    for name in other.inOrder { add(name, isInOrder: true) }
    for name in other.outOfOrder { add(name, isInOrder: false) }
  }

  /// The types whose actors always kept the order, in that in which they were met.
  var alwaysInOrder: [String] { inOrder.filter { !outOfOrder.contains($0) } }
}

/// Decides in which executions the order of answers is looked at, which makes a step dearer by a tenth, and awaited calls are.
///
/// A pass names no actor while many further schedules are new. So the order is looked at once schedules repeat: after 32
/// executions, or after 512, of which a quarter had a schedule of another one. It is looked at from the first execution on where
/// all schedules are run, and to the end where an actor is a candidate.
struct AnswerWatch {
  private var executions = 0
  private var looked = 0
  // A bit for each hash of a schedule, of which few share one.
  private var schedules = [UInt64](repeating: 0, count: 64)
  private var distinct = 0
  private var seen = AnswerTally()

  // The executions after which an exploration that has none is left alone.
  private static let most = 32

  /// Whether awaited calls are looked at: in the first executions, and seldom in later ones.
  var looksAtAwaits: Bool { executions < Self.most || executions % Self.most == 0 }

  mutating func isOn(isExhaustive: Bool) -> Bool {
    if !seen.alwaysInOrder.isEmpty { return true }
    if isExhaustive { return executions < Self.most }
    if executions == Self.most || executions == 16 * Self.most, distinct * 4 <= executions * 3 {
      looked = Self.most
    }
    return looked > 0
  }

  mutating func add(_ answers: AnswerTally?, schedule: UInt64) {
    executions += 1
    if executions <= 16 * Self.most {
      let (word, bit) = (Int(schedule >> 58), UInt64(1) << (schedule >> 52 & 63))
      if schedules[word] & bit == 0 { distinct += 1 }
      schedules[word] |= bit
    }
    guard let answers else { return }
    looked -= 1
    seen.add(answers)
  }
}

/// An awaited call, by addresses that are counted from one of the program's: they hold in each of its processes.
struct AwaitedCall: Codable, Sendable, Equatable {
  /// The address at which the caller goes on.
  let resumption: UInt64
  /// The function that was called, and the place at which the caller of the caller goes on; zero where that is not known.
  private(set) var callee: UInt64
  private(set) var outer: UInt64
  /// Whether a task has suspended in the call.
  private(set) var hasSuspended: Bool

  fileprivate init(_ call: napkin_await) {
    func relative(_ address: UInt) -> UInt64 { address == 0 ? 0 : UInt64(address &- napkin_image_anchor()) }
    (resumption, callee, outer) = (relative(call.resumption), relative(call.callee), relative(call.outer))
    hasSuspended = call.has_suspended
  }

  /// The address in this process; zero where it is not known.
  static func address(_ relative: UInt64) -> UInt { relative == 0 ? 0 : UInt(relative) &+ napkin_image_anchor() }

  fileprivate mutating func add(_ other: AwaitedCall) {
    if callee == 0 { callee = other.callee }
    if outer == 0 { outer = other.outer }
    if other.hasSuspended { hasSuspended = true }
  }
}

/// The calls that the executions of an exploration have awaited, of which C code takes note.
final class AwaitTable {
  let inC = napkin_make_awaits()
  // The tasks that yield, by their numbers, since the job which says so is another one.
  @exclusivity(unchecked) private var yielding: [UnsafeMutableRawPointer?] = []

  deinit { free(UnsafeMutableRawPointer(inC)) }

  /// Takes note that the current task yields.
  func yields(_ number: Int) {
    if number >= yielding.count { yielding += repeatElement(nil, count: number + 1 - yielding.count) }
    yielding[number] = napkin_current_task()
  }

  /// Takes note of the calls that the task of a job waits in, which goes on.
  func begins(_ job: borrowing ReadyJob) {
    let task: UnsafeMutableRawPointer? =
      switch job.arrival {
      case .enqueued: napkin_job_kind(job.job) == UInt32(napkin_job_task) ? job.job : nil
      case .hopped: job.job
      case .yielded: job.task < yielding.count ? yielding[job.task] : nil
      case .errand, .preempted: nil
      }
    if let task { napkin_note_suspended(inC, task) }
  }

  /// The calls of which something is new, after an execution.
  ///
  /// Where no other task was ready, none could have gone first; the calls stay new until one is.
  static func take(after scheduler: Scheduler) -> [AwaitedCall] {
    let most = 1_024
    guard let table = scheduler.inC.pointee.awaits, scheduler.picks != 0, napkin_has_news(table) else { return [] }
    return [napkin_await](unsafeUninitializedCapacity: most) { calls, count in
      count = napkin_take_awaits(table, calls.baseAddress!, most)
    }.map(AwaitedCall.init)
  }
}
