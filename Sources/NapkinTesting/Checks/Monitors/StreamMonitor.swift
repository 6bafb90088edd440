// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// L7: `isActiveStream` yields every transition once, in order, and finishes with its interactor.
package final class StreamMonitor: Monitor {
  package let rule = LifecycleRule.streams

  package init() {}

  package func observe(_ event: LifecycleEvent, in tree: ObservedTree) -> String? {
    switch event {
    case .streamYielded(let id, let stream, let isActive):
      guard let interactor = tree.interactors[id], interactor.streams[stream]?.last == isActive else { return nil }
      return "isActiveStream of \(interactor.name) yielded \(isActive) twice in a row."
    case .lifecycleDeinit(let id):
      guard let interactor = tree.interactors[id], !interactor.streams.isEmpty else { return nil }
      return "\(interactor.name) is gone, and its isActiveStream has not finished."
    default: return nil
    }
  }

  package func atRest(_ tree: ObservedTree) -> [String] {
    tree.ofInteractors { interactor in
      if interactor.streams.isEmpty { return [] }
      return interactor.streams.sorted { $0.key < $1.key }.compactMap { _, stream in
        if stream.last != interactor.isActive {
          return "isActiveStream of \(interactor.name) ends with \(stream.last), and it is \(interactor.isActive)."
        }
        let transitions = interactor.transitions - stream.earlier
        guard tree.isExact, stream.yields != transitions else { return nil }
        return "isActiveStream of \(interactor.name) yielded \(stream.yields) of \(transitions) transitions."
      }
    }
  }
}
