// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Somebody who watches the lifecycles of the whole process, such as a test kit's monitors.
package protocol LifecycleObserver: AnyObject, Sendable {
  /// Called at the point itself, on the thread where it happens, never under a lock; it must not wait.
  func lifecycle(_ event: LifecycleEvent)

  /// Takes a misuse over, by returning true: it then neither traps nor prints.
  func misuse(_ misuse: Misuse) -> Bool
}

extension LifecycleObserver {
  package func misuse(_ misuse: Misuse) -> Bool { false }
}

/// The one place at which observers enter and leave; while there are none, an event costs one relaxed load.
package enum LifecycleObservation {
  private static let count = Atomic<Int>(0)
  private static let observers = Mutex<[any LifecycleObserver]>([])

  /// Lets an observer see every event from here on, after those that were added before it.
  package static func add(_ observer: any LifecycleObserver) {
    observers.withLock {
      $0.append(observer)
      count.store($0.count, ordering: .relaxed)
    }
  }

  /// Takes an observer out; an event that is being told on another thread may still reach it.
  package static func remove(_ observer: any LifecycleObserver) {
    observers.withLock {
      $0.removeAll { $0 === observer }
      count.store($0.count, ordering: .relaxed)
    }
  }

  /// False in an app, always: nothing but this is evaluated there.
  @inline(__always)
  static var isWatched: Bool { count.load(ordering: .relaxed) != 0 }

  /// Tells the observers, if there are any; else the event is not even made.
  @inline(__always)
  static func notify(_ event: @autoclosure () -> LifecycleEvent) {
    if isWatched { notifyAll(event()) }
  }

  private static let waits = Atomic<UInt64>(0)

  /// Tells of a call of `whenActive()`, and numbers it; zero if there are no observers.
  static func beginWait(for lifecycle: InteractorLifecycle) -> UInt64 {
    guard isWatched else { return 0 }
    let number = waits.add(1, ordering: .relaxed).newValue
    notifyAll(.activityAwaited(ObjectIdentifier(lifecycle), wait: number))
    return number
  }

  /// Calls a router or a lifecycle by a name of a test tool's own in what is told from here on.
  package static func rename(_ object: AnyObject, to name: String) { notify(.renamed(ObjectIdentifier(object), name)) }

  /// Whether the caller is inside a callback, so that a call need not wait for what it asks for (L4, T8).
  package static var isInsideCallback: Bool { TreeDriver.name(CallbackFrame.current) != nil }

  @inline(never)
  private static func notifyAll(_ event: LifecycleEvent) {
    for observer in observers.withLock({ $0 }) { observer.lifecycle(event) }
  }

  /// Names who is offered a misuse that no observer takes: a test kit that is linked, and watches nothing.
  package static func offerLast(to taker: @escaping @Sendable (Misuse) -> Bool) {
    lastTaker.withLock { $0 = taker }
  }

  private static let lastTaker = Mutex<(@Sendable (Misuse) -> Bool)?>(nil)

  /// Offers a misuse to every observer, then to the last taker, and says whether one took it.
  static func take(_ misuse: Misuse) -> Bool {
    if isWatched, observers.withLock({ $0 }).reduce(false, { $1.misuse(misuse) || $0 }) { return true }
    return lastTaker.withLock { $0 }?(misuse) ?? false
  }
}
