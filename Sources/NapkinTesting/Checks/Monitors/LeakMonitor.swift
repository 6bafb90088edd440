// SPDX-License-Identifier: Apache-2.0

/// T10, L8: when the root was released, nothing of its tree is left.
package final class LeakMonitor: Monitor {
  package let rule = LifecycleRule.release

  package init() {}

  package func atEnd(_ tree: ObservedTree) -> [String] {
    tree.leftovers.map { id, name in
      guard let holders = tree.holders else { return "\(name) was never released." }
      let holder = holders[id].map { "\($0) holds it" } ?? "no property of what is left holds it: a closure or task may"
      return "\(name) was never released: \(holder)."
    }
  }
}
