// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// The actors of an execution that answer late, each with the longest time that an answer takes.
///
/// It keeps no actor alive, since a test may look whether its fakes are released.
struct LateAnswers {
  private struct Answering {
    weak var actor: (any Actor)?
    let executor: UInt
    let longest: Duration
  }

  private var actors: [Answering] = []
  private var types: [(type: any Actor.Type, longest: Duration, isMet: Bool)] = []
  // The times that the answers take to the tasks which are with such an actor.
  private var answers: [Int: Duration] = [:]

  mutating func add(_ actor: some Actor, at executor: UInt, within longest: Duration) {
    actors.removeAll { $0.executor == executor }
    actors.append(Answering(actor: actor, executor: executor, longest: longest))
  }

  mutating func add(_ type: any Actor.Type, within longest: Duration) {
    types.removeAll { $0.type == type }
    types.append((type, longest, false))
  }

  /// The longest time of an answer from the actor that has an executor; nil for an actor that answers at once.
  func longest(at executor: UInt) -> Duration? {
    // The memory of an actor that is gone may be another one's.
    if let found = actors.first(where: { $0.executor == executor && $0.actor != nil }) { return found.longest }
    return typeIndex(at: executor).map { types[$0].longest }
  }

  private func typeIndex(at executor: UInt) -> Int? {
    guard !types.isEmpty, executor != 0, let type = SchedulerLog.metatype(ofObjectAt: executor) else { return nil }
    return types.firstIndex { $0.type == type }
  }

  /// The time after which a task gets from one executor to another.
  mutating func time(of task: Int, from source: UInt, to target: UInt, draw: (Duration, UInt) -> Latency) -> Duration {
    var time = Duration.zero
    if let longest = longest(at: source) { time += answers.removeValue(forKey: task) ?? draw(longest, source).back }
    if let longest = longest(at: target) {
      let latency = draw(longest, target)
      answers[task] = latency.back
      time += latency.there
      if let index = typeIndex(at: target) { types[index].isMet = true }
    }
    return time
  }

  /// The types of which no actor was called.
  var unmet: [any Actor.Type] { types.filter { !$0.isMet }.map(\.type) }
}

extension Scheduler {
  /// Takes a task that calls an actor which answers late, or leaves it, for a drawn time; false if it is there at once.
  @inline(never)
  func delays(_ task: UnsafeMutableRawPointer, _ number: Int, from source: UInt, to target: napkin_executor) -> Bool {
    guard let execution = CurrentExecution.explored else { return false }
    // The main actor never answers late, and its executor may be no object.
    let (from, to) = (
      source == main.identity ? 0 : source, target.identity == main.identity ? 0 : target.identity
    )
    let time = lateAnswers?.time(of: number, from: from, to: to) { longest, actor in
      let name = SchedulerLog.type(ofObjectAt: actor) ?? "an actor"
      return execution.draw(.latency(within: longest), "a call of \(name) takes") { "\($0)" }
    }
    guard let time, time > .zero else { return false }
    timers.insert(
      Timer(
        deadline: deadline(after: time), job: task, task: number, target: target.identity,
        implementation: target.implementation, arrival: .hopped))
    return true
  }
}

/// The times that a request and its answer take.
package struct Latency: Sendable, CustomStringConvertible {
  package let there: Duration
  package let back: Duration
  package var description: String { "\(there) there, \(back) back" }
}

extension Gen where Value == Latency {
  /// No time, or one to four quarters of the longest in all, so that few draws make every order.
  ///
  /// The simplest latencies are those of an answer alone, then those of a request alone.
  package static func latency(within longest: Duration) -> Gen<Latency> {
    let quarters =
      [(0, 0)] + (1...4).map { (0, $0) } + (1...4).map { ($0, 0) } + [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1)]
    // No time has a share of its own, as often as a request that is late.
    return Gen<Int>.int(in: 0...quarters.count + 2).map { index in
      let (there, back) = index < quarters.count ? quarters[index] : (0, 0)
      return Latency(there: longest * there / 4, back: longest * back / 4)
    }
  }
}
