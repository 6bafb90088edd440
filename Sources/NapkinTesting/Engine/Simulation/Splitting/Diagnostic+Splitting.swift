// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

extension Scheduler {
  /// The first data race of the execution; nil if there was none.
  func takeRace() -> Diagnostic? {
    guard let split, Instrumentation.splitsSteps else { return nil }
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
      Data race: \(first); \(second); and nothing orders the two accesses to the same memory.
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

extension Scheduler {
  /// Whether threads of the simulation wait for locks that they hold themselves, in a circle.
  var isInLockCycle: Bool {
    guard let split else { return false }
    return split.waiting.contains { start in
      var thread = start
      for _ in 0..<split.waiting.count {
        guard let holder = napkin_describe_wait(thread).holder, split.waiting.contains(holder) else { return false }
        thread = holder
        if thread == start { return true }
      }
      return false
    }
  }

  /// The tasks that wait for a lock, each with the one that holds it, and the lines where they took it or want it.
  var lockWaits: [String] {
    (split?.waiting ?? []).map { thread in
      let wait = napkin_describe_wait(thread)
      let calls = wait.frames.array
      let subject =
        Self.isOfRuntime(calls) ? "a lock of the Swift runtime" : Self.subject(wait.kind) + Self.lockName(calls)
      var text = "\(title(ofTask: Int(napkin_thread_task(thread)))) waits for \(subject)\(Self.place(calls))"
      if wait.holder_task >= 0 {
        let since = Self.place(wait.holder_frames.array)
        let isThread = Int(wait.kind) == napkin_waits_for_thread
        let has = since.isEmpty ? "holds" : "has taken\(since)"
        let holder = title(ofTask: Int(wait.holder_task))
        text += isThread ? ", which is \(holder)" : ", which \(holder) \(has)"
      } else if wait.is_of_one_task {
        text += ", which no task has taken in this execution"
      }
      return text
    }
  }

  private func title(ofTask task: Int) -> String { log?.log.title(ofTask: task) ?? "task \(task)" }

  private static func place(_ calls: [UInt]) -> String { lockPlace(calls).map { " at \($0)" } ?? "" }

  /// The place in the code under test of these callers of a lock, in words.
  static func lockPlace(_ calls: [UInt]) -> String? { LockPlace.words(Symbolicator.callers(among: calls)) }

  /// The name of the lock in the code that uses it, in brackets; empty where it is not known.
  static func lockName(_ calls: [UInt]) -> String {
    LockPlace.name(Symbolicator.callers(among: calls)).map { " (\($0))" } ?? ""
  }

  /// Whether the runtime has called the lock, such as that of a task's status, on behalf of the code under test.
  private static func isOfRuntime(_ calls: [UInt]) -> Bool {
    for address in calls where address != 0 {
      if Symbolicator.place(at: address, isCall: true) != nil { return false }
      if napkin_is_in_runtime(address) { return true }
    }
    return false
  }

  static func subject(_ kind: Int32) -> String {
    switch Int(kind) {
    case napkin_waits_for_mutex: "a Mutex"
    case napkin_waits_for_pthread_mutex, napkin_waits_for_spin_lock: "a lock"
    case napkin_waits_for_condition: "a condition"
    case napkin_waits_for_semaphore: "a semaphore"
    case napkin_waits_for_rwlock: "a read-write lock"
    case napkin_waits_for_once: "a lazy global"
    case napkin_waits_for_file: "a stream's lock"
    case napkin_waits_for_time: "a time"
    case napkin_waits_for_queue: "a dispatch queue"
    case napkin_waits_for_thread: "the end of a thread"
    default: "a dispatch queue, a group or an event"
    }
  }
}

extension napkin_frames {
  var array: [UInt] { withUnsafeBytes(of: addresses) { Array($0.bindMemory(to: UInt.self).prefix(count)) } }
}

extension Diagnostic {
  /// Tasks wait for locks, and none can go on.
  static func lockDeadlock(waiting: [String]) -> Diagnostic {
    // A circle of two or three is a sentence, and more are a list.
    let named = waiting.isEmpty || waiting.count > 3 ? "" : "\(waiting.joined(separator: "; ")): "
    let list = named.isEmpty ? "\nWaiting: \(waiting.joined(separator: ";\n  "))." : ""
    var diagnostic = Diagnostic(
      .deadlock,
      "Deadlock: \(named)tasks wait in the middle of their steps for locks or signals, and no task can go on.\(list)",
      likelyCause: """
        two tasks take the same locks in different orders, a task waits for another one while it holds a lock that this \
        one needs, or a signal comes before it is waited for.
        """,
      suggestion: """
        take the locks in one order everywhere, or have one lock in place of two; call nothing that takes another lock \
        while one is held.
        """)
    diagnostic.subject = Diagnostic.aboutLocks
    return diagnostic
  }
}

extension Diagnostic {
  /// A replay met a lock.
  static let lostStop = Diagnostic(
    warning: "lost stop",
    "A step that was stopped at a call had a lock that another task wants, so this execution says nothing.",
    likelyCause: "the code has another lock at that call than where the token was recorded.",
    suggestion: "explore it again without the token.")

  static let stopsNoMore = Diagnostic(
    warning: "stops no more",
    "No step is stopped at its calls any more, since 200 that were had a lock that another task wants.",
    likelyCause: "the code starts, resumes or cancels tasks under locks, at many lines.",
    suggestion: "do so after the lock is given back, or split steps, where locks are seen.")
}
