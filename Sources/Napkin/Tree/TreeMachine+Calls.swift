// SPDX-License-Identifier: Apache-2.0

/// The changes that a call makes at once.
extension TreeMachine {
  mutating func attach(_ child: Node, to parent: Node, _ frame: Frame?) {
    if let mistake = mistake(of: child, joining: parent) {
      answer.mistake = mistake
      return
    }
    let wasIdle = isIdle(child)
    if self[child].parent == .none {
      join(child, parent)
    } else {
      self[child].nextParent = parent
      pendingCount += 1
    }
    wait(for: attachCall(of: child), at: child, in: frame, wasIdle: wasIdle)
  }

  /// Waits for an attach that was asked for before, as the call that has asked for it does.
  mutating func awaitAttach(of child: Node, to parent: Node, _ frame: Frame?) {
    guard wantedParent(of: child) == parent else { return }
    wait(for: attachCall(of: child), at: child, in: frame)
  }

  /// The wait for an attach: a child that sleeps, or is to, has to resign at most.
  private func attachCall(of child: Node) -> Call {
    self[child].wantedState == .inactive && self[child].nextParent == .none ? .attachInactive : .attach
  }

  /// The reason why a child may not be attached to a parent; nil if it may.
  ///
  /// A node counts as above the parent if it stands there, even if it leaves, or is wanted there: so no accepted attach
  /// ever closes a circle (T2).
  func mistake(of child: Node, joining parent: Node) -> Mistake? {
    if child == parent { return .itself }
    let wanted = wantedParent(of: child)
    if wanted != .none { return .attached(to: wanted) }
    // Only a node with something below it, now or soon, can be an ancestor.
    guard self[child].first != .none || pendingCount > 0, parent != .none else { return nil }
    return isAbove(child, parent) ? .ancestor : nil
  }

  /// Whether a node stands nowhere and above nothing, now and soon.
  @inline(__always)
  func isFree(_ node: Node) -> Bool {
    let record = self[node]
    return record.parent == .none && record.nextParent == .none && record.first == .none && pendingCount == 0
  }

  /// Whether a node stands above another, or will if all that is wanted comes true and nothing else leaves.
  private func isAbove(_ node: Node, _ other: Node) -> Bool {
    var open = [other]
    // Ways part only where a node is to move.
    var seen: Set<Node> = []
    while let next = open.popLast() {
      if next == node { return true }
      let (parent, nextParent) = (self[next].parent, self[next].nextParent)
      if nextParent != .none {
        guard seen.insert(next).inserted else { continue }
        open.append(nextParent)
      }
      if parent != .none { open.append(parent) }
    }
    return false
  }

  mutating func detach(_ child: Node, from parent: Node, _ frame: Frame?) {
    if self[child].nextParent == parent {
      // It never joined: the attach is withdrawn.
      self[child].nextParent = .none
      pendingCount -= 1
      refuseWaits(below: child)
      resolve(child)
    } else if self[child].parent == parent, !self[child].isLeaving {
      self[child].isLeaving = true
      deactivateAll(from: child)
      if !self[child].isRestless { place(child) }
    } else if self[child].parent != parent {
      return
    }
    wait(for: .detach, at: child, in: frame)
  }

  mutating func activate(_ node: Node, _ frame: Frame?) {
    if self[node].wantedState != .active {
      wake(node)
    } else if self[node].isWaking {
      advance(node)
    }
    wait(for: .activate, at: node, in: frame)
  }

  mutating func deactivate(_ node: Node, _ frame: Frame?) {
    // A waking that has begun above, and has not come here yet, is to pass it over.
    let isAwake = waker(of: node) != .none
    // The child of a foreign parent may be about to wake, though nothing was wanted of it yet.
    guard self[node].wantedState != .none || isAwake else { return }
    if isWanted(node) || self[node].hasRefusedToResign {
      deactivateAll(from: node, staysInactive: isAwake)
    } else if isAwake {
      self[node].staysInactive = true
    }
    wait(for: .deactivate, at: node, in: frame)
  }

  /// The nearest node above that is wanted active, if nothing in between keeps a waking from coming down from it.
  func waker(of start: Node) -> Node {
    var node = self[start].parent
    while node != .none, self[node].wantedState != .active {
      if self[node].staysInactive || self[node].isLeaving { return .none }
      node = self[node].parent
    }
    return node
  }

  mutating func load(_ node: Node, begins: Bool, _ frame: Frame?) {
    if begins, self[node].load == .due { beginLoad(node) }
    wait(for: .load, at: node, in: frame)
  }

  mutating func awaitActivity(of node: Node, isInside: Bool) {
    let record = self[node]
    if isVoid(node) {
      answer.isRefused = true
      return
    }
    guard isInside, record.phase == .activating || record.phase == .resigning else {
      return wait(for: .whenActive, at: node, in: nil)
    }
    // It would wait for its own callback: there is no activation to come before that returns.
    answer.isRefused = record.phase == .resigning || record.isInterrupted
  }

