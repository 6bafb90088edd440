// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// M1: an attach that breaks the rules for callers (T2) is reported before it returns.
package final class MisuseMonitor: Monitor {
  package let rule = LifecycleRule.misuseReport

  /// How many reports have come whose calls have not returned.
  private var reports = 0

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    switch event {
    case .misuse(let misuse) where misuse.rule == "T2": reports += 1
    case .attachReturned(let child, let parent):
      guard let node = tree.nodes[child], let call = node.calls.returning(.attach(to: parent)), !call.isMeant else {
        return nil
      }
      if reports == 0 {
        return "\(tree.name(ofRouter: parent)).attachChild(\(node.name)) was misuse, and was not reported."
      }
      reports -= 1
    default: break
    }
    return nil
  }
}
