// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

extension Scheduler {
  /// The first data race of the execution; nil if there was none.
  func takeRace() -> Diagnostic? {
    guard let split else { return nil }
    warnOfUnseenRaces(split)
    guard let race = napkin_race_of(split.counts)?.pointee else { return nil }
    // Two locks that were taken on one line are two all the same.
    let first = Self.locks(of: race.first)
    let second = Self.locks(of: race.second).map { lock in
      let isAnother = first.contains { $0.text == lock.text && $0.address != lock.address }
      return (isAnother ? "another " : "the ") + lock.text
    }
    return .dataRace(
      words(race.first, first.map { "the \($0.text)" }), words(race.second, second),
      at: [race.first.caller, race.second.caller])
  }

  private func words(_ access: napkin_race_access, _ locks: [String]) -> String {
    let task = log?.log.title(ofTask: Int(access.task)) ?? "task \(access.task)"
    let verb = (access.writes ? "writes" : "reads") + (access.is_atomic ? " atomically" : "")
    guard let place = Symbolicator.caller(among: access.trace.frames.array)?.located() else { return "\(task) \(verb)" }
    var held = locks
    let rest = Int(access.trace.lock_count) - locks.count
    if rest > 0 { held.append("\(rest) more") }
    let last = held.popLast() ?? "no lock"
    let all = held.isEmpty ? last : "\(held.joined(separator: ", ")) and \(last)"
    return "\(task) \(verb) at \(place), with \(all)"
  }

  /// The locks that a task held at an access, in the order in which it took them.
  private static func locks(of access: napkin_race_access) -> [(address: UInt, text: String)] {
    withUnsafeBytes(of: access.trace.locks) { locks in
      locks.bindMemory(to: napkin_held_lock.self).prefix(Int(access.trace.lock_count)).map { lock in
        let calls = lock.frames.array
        let place = lockPlace(calls).map { " taken at \($0)" } ?? ""
        // Without its article.
        return (lock.address, String(subject(lock.kind).dropFirst(2)) + lockName(calls) + place)
      }
    }
  }

  /// Says that races may have gone unseen.
  private func warnOfUnseenRaces(_ split: SplitSteps) {
    guard SplitSteps.seesMutexes else { return warn(.unseenMutexes) }
    let reason: String
    switch Int(napkin_why_no_races(split.counts)) {
    case napkin_races_too_many_tasks: reason = "it has more than 4,096 tasks"
    case napkin_races_too_many_locks: reason = "it has too many locks, atomics and other things that order its tasks"
    case napkin_races_too_many_words: reason = "it touches more than 12 MB"
    case napkin_races_left_to_others: reason = "it has left work to a thread or a queue that is not controlled"
    case napkin_races_not_heard: reason = "Swift's runtime does not say what it orders"
    default: return
    }
    warn(
      Diagnostic(
        warning: "races unseen",
        "No data race was looked for in the rest of an execution, since \(reason).",
        likelyCause: "the body is larger than what a data race takes, or uses something outside Swift Concurrency.",
        suggestion: "explore a smaller body for data races; splitting steps goes on as before."))
  }
}

extension Diagnostic {
  /// The locks of the program are not seen.
  fileprivate static let unseenMutexes = Diagnostic(
    warning: "races unseen",
    "No data race was looked for, since Mutex is compiled without the flags into a part of this program.",
    likelyCause: "the flags are settings of some targets, and other modules are compiled without them.",
    suggestion: "give the flags on the command line, which compiles all of the program with them.")
}

extension Diagnostic {
  /// Two accesses that nothing orders, each in words, and the code that makes them.
  static func dataRace(_ first: String, _ second: String, at callers: [UInt]) -> Diagnostic {
    var diagnostic = Diagnostic(
      .dataRace,
      """
      Data race: two tasks access the same memory, and nothing orders the two accesses.
      Accesses: \(first);
        \(second).
      """,
      likelyCause: "state that several tasks share is neither on an actor, nor kept by one lock at each access.",
      suggestion: """
        keep the state in an actor or a Mutex; a publication by an atomic needs .releasing where it is stored and \
        .acquiring where it is loaded.
        """)
    diagnostic.subject = callers.sorted().map { String($0, radix: 16) }.joined(separator: "-")
    return diagnostic
  }
}
