// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// L2: `didBecomeActive()` and `willResignActive()` alternate and never overlap; L1: `isActive` encloses both.
package final class AlternationMonitor: Monitor {
  package let rule = LifecycleRule.alternation

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    switch event {
    case .didBecomeActiveBegan(let id): begins(.didBecomeActive, id, tree)
    case .willResignActiveBegan(let id): begins(.willResignActive, id, tree)
    default: nil
    }
  }

  private func begins(_ callback: ObservedTree.Callback, _ id: ObservedTree.ID, _ tree: ObservedTree) -> String? {
    guard let interactor = tree.interactors[id] else { return nil }
    if let running = interactor.callback {
      return "\(callback.rawValue) of \(interactor.name) began while \(running.rawValue) was still running."
    }
    if interactor.hasBecomeActive == (callback == .didBecomeActive) {
      return
        "\(callback.rawValue) of \(interactor.name) was called \(interactor.hasBecomeActive ? "twice in a row" : "before didBecomeActive()")."
    }
    if !interactor.isActive {
      return "\(callback.rawValue) of \(interactor.name) began while isActive was false."
    }
    return nil
  }
}
