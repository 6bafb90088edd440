// SPDX-License-Identifier: Apache-2.0
import Synchronization
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The threads that make shared instances, and those that wait for one: one record for the process, since a cycle
/// may run through several components and several threads.
///
/// A thread records the slot that it wants before it waits, and the slot that it makes before it runs the factory. So the
/// thread that closes a cycle sees all of it.
enum SharedInstanceCycles {
  fileprivate struct State {
    /// The innermost slot that each thread is making; the others follow by `outer`.
    var innermost: [ThreadIdentity: SharedSlot] = [:]
    var wanted: [ThreadIdentity: SharedSlot] = [:]
  }

  private static let state = Mutex(State())

  /// Announces that this thread is about to wait for a slot, and stops the process if that would be for ever.
  static func wait(for slot: SharedSlot) {
    let thread = ThreadIdentity.current
    let cycle = state.withLock { state in
      state.wanted[thread] = slot
      return state.cycle(closedBy: thread, wanting: slot)
    }
    guard let cycle else { return }
    let path = (cycle + [slot]).map { "\($0.owner).\($0.property)" }
    Misuse.stop(
      rule: "D2",
      message: """
        \(path[0]) needs itself: \(path.joined(separator: " → ")). Each of these factories waits for the next one, on \
        one thread or on several. Let one of them take what it needs later, or let both depend on a third.
        """
    )
  }

  /// Announces that this thread no longer waits, since another one has made the instance meanwhile.
  static func stopWaiting() {
    state.withLock { $0.wanted[.current] = nil }
  }

  /// Announces that this thread waits no longer and runs the factory.
  static func begin(_ slot: SharedSlot) {
    let thread = ThreadIdentity.current
    state.withLock { state in
      state.wanted[thread] = nil
      slot.maker = thread
      slot.outer = state.innermost.updateValue(slot, forKey: thread)
    }
  }

  /// Announces that the factory has returned.
  static func end(_ slot: SharedSlot) {
    state.withLock { state in
      state.innermost[.current] = slot.outer
      slot.maker = nil
      slot.outer = nil
    }
  }
}

extension SharedInstanceCycles.State {
  /// The slots from the wanted one back to this thread, if each thread on the way waits for the next.
  fileprivate func cycle(closedBy thread: ThreadIdentity, wanting slot: SharedSlot) -> [SharedSlot]? {
    var path: [SharedSlot] = []
    var next = slot
    // Each step leads to another thread, unless there is a cycle without this one, which its own threads report.
    for _ in 0...innermost.count {
      guard let maker = next.maker else { return nil }
      path += factories(of: maker, from: next)
      if maker == thread { return path }
      guard let wanted = wanted[maker] else { return nil }
      next = wanted
    }
    return nil
  }

  /// The instances that a thread is making, from a slot inwards.
  private func factories(of thread: ThreadIdentity, from slot: SharedSlot) -> [SharedSlot] {
    var stack: [SharedSlot] = []
    var next = innermost[thread]
    while let inner = next, inner !== slot {
      stack.append(inner)
      next = inner.outer
    }
    return [slot] + stack.reversed()
  }
}

/// The identity of a thread, unique while the thread lives.
///
/// The task will not do for this: a factory that starts a task hands its task-locals on, and that task runs elsewhere.
struct ThreadIdentity: Hashable, Sendable {
  private let handle: UInt

  /// The calling thread.
  static var current: ThreadIdentity {
    // An integer in glibc, a pointer or a signed integer elsewhere.
    #if canImport(Glibc)
    ThreadIdentity(handle: UInt(pthread_self()))
    #else
    ThreadIdentity(handle: UInt(bitPattern: pthread_self()))
    #endif
  }
}
