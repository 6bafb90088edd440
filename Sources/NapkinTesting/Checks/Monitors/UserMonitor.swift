// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// Lets a monitor of a test's own look at what happens.
package struct UserMonitor: Sendable {
  package let name: String
  private var monitor: any TreeMonitor

  package init(_ name: String, _ monitor: any TreeMonitor) {
    self.name = name
    self.monitor = monitor
  }

  package mutating func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    TreeEvent(event, in: tree).flatMap { monitor.observe($0) }
  }

  package mutating func atRest() -> String? { monitor.atRest() }
  package mutating func atEnd() -> String? { monitor.atEnd() }
}
