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
  private var types: [(type: any Actor.Type, longest: Duration)] = []

  mutating func add(_ actor: some Actor, at executor: UInt, within longest: Duration) {
    actors.removeAll { $0.executor == executor }
    actors.append(Answering(actor: actor, executor: executor, longest: longest))
  }

  mutating func add(_ type: any Actor.Type, within longest: Duration) {
    types.removeAll { $0.type == type }
    types.append((type, longest))
  }

  /// The longest time of an answer from the actor that has an executor; nil for an actor that answers at once.
  func longest(at executor: UInt) -> Duration? {
    // The memory of an actor that is gone may be another one's.
    if let found = actors.first(where: { $0.executor == executor && $0.actor != nil }) { return found.longest }
    guard !types.isEmpty, let type = SchedulerLog.metatype(ofObjectAt: executor) else { return nil }
    return types.first { $0.type == type }?.longest
  }
}

extension Scheduler {
  /// Takes a task that leaves an actor which answers late, for a drawn time; false if the answer comes at once.
  @inline(never)
  func delays(_ task: UnsafeMutableRawPointer, _ number: Int, from source: UInt, to target: napkin_executor) -> Bool {
    guard source != main.identity, let longest = lateAnswers?.longest(at: source),
      let execution = CurrentExecution.explored
    else { return false }
    let name = SchedulerLog.type(ofObjectAt: source) ?? "an actor"
    let time = execution.draw(.latency(within: longest), "the answer of \(name) takes") { "\($0)" }
    guard time > .zero else { return false }
    timers.insert(
      Timer(
        deadline: deadline(after: time), job: task, task: number, target: target.identity,
        implementation: target.implementation, arrival: .hopped))
    return true
  }
}

extension Gen where Value == Duration {
  /// The time that an answer takes: none, or one to four quarters of the longest, so that few draws make every order.
  package static func latency(within longest: Duration) -> Gen<Duration> {
    Gen<Int>.int(in: 0...4).map { longest * $0 / 4 }
  }
}
