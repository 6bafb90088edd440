// SPDX-License-Identifier: Apache-2.0

/// The steps of a node to its wanted state. Nothing here recurses along a tree's depth (T12).
extension TreeMachine {
  mutating func callbackReturned(_ node: Node) {
    switch self[node].phase {
    case .activating:
      self[node].phase = .active
      if self[node].isInterrupted { self[node].mayResign = true } else { noteRest(node) }
      advance(node)
      resolve(node)
    case .resigning:
      self[node].phase = .closing
      self[node].isInterrupted = false
      if isSilent(node) { closed(node) } else { answer.effects.append(.close(node)) }
    case .inactive, .active, .closing: preconditionFailure("A callback returned that was not running")
    }
  }

  mutating func closed(_ node: Node) {
    self[node].phase = .inactive
    // The search for children that had to resign ends here; a waking begins at the first child.
    self[node].cursor = .none
    advance(node)
    updateRestlessness(node)
    noteRest(node)
    resolve(node)
  }

  /// The callback did not run: nothing comes of another call either, unless a deactivation had overtaken this one.
  mutating func refused(_ node: Node) {
    let activates = self[node].phase == .activating
    let wasInterrupted = self[node].isInterrupted
    self[node].phase = activates ? .inactive : .active
    (self[node].isInterrupted, self[node].cursor) = (false, .none)
    if activates, self[node].wantedState == .active, !wasInterrupted {
      deactivateAll(from: node, staysInactive: true)
    } else if !activates, self[node].wantedState == .inactive {
      self[node].hasRefusedToResign = true
    }
    updateRestlessness(node)
    advance(node)
    noteRest(node)
    resolve(node)
  }

  /// Drops the objects that calls have brought, once none of them can be needed.
  mutating func noteRest(_ node: Node) {
    let record = self[node]
    guard record.phase == .active || (record.phase == .inactive && record.wantedState != .active),
      record.hasExtras, !record.isRestless, record.hasRouter || record.first == .none
    else { return }
    answer.effects.append(.rest(node))
  }

  /// Takes the next step of a node or, where that is a child's, of the child.
  mutating func advance(_ start: Node) {
    var node = start
    while true {
      let record = self[node]
      if record.wantedState == .active, !record.isInterrupted {
        if record.phase == .inactive { return begin(.didBecomeActive, of: node) }
        if record.phase == .active, record.isWaking { goOnWaking(node) }
        if !record.isToResign { return }
      }
      // Permission passes on below a callback that runs, too: the callback may wait for a node that resigns there.
      guard record.mayResign else { return }
      if record.restlessBelow == 0 {
        if record.phase == .active { begin(.willResignActive, of: node) }
        return
      }
      guard let child = nextToResign(below: node) else { return }
      self[child].mayResign = true
      node = child
    }
  }

  private mutating func begin(_ callback: Callback, of node: Node) {
    self[node].phase = callback == .didBecomeActive ? .activating : .resigning
    if callback == .didBecomeActive { self[node].wasActive = true }
    if isSkipped(callback, of: node) {
      due.append(.callbackReturned(node))
    } else {
      answer.effects.append(.begin(node, callback))
    }
  }

  /// Permits a node that is to resign to do so, as it is asked for itself or nothing above it passes permission on.
  mutating func permitResignation(of node: Node) {
    // The node below may have come to rest in the present event, before that was noted here.
    guard self[node].isToResign, !self[node].mayResign, isRestless(self[node]) else { return }
    self[node].mayResign = true
    advance(node)
  }

  /// The child to resign that was attached last; nil if it may resign already.
  ///
  /// The search continues where it ended, so that it takes one step for each child in total.
  private mutating func nextToResign(below node: Node) -> Node? {
    let first = self[node].first
    let last = self[first].previous
    var child = self[node].cursor == .none ? last : self[node].cursor
    for _ in 0..<2 {
      while !self[child].isToResign, child != first { child = self[child].previous }
      if self[child].isToResign {
        self[node].cursor = child
        return self[child].mayResign ? nil : child
      }
      child = last
    }
    return nil
  }

