// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

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
      var text = "\(title(of: thread)) waits for \(subject)\(Self.place(calls))"
      if let holder = wait.holder {
        let since = Self.place(wait.holder_frames.array)
        let isThread = Int(wait.kind) == napkin_waits_for_thread
        let has = since.isEmpty ? "holds" : "has taken\(since)"
        text += isThread ? ", which is \(title(of: holder))" : ", which \(title(of: holder)) \(has)"
      }
      return text
    }
  }

  private func title(of thread: OpaquePointer) -> String {
    let task = Int(napkin_thread_task(thread))
    return log?.log.title(ofTask: task) ?? "task \(task)"
  }

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
    var diagnostic = Diagnostic(
      .deadlock,
      """
      Deadlock: tasks wait in the middle of their steps for locks or signals, and no task can go on.
      Waiting: \(waiting.joined(separator: ";\n  ")).
      """,
      likelyCause: """
        two tasks take the same locks in different orders, a task waits for another one while it holds a lock that this \
        one needs, or a signal comes before it is waited for.
        """,
      suggestion: """
        take the locks in one order everywhere, or have one lock in place of two; call nothing that takes another lock \
        while one is held.
        """)
    diagnostic.subject = "locks"
    return diagnostic
  }
}
