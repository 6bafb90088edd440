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
    TreeDriver.state.withLock { state in
      let record = state.machine[node]
      return LifecycleInspection(
        isActive: state.isActive(node),
        hasBeenActive: record.marks.contains(.wasActive),
        isAsleep: record.wish == .inactive,
        isInTransition: record.phase != .inactive && record.phase != .active || record.marks.contains(.isRestless)
          || record.marks.contains(.isWaking),
        boundTasks: state[node].extras?.bound?.count ?? 0
      )
    }
  }
}

extension RouterNode {
  /// Whether a router has run its `didLoad()`; nil if the tree knows nothing of it.
  package static func isLoaded(_ routing: any Routing) -> Bool? {
    known(of: routing)?.record.marks.contains(.isLoaded)
  }

  /// Whether a router stands where the tree wants it; false while a call about it is being carried out.
  package static func isAtRest(_ routing: any Routing) -> Bool {
    known(of: routing).map { $0.record.marks.isDisjoint(with: .isLeaving | .isLoading | .isWaking | .isRestless) }
      ?? true
  }

  /// The identity of a router's parent; nil if it has none.
  package static func parent(of routing: any Routing) -> ObjectIdentifier? {
    guard let node = known(of: routing), node.record.parent != .none else { return nil }
    let parent = TreeDriver.state.withLock { $0.router($0.machine[node.number].parent) }
    return parent?.owner.map { ObjectIdentifier($0) }
  }

  private var record: TreeMachine.Record { TreeDriver.state.withLock { $0.machine[number] } }
}
