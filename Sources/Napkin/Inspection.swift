// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What a test tool may ask of an interactor at a moment of its own choosing, beside the events that it is told.
package struct LifecycleInspection: Sendable, Equatable {
  /// From before `didBecomeActive()` until after `willResignActive()`.
  package let isActive: Bool

  /// Tells an interactor that was deactivated from one that never lived, as in a unit test (T7).
  package let hasBeenActive: Bool

  /// The tree wants it inactive, because it is detached or stands under a sleeper.
  package let isAsleep: Bool

  /// A callback is running, or about to.
  package let isInTransition: Bool

  /// How much work is bound to the scope and has not ended.
  package let boundTasks: Int
}

extension InteractorLifecycle {
  /// The present state, all of one moment.
  package var inspection: LifecycleInspection {
    state.withLock { state in
      LifecycleInspection(
        isActive: state.machine.isActive,
        hasBeenActive: state.machine.wasActive,
        isAsleep: state.machine.isAsleep,
        isInTransition: state.machine.phase == .activating || state.machine.phase == .resigning,
        boundTasks: state.extras?.bound?.count ?? 0
      )
    }
  }
}

extension RouterNode {
  /// Whether a router has run its `didLoad()`; nil if the tree knows nothing of it.
  package static func isLoaded(_ routing: any Routing) -> Bool? {
    known(of: routing)?.marks.contains(.isLoaded)
  }

  /// Whether a router stands where the tree wants it; false while a call about it is being carried out.
  package static func isAtRest(_ routing: any Routing) -> Bool {
    known(of: routing).map { !$0.placement.isMoving && !$0.marks.contains(.isLoading) } ?? true
  }

  /// The identity of a router's parent; nil if it has none.
  package static func parent(of routing: any Routing) -> ObjectIdentifier? {
    known(of: routing)?.placement.parent?.id
  }
}
