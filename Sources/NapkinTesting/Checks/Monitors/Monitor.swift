// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// Watches one rule of the lifecycle contract through the events of an execution, and says in words where it is broken.
package protocol Monitor: AnyObject {
  /// What it watches for, by which it can be left out.
  var rule: LifecycleRule { get }

  /// Looks at an event; the tree is as it was before.
  func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String?

  /// Checks the tree when no job is ready and no call is under way.
  func atRest(_ tree: ObservedTree) -> [String]

  /// Checks the tree after its root was deactivated and released, and every task has finished or waits.
  func atEnd(_ tree: ObservedTree) -> [String]
}

extension Monitor {
  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? { nil }
  package func atRest(_ tree: ObservedTree) -> [String] { [] }
  package func atEnd(_ tree: ObservedTree) -> [String] { [] }
}