  /// Whether a node, or the root above it, has left its place in the tree, and no call asks for its activity.
  mutating func isVoid(_ start: Node) -> Bool {
    var node = start
    while !isAskedFor(node) {
      if self[node].parent == .none { return self[node].hasLeft }
      node = self[node].parent
    }
    return false
  }

  /// Whether a call asks for the activity of a node, or for its next place.
  @inline(__always)
  func isAskedFor(_ node: Node) -> Bool {
    let record = self[node]
    return record.wantedState == .active || record.hasRefusedToResign || record.nextParent != .none
  }

  mutating func beginLoad(_ node: Node) {
    self[node].load = .running
    answer.effects.append(.load(node))
  }

  mutating func loadEnded(_ node: Node) {
    // The router may be gone: a routing that is no `Router` can leave while it loads.
    guard self[node].load == .running else { return }
    self[node].load = .done
    resolve(node)
    advance(node)
  }

  /// The router is gone: its descendants resign in T4's order, and its own interactor last (T10).
  mutating func routerEnded(_ node: Node, isReleased: Bool) {
    if isReleased { leave(node) }
    self[node].load = .noRouter
    resolve(node)
    let parent = self[node].parent
    if parent != .none { unlink(node) }
    var child = self[node].first
    while child != .none {
      self[child].isLeaving = true
      child = self[child].next
    }
    if self[node].wantedState != .none || self[node].first != .none { deactivateAll(from: node) }
    child = self[node].first
    while child != .none {
      let next = self[child].next
      if !self[child].isRestless { place(child) }
      child = next
    }
    noteRest(node)
    // Only a routing that is no `Router` lets a child go so: its waking or resignation may have come to it.
    if parent != .none { advance(parent) }
  }

  /// Lets a child leave if it is quiet, and then join where it is wanted.
  mutating func place(_ child: Node) {
    if self[child].isLeaving {
      guard !self[child].isRestless else { return }
      let parent = self[child].parent
      let isAwaited = self[parent].isWaking && self[parent].cursor == child
      answer.effects.append(.detached(child, from: parent))
      unlink(child)
      self[child].isLeaving = false
      if self[child].nextParent == .none { leave(child) }
      noteRest(parent)
      // Its waking would otherwise wait for a child that has left.
      if isAwaited { advance(parent) }
    }
    if self[child].parent == .none, self[child].nextParent != .none {
      let parent = self[child].nextParent
      self[child].nextParent = .none
      pendingCount -= 1
      join(child, parent)
    }
    resolve(child)
  }

  private mutating func leave(_ node: Node) {
    self[node].hasLeft = true
    refuseWaits(for: node)
    refuseWaits(below: node)
  }

  /// A router that is not to be attached after all has left its place, unless another call asks for it.
  mutating func passOver(_ node: Node) {
    guard self[node].parent == .none, !isAskedFor(node) else { return }
    leave(node)
  }

  /// A child that is adopted sleeps with a parent that sleeps or is to resign; it is woken by the routing that has attached it.
  ///
  /// A routing is not believed that it stands above itself, or has a child that a router is about to attach.
  mutating func adopt(_ child: Node, by parent: Node) {
    guard wantedParent(of: child) == .none, !self[child].isLeaving, !isAbove(child, parent) else { return }
    link(child, to: parent)
    self[child].hasLeft = false
    if !wakesChildren(self[parent]) { deactivateAll(from: child) } else { refuseWaits(below: child) }
    passOnPermission(from: parent, beside: child)
    // It may have to load now, and its activation is complete before that.
    resolve(child)
  }

  mutating func disown(_ child: Node) {
    let parent = self[child].parent
    guard parent != .none else { return }
    unlink(child)
    for node in awaiting where self[node].awaitsWaking && isAbove(child, node) { endWaitForWaking(of: node) }
    // The parent does not permit it to resign any more, nor does it wait any more for a load that a parent asks for.
    permitResignation(of: child)
    advance(child)
    advance(parent)
  }

  private mutating func join(_ child: Node, _ parent: Node) {
    // First, since the parent may begin to load now, and finds its children in the order in which they resign.
    answer.effects.append(.attached(child, to: parent))
    link(child, to: parent)
    self[child].hasLeft = false
    if wakesChildren(self[parent]) {
      passOnPermission(from: parent, beside: child)
      return wake(child)
    }
    var id = self[child].requests
    while id >= 0 {
      if requests[Int(id)].call == .attach { requests[Int(id)].call = .attachInactive }
      id = requests[Int(id)].next
    }
    deactivateAll(from: child)
    passOnPermission(from: parent, beside: child)
  }

  /// Permits a child of a parent that resigns to do so, once the one that has joined is to resign, too: it is the last, and
  /// comes first.
  private mutating func passOnPermission(from parent: Node, beside child: Node) {
    if self[child].isRestless { advance(parent) }
  }

  /// Whether attached children have to be active (T7).
  private func wakesChildren(_ record: Record) -> Bool {
    switch record.wantedState {
    case .none: true
    case .active: record.isFullyActive || (record.phase == .activating && !record.isInterrupted)
    case .inactive: false
    }
  }
}
