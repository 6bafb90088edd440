// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// L11: calls of `whenActive()`.
extension RuleCheck {
  static var activityWait: RuleCheck {
    RuleCheck(
      .activityWait,
      observe: { event, tree in
        guard case .activityWaitEnded(let id, let number, let isActive, let isCancelled) = event,
          let interactor = tree.interactors[id], let wait = interactor.waits[number]
        else { return nil }
        if isActive {
          if wait.hasBeenActive || (wait.isInside && interactor.isActive) { return nil }
          return "whenActive() of \(interactor.name) returned, and it has not been active since the call."
        }
        if isCancelled || wait.hasLeft || wait.mayHaveLeft || wait.isInside { return nil }
        // On threads it may throw before its leaving is recorded.
        if !tree.isExact, interactor.router.flatMap(tree.wantedParent) == nil { return nil }
        return
          "whenActive() of \(interactor.name) threw, though its task is not cancelled and its router is in its place."
      },
      atRest: { tree in
        tree.ofInteractors { interactor in
          if interactor.waits.isEmpty { return [] }
          if interactor.isFullyActive {
            return ["whenActive() of \(interactor.name) has not returned, and it is active."]
          }
          // Not certain: the call may have come after its router had left, which is recorded late.
          guard tree.isExact else { return [] }
          if interactor.waits.values.contains(where: \.hasLeft) {
            return ["whenActive() of \(interactor.name) has not thrown, and its router has left its place."]
          }
          guard let router = interactor.router, tree.hasLeftAtRest(router) else { return [] }
          return ["whenActive() of \(interactor.name) has not thrown, and a router above it has left its place."]
        }
      })
  }
}