  /// Sets a node's wanted state to active: it wakes, and its descendants wake after it.
  mutating func wake(_ node: Node) {
    wantActive(node)
    advance(node)
    resolve(node)
  }

  /// Updates the children of a node that is wanted active from now on.
  ///
  /// Children that resign nevertheless are permitted to here, since the node passes no permission on. The activation of
  /// a child that is to load is complete, since its load belongs to the waking of the node now.
  private mutating func updateChildren(of node: Node) {
    var child = self[node].first
    while child != .none {
      let next = self[child].next
      if !wakesWithParent(child) { permitResignation(of: child) }
      if self[child].isWaking { resolve(child) }
      child = next
    }
  }

  private mutating func wantActive(_ node: Node) {
    let wasWanted = isWanted(node)
    self[node].want(.active)
    if !wasWanted { countWanted(above: node, 1) }
    updateRestlessness(node)
    if self[node].first != .none { updateChildren(of: node) }
  }

  /// Goes on with an active node's load, with its children, and then with those whose children waited for it.
  private mutating func goOnWaking(_ start: Node) {
    var node = start
    while true {
      let cursor = self[node].cursor
      if cursor != .none, self[cursor].isWaking { return }
      if needsLoad(node) {
        if self[node].load == .due { isOnMain ? beginLoad(node) : goOnOnMain(node) }
        return resolve(node)
      }
      var child = cursor == .none ? self[node].first : self[cursor].next
      while child != .none, !wakesWithParent(child) { child = self[child].next }
      guard child == .none else {
        self[node].cursor = child
        wantActive(child)
        if self[child].isFullyActive {
          resolve(child)
          node = child
          continue
        }
        advance(child)
        // A deactivation that the waking supersedes returns with it.
        return resolve(child)
      }
      self[node].cursor = .none
      self[node].isWaking = false
      resolve(node)
      guard let parent = parentWaiting(for: node) else { return }
      node = parent
    }
  }

  /// The parent whose waking has arrived at this child.
  @inline(__always)
  private mutating func parentWaiting(for node: Node) -> Node? {
    let parent = self[node].parent
    guard parent != .none, self[parent].cursor == node else { return nil }
    return self[parent].isWaking && self[parent].isFullyActive ? parent : nil
  }

  private func wakesWithParent(_ child: Node) -> Bool {
    let record = self[child]
    if record.isLeaving { return false }
    if record.wantedState != .active { return !record.staysInactive }
    return !record.isWaking && needsLoad(child)
  }

  /// Whether a waking node has become active, and waits for its load.
  func isLoadNext(_ node: Node) -> Bool {
    let record = self[node]
    return record.isWaking && record.isFullyActive && needsLoad(node)
  }

  func needsLoad(_ node: Node) -> Bool {
    let record = self[node]
    return (record.load == .due || record.load == .running) && !record.isLeaving
      && record.parent != .none && self[record.parent].wantedState != .inactive
  }

  /// Sets the wanted state of a subtree to inactive, cancels its activations, and lets it resign.
  mutating func deactivateAll(from top: Node, staysInactive: Bool = false) {
    let wasWanted = isWanted(top)
    // A node with requests does not wait for its siblings, and one that may resign passes permission on anew.
    var touched: [Node] = []
    var node = top
    descent: while true {
      wantInactive(node)
      if self[node].mayResign || isAsked(node) { touched.append(node) }
      var child = nextWanted(self[node].first)
      while child == .none {
        self[node].wantedBelow = 0
        if node == top { break descent }
        noteRestlessness(node)
        child = nextWanted(self[node].next)
        if child == .none { node = self[node].parent }
      }
      node = child
    }
    self[top].staysInactive = staysInactive
    if wasWanted { countWanted(above: top, -1) }
    refuseWaits(below: top)
    updateRestlessness(top)
    if self[top].isToResign { self[top].mayResign = true }
    if let parent = parentWaiting(for: top) { goOnWaking(parent) }
    advance(top)
    for node in touched {
      if self[node].mayResign { advance(node) } else if isAsked(node) { permitResignation(of: node) }
      resolve(node)
    }
  }

