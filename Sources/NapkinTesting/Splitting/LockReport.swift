// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCSplitting
internal import NapkinTestingEngine

/// The threads of the simulation that wait for locks, in the order in which they began to.
struct LockReport {
  let waiting: [OpaquePointer]

  /// Whether they wait for locks that they hold themselves, in a circle.
  var isCircle: Bool {
    waiting.contains { start in
      var thread = start
      for _ in 0..<waiting.count {
        guard let holder = napkin_describe_wait(thread).holder, waiting.contains(holder) else { return false }
        thread = holder
        if thread == start { return true }
      }
      return false
    }
  }

  /// Tasks wait for locks, and none can go on.
  func deadlock(_ titles: ((Int) -> String)?) -> Diagnostic {
    let waits = titles.map { titles in waiting.map { Self.words($0, titles) } } ?? []
    // A circle of two or three is a sentence, and more are a list.
    let named = waits.isEmpty || waits.count > 3 ? "" : "\(waits.joined(separator: "; ")): "
    let list = named.isEmpty ? "\nWaiting: \(waits.joined(separator: ";\n  "))." : ""
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
    diagnostic.subject = .locks
    return diagnostic
  }

  /// A task that waits for a lock, with the one that holds it, and the lines where they took it or want it.
  private static func words(_ thread: OpaquePointer, _ titles: (Int) -> String) -> String {
    let wait = napkin_describe_wait(thread)
    let calls = wait.frames.array
    let lock = LockPlace.subject(wait.kind) + LockPlace.name(ofLock: calls)
    let subject = isOfRuntime(calls) ? "a lock of the Swift runtime" : lock
    var text = "\(titles(Int(napkin_thread_task(thread)))) waits for \(subject)\(place(calls))"
    if wait.holder_task >= 0 {
      let since = place(wait.holder_frames.array)
      let isThread = Int(wait.kind) == napkin_waits_for_thread
      let has = since.isEmpty ? "holds" : "has taken\(since)"
      let holder = titles(Int(wait.holder_task))
      text += isThread ? ", which is \(holder)" : ", which \(holder) \(has)"
    } else if wait.is_of_one_task {
      text += ", which no task has taken in this execution"
    }
    return text
  }

  private static func place(_ calls: [UInt]) -> String { LockPlace.words(calls).map { " at \($0)" } ?? "" }

  /// Whether the runtime has called the lock, such as that of a task's status, on behalf of the code under test.
  private static func isOfRuntime(_ calls: [UInt]) -> Bool {
    for address in calls where address != 0 {
      if Symbolicator.place(at: address, isCall: true) != nil { return false }
      if napkin_is_in_runtime(address) { return true }
    }
    return false
  }
}

extension LockPlace {
  /// The place in the code under test of these callers of a lock, in words.
  static func words(_ calls: [UInt]) -> String? { words(Symbolicator.callers(among: calls)) }

  /// The name of the lock in the code that uses it, in brackets; empty where it is not known.
  static func name(ofLock calls: [UInt]) -> String {
    name(Symbolicator.callers(among: calls)).map { " (\($0))" } ?? ""
  }

  /// A lock by its kind, with an article.
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
