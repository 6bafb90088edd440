// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCSplitting
internal import NapkinTestingEngine

/// The first data race of an execution: two accesses in words, and the locks that each task held.
struct RaceReport {
  private let race: napkin_race
  private let titles: (Int) -> String

  /// Nil where no race was found.
  init?(_ accesses: OpaquePointer, _ titles: @escaping (Int) -> String) {
    guard let race = napkin_race_of(accesses)?.pointee else { return nil }
    (self.race, self.titles) = (race, titles)
  }

  var diagnostic: Diagnostic {
    // Two locks that were taken on one line are two all the same.
    let first = Self.locks(of: race.first)
    let second = Self.locks(of: race.second).map { lock in
      let isAnother = first.contains { $0.text == lock.text && $0.address != lock.address }
      return (isAnother ? "another " : "the ") + lock.text
    }
    var diagnostic = Diagnostic(
      .dataRace,
      """
      Data race: \(words(race.first, first.map { "the \($0.text)" })); \(words(race.second, second)); \
      and nothing orders the two accesses to the same memory.
      """,
      likelyCause: "state that several tasks share is neither on an actor, nor kept by one lock at each access.",
      suggestion: """
        keep the state in an actor or a Mutex; a publication by an atomic needs .releasing where it is stored and \
        .acquiring where it is loaded.
        """)
    let callers = [race.first.caller, race.second.caller]
    diagnostic.subject = .race(callers: callers.sorted())
    return diagnostic
  }

  private func words(_ access: napkin_race_access, _ locks: [String]) -> String {
    let task = titles(Int(access.task))
    let verb = (access.writes ? "writes" : "reads") + (access.is_atomic ? " atomically" : "")
    let calls = access.trace.frames.array
    let own = calls.first.flatMap { Symbolicator.place(ofAccess: $0) }
    guard let place = (own ?? Symbolicator.caller(among: calls))?.located() else { return "\(task) \(verb)" }
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
        let place = LockPlace.words(calls).map { " taken at \($0)" } ?? ""
        // Without its article.
        let kind = LockPlace.subject(lock.kind).dropFirst(2)
        return (lock.address, kind + LockPlace.name(ofLock: calls) + place)
      }
    }
  }
}

extension Diagnostic {
  /// Races may have gone unseen in the rest of an execution; nil where they were looked for to its end.
  static func unseenRaces(among accesses: OpaquePointer) -> Diagnostic? {
    let reason: String
    switch Int(napkin_why_no_races(accesses)) {
    case napkin_races_too_many_tasks: reason = "it has more than 4,096 tasks"
    case napkin_races_too_many_locks: reason = "it has too many locks, atomics and other things that order its tasks"
    case napkin_races_too_many_words: reason = "it touches more than 12 MB"
    case napkin_races_left_to_others: reason = "it has left work to a thread or a queue that is not controlled"
    case napkin_races_not_heard: reason = "Swift's runtime does not say what it orders"
    default: return nil
    }
    return Diagnostic(
      warning: .racesUnseen,
      "No data race was looked for in the rest of an execution, since \(reason).",
      likelyCause: "the body is larger than what a data race takes, or uses something outside Swift Concurrency.",
      suggestion: "explore a smaller body for data races; splitting steps goes on as before.")
  }

  /// The locks of the program are not seen.
  static let unseenMutexes = Diagnostic(
    warning: .racesUnseen,
    "No data race was looked for, since Mutex is compiled without the flags into a part of this program.",
    likelyCause: "the flags are settings of some targets, and other modules are compiled without them.",
    suggestion: "give the flags on the command line, which compiles all of the program with them.")
}
