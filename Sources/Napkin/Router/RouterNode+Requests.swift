// SPDX-License-Identifier: Apache-2.0

/// Requests: what a call about a child registers before anything suspends, and what it then waits for.
extension RouterNode {
  /// Adds a child, activates it and loads it, unless a later call supersedes this one.
  package func attach(_ child: any Routing, to owner: any Routing, callSite: CallSite?) async {
    let node = RouterNode.of(child)
    LifecycleObservation.tell(.attachRequested(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
    if let mistake = node.mistake(of: child, joining: self, of: owner) {
      Misuse.report(mistake, child: child, parent: owner, at: callSite)
      if node.placement.wanted == nil, node.placement.parent == nil { node.forgetForeign() }
    } else if await !node.attachLeaf(child, to: self) {
      await node.requestAttach(child, to: self, of: owner)
    }
    LifecycleObservation.tell(.attachReturned(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
  }

  private func requestAttach(_ child: any Routing, to parent: RouterNode, of owner: any Routing) async {
    let mustNotWait = enclosesCaller
    let answer = placement.attach(to: parent)
    let request = placement.newest
    if answer == .wait || mustNotWait || departing(between: parent) != nil { expect(at: parent, of: owner) }
    guard await mayMove(child, answer, request, .attach, mustNotWait) else { return }
    await move(child)
    if wasOverruled { await restWithAncestors() }
  }

  /// Keeps what is needed until the child joins: its next parent, and the knowledge there that somebody is coming.
  private func expect(at parent: RouterNode, of owner: any Routing) {
    withTraffic { $0.awaitedParent = owner }
    parent.withTraffic { $0.expected += 1 }
  }

  /// Deactivates a child's whole subtree, then removes the child.
  package func detach(_ child: any Routing, from owner: any Routing, callSite: CallSite?) async {
    LifecycleObservation.tell(.detachRequested(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
    if let node = RouterNode.known(of: child), await !node.detachLeaf(child, from: self) {
      await node.requestDetach(child, from: self)
    }
    LifecycleObservation.tell(.detachReturned(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
  }

  private func requestDetach(_ child: any Routing, from parent: RouterNode) async {
    let mustNotWait = enclosesCaller
    let wasExpected = placement.wanted === parent && traffic?.awaitedParent != nil
    let answer = placement.detach(from: parent)
    if wasExpected { isNoLongerExpected(at: parent) }
    if answer == .wait || mustNotWait, placement.isLeaving { markAsleep(visits(of: child, for: .sleep)) }
    guard answer != .nothing, await mayMove(child, answer, placement.newest, .detach, mustNotWait) else { return }
    await move(child)
  }

  private func isNoLongerExpected(at parent: RouterNode) {
    traffic?.awaitedParent = nil
    parent.traffic?.expected -= 1
  }

  /// Waits for the child's turn, and says whether it is this caller who moves it.
  ///
  /// A caller inside a callback of the child's subtree returns at once (T8): whoever is moving the child goes on with
  /// it, and if there is nobody, a task of its own does.
  private func mayMove(
    _ child: any Routing, _ answer: Placement<RouterNode>.Answer, _ request: UInt32,
    _ purpose: RouterTraffic.Purpose, _ mustNotWait: Bool
  ) async -> Bool {
    switch answer {
    case .nothing: return false
    case .move where mustNotWait:
      moveOnItsOwn(child)
      return false
    case .move: return true
    case .wait, .waitForEnd:
      if mustNotWait { return false }
      let traffic = withTraffic { $0 }
      return await traffic.wait(request: answer == .wait ? request : .max, purpose) == .move
    }
  }

  /// Carries steps out until the child stands where it is wanted, or somebody with a newer request takes over.
  private func move(_ child: any Routing) async {
    while let step = placement.next {
      let request = placement.newest
      switch step {
      case .join(let parent):
        if let departing = departing(between: parent) {
          _ = await departing.withTraffic { $0 }.wait(request: .max, .detach)
        } else {
          await join(child, parent)
        }
      case .leave(let parent):
        guard await leave(child, parent) else { return moveOnItsOwn(child) }
      }
      if givesWay(since: request) { return }
    }
    settle()
  }

  /// Lets whoever came after this request go on, if he is waiting.
  private func givesWay(since request: UInt32) -> Bool {
    guard placement.newest != request, let traffic else { return false }
    return traffic.handOver(to: placement.newest)
  }

  private func settle() {
    placement.settled()
    if placement.parent == nil { forgetForeign() }
    traffic?.releaseAll()
  }

  /// True if nobody has come since this request, so that the child rests; else `goOnMoving(_:)` follows.
  func settle(at request: UInt32) -> Bool {
    guard placement.newest == request, placement.next == nil, !wasOverruled else { return false }
    settle()
    return true
  }

  /// What follows after a first step that was carried out elsewhere.
  func goOnMoving(_ child: any Routing, since request: UInt32) async {
    if !givesWay(since: request) { await move(child) }
    if wasOverruled { await restWithAncestors() }
  }

  /// Goes on in a task that no callback waits for.
  func moveOnItsOwn(_ child: any Routing) {
    Task { @MainActor in
      await CallbackToken.$current.withValue(nil) { await move(child) }
    }
  }

  /// Who stands between the parent and this node, its ancestor, and is about to leave: joined before that, the two would
  /// form a circle for a while (T2).
  func departing(between parent: RouterNode) -> RouterNode? {
    guard !children.isEmpty else { return nil }
    var departing: RouterNode?
    var next: RouterNode? = parent
    while let node = next, node !== self {
      if node.placement.isLeaving { departing = node }
      next = node.placement.parent
    }
    return next == nil ? nil : departing
  }

  private func join(_ child: any Routing, _ parent: RouterNode) async {
    // Nobody else may hold the parent's router: it ends after this, and finds the child among its own.
    let owner = traffic?.awaitedParent
    defer { withExtendedLifetime(owner) {} }
    if owner != nil { isNoLongerExpected(at: parent) }
    if stand(child, below: parent) { await wake(child) } else { await putToSleep(child) }
  }

  /// The child stands there, and the answer is whether it is to be awake (T7).
  func stand(_ child: any Routing, below parent: RouterNode) -> Bool {
    placement.joined()
    if parent.children.isEmpty { parent.lifecycle.becameParent(by: parent) }
    parent.children.append(child)
    if let parentID = parent.id {
      LifecycleObservation.tell(.attached(child: ObjectIdentifier(child), parent: parentID))
    }
    let isAwake = !parent.lifecycle.makesChildrenSleep
    if isAwake { marks.insert(.joinedAwake) } else { marks.remove(.joinedAwake) }
    return isAwake
  }

  /// It joined awake, and an ancestor's detach put it to sleep before it was done.
  private var wasOverruled: Bool { marks.contains(.joinedAwake) && placement.parent != nil && lifecycle.isDismissed }

  /// False if a callback around the caller has come to stand below since the call began: the resignation of that part
  /// waits for the callback, so somebody else has to see it through.
  private func leave(_ child: any Routing, _ parent: RouterNode) async -> Bool {
    await putToSleep(child)
    guard await putLatecomersToSleep(child) else { return false }
    leaveChildren(child, of: parent)
    return true
  }

  /// The child stands there no more, and whoever waited for that may go.
  func leaveChildren(_ child: any Routing, of parent: RouterNode) {
    if let index = parent.children.lastIndex(where: { $0 === child }) { parent.children.remove(at: index) }
    placement.left()
    if let parentID = parent.id {
      LifecycleObservation.tell(.detached(child: ObjectIdentifier(child), parent: parentID))
    }
    traffic?.releaseDetachers()
  }

  /// An attach that an ancestor's detach has superseded returns after it, unless that would wait for itself.
  private func restWithAncestors() async {
    var next = placement.parent
    while let node = next {
      if node.placement.isMoving, node.placement.isLeaving {
        guard !node.enclosesCaller else { return }
        _ = await node.withTraffic { $0 }.wait(request: .max, .detach)
        return
      }
      next = node.placement.parent
    }
  }

  // A mistake is one of these, and the tree stays as it was (T2).
  private func mistake(of child: any Routing, joining parent: RouterNode, of owner: any Routing) -> Misuse.Placement? {
    if parent === self { return .itself }
    if let wanted = placement.wanted { return .attached(to: wanted.type) }
    if marks.contains(.isForeign) { return Self.stands(owner, below: child) ? .ancestor : nil }
    // Only a node with something below can be an ancestor; a fresh one need not be looked for.
    guard !children.isEmpty || (traffic?.expected ?? 0) > 0 else { return nil }
    // Who is leaving does not count: the join waits until it has left.
    var next = parent.placement.wanted
    while let ancestor = next {
      if ancestor === self { return .ancestor }
      next = ancestor.placement.wanted
    }
    return nil
  }

  /// Searches downwards, where a routing that is no `Router` stands between: it knows its children only.
  private static func stands(_ routing: any Routing, below top: any Routing) -> Bool {
    var visited: Set<ObjectIdentifier> = []
    var pending = top.children
    while let next = pending.popLast() {
      if next === routing { return true }
      if visited.insert(ObjectIdentifier(next)).inserted { pending.append(contentsOf: next.children) }
    }
    return false
  }
}
