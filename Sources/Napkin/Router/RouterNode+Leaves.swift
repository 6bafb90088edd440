// SPDX-License-Identifier: Apache-2.0

/// The usual call, about a child without children that nobody else is moving: it takes the same steps as any other, in
/// one async function, since each further one costs some hundred nanoseconds.
extension RouterNode {
  /// Attaches a leaf at rest; false, and nothing has happened, if it is none.
  @inline(__always)
  func attachLeaf(_ child: any Routing, to parent: RouterNode) async -> Bool {
    guard isLeafAtRest else { return false }
    _ = placement.attach(to: parent)
    let request = placement.newest
    if stand(child, below: parent) {
      lifecycle.wakeUp()
      if !lifecycle.isDismissed {
        LifecycleObservation.tell(.visited(ObjectIdentifier(lifecycle), wakes: true))
        await interactable.activate()
      }
      if !marks.contains(.isLoaded), !lifecycle.isDismissed { await child.load() }
    } else {
      await putToSleep(child)
    }
    if settle(at: request) { return true }
    await goOnMoving(child, since: request)
    return true
  }

  /// Detaches a leaf at rest; false, and nothing has happened, if it is none.
  @inline(__always)
  func detachLeaf(_ child: any Routing, from parent: RouterNode) async -> Bool {
    guard isLeafAtRest, placement.parent === parent, placement.wanted === parent else { return false }
    _ = placement.detach(from: parent)
    let request = placement.newest
    fallAsleepAsLeaf()
    if lifecycle.isAsleep {
      LifecycleObservation.tell(.visited(ObjectIdentifier(lifecycle), wakes: false))
      await interactable.deactivate()
      noteQuiet()
    }
    if mayStir, await !putLatecomersToSleep(child) {
      moveOnItsOwn(child)
      return true
    }
    leaveChildren(child, of: parent)
    if settle(at: request) { return true }
    await goOnMoving(child, since: request)
    return true
  }

  private var isLeafAtRest: Bool {
    children.isEmpty && !placement.isMoving && !marks.contains(.isForeign) && !enclosesCaller
  }
}
