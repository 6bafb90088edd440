// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Answers that a slot needs before it has a router attached, and its word that it does not.
extension RouterNode {
  /// Whether a router stands nowhere and has nothing below it, so that it may be attached here.
  @inline(__always)
  func isFree(_ number: TreeMachine.Node) -> Bool {
    number != self.number && TreeDriver.state.withLock { $0.machine.isFree(number) }
  }

  /// The wait for the attach that another call has asked for; nil if there is nothing to wait for.
  func attachAwaited(_ number: TreeMachine.Node) -> Waiter? {
    TreeDriver.handle(.attachAgain(number, to: self.number, in: CallbackFrame.currentName), onMain: true).waiter
  }

  /// The reason why a child may not be attached to a parent; nil if it may, as far as the tree knows them.
  static func mistake(of child: any Routing, joining parent: RouterNode?) -> TreeMachine.Mistake? {
    let number = child.interactable.lifecycle.node
    return TreeDriver.state.withLock { state in
      guard state.router(number)?.owner === child else { return nil }
      return state.machine.mistake(of: number, joining: parent?.number ?? .none)
    }
  }

  /// The node of a router of any kind that the tree knows.
  static func knownNode(of routing: any Routing) -> RouterNode? {
    (routing as? any NodeOwner)?.node ?? known(of: routing)
  }

  /// Ends the waits for the activity of a router that a slot does not attach after all, unless another call asks for it.
  static func passOver(_ router: any Routing) {
    let number = router.interactable.lifecycle.node
    var work = TreeDriver.Work(onMain: true)
    let isPassedOver = TreeDriver.state.withLock { state in
      if let owner = state.router(number)?.owner, owner !== router { return false }
      let hadLeft = state.machine[number].hasLeft
      state.decide(.passOver(number), &work)
      return state.machine[number].hasLeft && !hadLeft
    }
    if isPassedOver { LifecycleObservation.notify(.passedOver(ObjectIdentifier(router))) }
    work.carryOut()
  }
}
