// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// L3: `activate()` and `deactivate()` return when what they ask for is reached, and at rest the last call has decided.
///
/// A call from inside a callback promises nothing, and one that another call may have superseded is left alone.
package final class ActivationReturnMonitor: Monitor {
  package let rule = LifecycleRule.activationReturn

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    guard case .requestReturned(let id, let active) = event, let interactor = tree.interactors[id],
      let call = interactor.calls.returning(active ? .activate : .deactivate), !call.isInside,
      !isDisturbed(call, interactor, tree)
    else { return nil }
    let name = "\(active ? "activate" : "deactivate")() of \(interactor.name)"
    if let callback = interactor.callback { return "\(name) returned while \(callback.rawValue) was still running." }
    if interactor.isActive != active { return "\(name) returned, and it is \(active ? "inactive" : "active")." }
    return active ? nil : below(interactor, call, tree).map { "\(name) returned, and \($0.name) below it is active." }
  }

  package func atRest(_ tree: ObservedTree) -> [String] {
    tree.ofInteractors { interactor in
      guard let call = interactor.lastByHand, let wanted = interactor.wantedByHand, wanted != interactor.isActive,
        interactor.router.map({ tree.isDisturbed(call, at: $0) }) != true
      else { return [] }
      let name = "\(wanted ? "activate" : "deactivate")()"
      return ["\(name) was the last call about \(interactor.name), and it is \(wanted ? "inactive" : "active")."]
    }
  }

  private func isDisturbed(
    _ call: ObservedTree.Call, _ interactor: ObservedTree.Interactor, _ tree: ObservedTree
  ) -> Bool {
    interactor.calls.disturb(call) || interactor.router.map { tree.isDisturbed(call, at: $0) } == true
  }

  private func below(
    _ interactor: ObservedTree.Interactor, _ call: ObservedTree.Call, _ tree: ObservedTree
  ) -> ObservedTree.Interactor? {
    // One that never was active has no inactive subtree that could become active with it (T7).
    guard let router = interactor.router, interactor.wasActive else { return nil }
    return tree.isDisturbed(call, within: tree.subtree(of: router)) ? nil : tree.stirring(below: router)
  }
}
