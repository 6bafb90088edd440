// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The state of an interactor, which a test tool reads at any moment, beside the events that it observes.
package struct LifecycleInspection: Sendable, Equatable {
  /// From before `didBecomeActive()` until after `willResignActive()`.
  package let isActive: Bool

  /// Whether it was ever active: an interactor that never was, as in a unit test, does not make children dormant (T7).
  package let hasBeenActive: Bool

  /// Whether the tree wants it inactive, because it is detached or below a router that is.
  package let isDormant: Bool

  /// Whether a callback is running, or about to.
  package let isInTransition: Bool

  /// The callback that is running, or about to, by its name; nil if there is none.
  package let callback: String?

  /// The number of bound tasks that have neither ended nor been cancelled.
  package let boundTasks: Int
}

extension InteractorLifecycle {
  /// The present state, read under one lock.
  package var inspection: LifecycleInspection {
    TreeDriver.state.withLock { state in
      let record = state.machine[node]
      return LifecycleInspection(
        isActive: state.isActive(node),
        hasBeenActive: record.wasActive,
        isDormant: record.wantedState == .inactive,
        isInTransition: record.phase != .inactive && record.phase != .active || record.isRestless
          || record.isWaking,
        callback: record.phase == .activating
          ? "didBecomeActive()" : record.phase == .resigning ? "willResignActive()" : nil,
        boundTasks: state[node].extras?.bound?.count ?? 0
      )
    }
  }
}

extension RouterNode {
  /// Whether a router has run its `didLoad()`; nil if it is no router of this framework.
  package static func isLoaded(_ routing: any Routing) -> Bool? {
    known(of: routing).map { $0.record.load == .done }
  }

  /// Whether a router is in its `didLoad()`.
  package static func isLoading(_ routing: any Routing) -> Bool { known(of: routing)?.record.load == .running }

  /// Whether no call about a router is being carried out.
  package static func isAtRest(_ routing: any Routing) -> Bool {
    guard let record = known(of: routing)?.record else { return true }
    return !record.isLeaving && record.load != .running && !record.isWaking && !record.isRestless
  }

  /// The identity of a router's parent; nil if it has none.
  package static func parent(of routing: any Routing) -> ObjectIdentifier? {
    guard let node = known(of: routing), node.record.parent != .none else { return nil }
    let parent = TreeDriver.state.withLock { $0.router($0.machine[node.number].parent) }
    return parent?.owner.map { ObjectIdentifier($0) }
  }

  private var record: TreeMachine.Record { TreeDriver.state.withLock { $0.machine[number] } }
}
