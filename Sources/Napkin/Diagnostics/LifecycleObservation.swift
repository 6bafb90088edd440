// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Observes the lifecycle events of the whole process, such as a test kit's monitors do.
package protocol LifecycleObserver: AnyObject, Sendable {
  /// Called for each event on the thread where it happens, never under a lock; it must not block.
  func lifecycle(_ event: LifecycleEvent)

  /// Returns whether it handles a misuse, which then does not stop a debug build.
  func misuse(_ misuse: Misuse) -> Bool
}

extension LifecycleObserver {
  package func misuse(_ misuse: Misuse) -> Bool { false }
}

/// The observers of the process; while there are none, an event costs one relaxed load.
package enum LifecycleObservation {
  private static let count = Atomic<Int>(0)
  private static let observers = Mutex<[any LifecycleObserver]>([])

  /// Adds an observer, which receives every later event after the observers that were added before it.
  package static func add(_ observer: any LifecycleObserver) {
    observers.withLock {
      $0.append(observer)
      count.store($0.count, ordering: .relaxed)
    }
  }

  /// Removes an observer; an event on another thread may still reach it.
  package static func remove(_ observer: any LifecycleObserver) {
    observers.withLock {
      $0.removeAll { $0 === observer }
      count.store($0.count, ordering: .relaxed)
    }
  }

  /// Whether there is an observer; in an app there is none, and nothing else is evaluated.
  @inline(__always)
  static var isWatched: Bool { count.load(ordering: .relaxed) != 0 }

  /// Notifies the observers, if there are any; else the event is not made.
  @inline(__always)
  static func notify(_ event: @autoclosure () -> LifecycleEvent) {
    if isWatched { notifyAll(event()) }
  }

  private static let waits = Atomic<UInt64>(0)

  /// Notifies of a call of `whenActive()`, and returns its number; zero if there are no observers.
  static func beginWait(for lifecycle: InteractorLifecycle) -> UInt64 {
    guard isWatched else { return 0 }
    let number = waits.add(1, ordering: .relaxed).newValue
    notifyAll(.activityAwaited(ObjectIdentifier(lifecycle), wait: number))
    return number
  }

  /// Gives a router or a lifecycle a name for later events.
  package static func rename(_ object: AnyObject, to name: String) { notify(.renamed(ObjectIdentifier(object), name)) }

  /// Whether the caller is inside a callback, or in a task that one that runs has bound, and that it may wait for: there a
  /// call may return before it has taken effect (L4, T8).
  package static var isInsideCallback: Bool { CallbackFrame.currentName != nil || CallbackFrame.currentBinder != nil }

  @inline(never)
  private static func notifyAll(_ event: LifecycleEvent) {
    for observer in observers.withLock({ $0 }) { observer.lifecycle(event) }
  }

  /// Sets the handler of misuses that no observer handles, such as that of a test kit that is linked and observes nothing.
  package static func setFallbackMisuseHandler(_ handler: @escaping @Sendable (Misuse) -> Bool) {
    fallback.withLock { $0 = Fallback(handles: handler) }
  }

  // A lock around the closure itself would wrap it once more whenever it is read.
  private struct Fallback: Sendable {
    let handles: @Sendable (Misuse) -> Bool
  }

  private static let fallback = Mutex<Fallback?>(nil)

  /// Passes a misuse to every observer, then to the fallback handler, and returns whether one handled it.
  static func handle(_ misuse: Misuse) -> Bool {
    if isWatched, observers.withLock({ $0 }).reduce(false, { $1.misuse(misuse) || $0 }) { return true }
    return fallback.withLock { $0 }?.handles(misuse) ?? false
  }
}
