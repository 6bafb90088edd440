// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// T4: when a detach returns, nothing of the subtree is active, unless a later attach superseded the detach.
package final class DetachMonitor: Monitor {
  package let rule = "T4"

  // How often a child was asked to be attached, and how often that was when a detach began.
  private var attaches: [ObservedTree.ID: Int] = [:]
  private var pending: [ObservedTree.ID: [Int]] = [:]

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    switch event {
    case .attachRequested(let child, _):
      attaches[child, default: 0] += 1
    case .detachRequested(let child, _):
      pending[child, default: []].append(attaches[child, default: 0])
    case .routerDeinit(let id):
      attaches[id] = nil
      pending[id] = nil
    case .detachReturned(let child, _):
      return returned(child, tree)
    default: break
    }
    return nil
  }

  private func returned(_ child: ObservedTree.ID, _ tree: ObservedTree) -> String? {
    // Detaches of one child may return in any order; the earliest is the one most likely superseded.
    guard let began = pending[child]?.popLast(), began == attaches[child, default: 0] else { return nil }
    guard tree.nodes[child]?.parent == nil else { return nil }
    let active = tree.subtree(of: child).compactMap { tree.interactor(ofRouter: $0) }.filter(\.isActive)
    guard let first = active.first else { return nil }
    return "\(tree.name(ofRouter: child)) was detached, and \(first.name) is still active when the detach returns."
  }
}

/// T4, T7: at rest nothing is active below something that was deactivated.
package final class SleepMonitor: Monitor {
  package let rule = "T7"

  package init() {}

  package func atRest(_ tree: ObservedTree) -> [String] {
    tree.livingNodes.compactMap { _, node in
      guard let parent = node.parent, let above = tree.interactor(ofRouter: parent), above.wasActive, !above.isActive,
        let own = tree.interactors[node.lifecycle], own.isActive
      else { return nil }
      return "\(own.name) is active, and \(above.name) above it is not."
    }
  }
}