  @inline(__always)
  private mutating func nextWanted(_ start: Node) -> Node {
    var node = start
    while node != .none, !isWanted(node) { node = self[node].next }
    return node
  }

  private mutating func wantInactive(_ node: Node) {
    self[node].want(.inactive)
    if self[node].phase == .activating, !self[node].isInterrupted {
      self[node].isInterrupted = true
      answer.effects.append(.cancel(node))
    }
  }

  /// Whether a deactivation from above has to look here.
  @inline(__always)
  func isWanted(_ node: Node) -> Bool {
    let record = self[node]
    return record.wantedState != .inactive || record.wantedBelow > 0 || record.awaitsWaking
  }

  /// Notes that an attach waits until a waking that has begun above comes to a node.
  mutating func awaitWaking(of node: Node) {
    guard !self[node].awaitsWaking else { return }
    let wasWanted = isWanted(node)
    self[node].awaitsWaking = true
    if !wasWanted { countWanted(above: node, 1) }
    awaiting.append(node)
    changed.append(node)
  }

  /// Ends that wait: no waking comes any more.
  mutating func endWaitForWaking(of node: Node) {
    self[node].awaitsWaking = false
    if !isWanted(node) { countWanted(above: node, -1) }
    resolve(node)
  }

  private mutating func countWanted(above start: Node, _ change: Int32) {
    var node = self[start].parent
    while node != .none {
      let before = isWanted(node)
      self[node].wantedBelow += change
      if before == isWanted(node) { return }
      node = self[node].parent
    }
  }

  private func isRestless(_ record: Record) -> Bool {
    record.restlessBelow > 0 || resigns(record)
      || (record.wantedState == .inactive && record.phase != .inactive && !record.hasRefusedToResign)
  }

  /// Updates whether a node is restless, at the node and at its parent; false if that has not changed.
  @discardableResult
  private mutating func noteRestlessness(_ node: Node) -> Bool {
    let now = isRestless(self[node])
    let hasChanged = now != self[node].isRestless
    if hasChanged { self[node].isRestless = now }
    if self[node].mayResign, !self[node].isToResign { self[node].mayResign = false }
    guard hasChanged else { return false }
    let parent = self[node].parent
    guard parent != .none else { return true }
    self[parent].restlessBelow += now ? 1 : -1
    // The node may be a later child than the cursor, at which the search for the next to resign continues.
    if now, self[parent].isToResign { self[parent].cursor = .none }
    return true
  }

  /// Updates it at all ancestors, resumes the calls that waited for it, and passes the permission to resign on.
  mutating func updateRestlessness(_ start: Node) {
    var node = start
    while node != .none {
      guard noteRestlessness(node) else {
        if node != start { advance(node) }
        return
      }
      if !self[node].isRestless {
        if self[node].isLeaving { goOnOnMain(node) }
        noteRest(node)
        resolve(node)
      }
      node = self[node].parent
    }
  }

  mutating func link(_ child: Node, to parent: Node) {
    let first = self[parent].first
    let last = first == .none ? child : self[first].previous
    self[child].place(under: parent, after: last)
    if first == .none {
      self[parent].first = child
    } else {
      self[last].next = child
      self[first].previous = child
    }
    if isWanted(child) { countWanted(above: child, 1) }
    if self[child].mayBeAwaited { noteWait(at: parent) }
    if self[child].isRestless {
      self[parent].restlessBelow += 1
      // It is the last child now, so the search for the next to resign begins with it.
      if self[parent].isToResign { self[parent].cursor = .none }
      updateRestlessness(parent)
    }
  }

  mutating func unlink(_ child: Node) {
    let parent = self[child].parent
    if isWanted(child) { countWanted(above: child, -1) }
    let (next, previous, first) = (self[child].next, self[child].previous, self[parent].first)
    if self[parent].cursor == child { self[parent].cursor = child == first ? .none : previous }
    if next != .none { self[next].previous = previous } else if child != first { self[first].previous = previous }
    if child == first { self[parent].first = next } else { self[previous].next = next }
    self[child].place(under: .none, after: .none)
    if self[child].isRestless {
      self[parent].restlessBelow -= 1
      updateRestlessness(parent)
    }
  }
}
