// SPDX-License-Identifier: Apache-2.0

/// T10, L8: when the root was released, nothing of its tree is left.
package final class LeakMonitor: Monitor {
  package let rule = LifecycleRule.release

  package init() {}

  package func atEnd(_ tree: ObservedTree) -> [String] {
    let routers = tree.livingNodes.map { "\($0.node.name) was never released." }
    let orphans = tree.livingInteractors.filter { $0.router == nil }.map { "\($0.name) was never released." }
    return routers + orphans
  }
}
