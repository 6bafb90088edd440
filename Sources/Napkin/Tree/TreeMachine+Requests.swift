// SPDX-License-Identifier: Apache-2.0

/// The requests of waiting calls, each at its node.
extension TreeMachine {
  /// Adds a request to a node; nil if there is nothing to wait for, or only the caller itself.
  ///
  /// Where no callback ran before the present event, no circle closes: callbacks that begin in it have made no request.
  mutating func wait(for call: Call, at node: Node, in frame: Frame?, wasIdle: Bool? = nil) {
    if !due.isEmpty { goOn() }
    guard !isDone(call, at: node) else { return }
    let request = Request(call: call, node: node, frame: frame.flatMap { isRunning($0) ? $0 : nil })
    let id: Int32
    if let free = unusedRequests.popLast() {
      id = free
      requests[Int(id)] = request
    } else {
      id = Int32(requests.count)
      requests.append(request)
    }
    answer.request = id
    stand(id, at: node)
    guard let frame = request.frame else { return }
    namedCount += 1
    self[frame.node].named += 1
    let mayWait = call == .load || self[node].awaitsWaking || !(wasIdle ?? isIdle(node))
    guard mayWait, closesCircle(id) else { return }
    remove(id)
    answer.request = nil
  }

  /// Has a request count as one that a callback has made, as that waits for its caller.
  mutating func tie(_ id: Int32, to frame: Frame) {
    guard requests[Int(id)].frame == nil, isRunning(frame) else { return }
    let node = requests[Int(id)].node
    requests[Int(id)].frame = frame
    namedCount += 1
    self[frame.node].named += 1
    if requests[Int(id)].call == .whenActive {
      // There is no activation to come before the callback returns.
      guard frame.node == node, !frame.isLoad else { return }
      return finish(id, isFulfilled: self[node].phase == .activating && !self[node].isInterrupted)
    }
    if self[node].wantedState != .active, permitsResignation(requests[Int(id)]) { permitResignation(of: node) }
    if requests[Int(id)].node == node, closesCircle(id) { finish(id) }
  }

  /// Whether no callback can be running for which a request at a node waits; else it is searched for.
  @inline(__always)
  func isIdle(_ node: Node) -> Bool {
    let record = self[node]
    return record.first == .none && record.load != .running && (record.phase == .active || record.phase == .inactive)
  }

  private mutating func stand(_ id: Int32, at node: Node) {
    requests[Int(id)].node = node
    requests[Int(id)].next = self[node].requests
    self[node].requests = id
    if requests[Int(id)].call == .whenActive { noteWait(at: node) }
    if self[node].wantedState != .active, permitsResignation(requests[Int(id)]) { permitResignation(of: node) }
  }

  /// Whether a node does not wait for its siblings to resign, as it is asked for something itself.
  ///
  /// A wait for its activity changes nothing. Where only a caller waits for its resignation, no callback that a sibling
  /// waits for can depend on it.
  @inline(__always)
  private func permitsResignation(_ request: Request) -> Bool {
    switch request.call {
    case .whenActive: false
    case .follow: request.frame != nil
    default: true
    }
  }

  /// Finishes a request, fulfilled or not, and resumes its caller.
  mutating func finish(_ id: Int32, isFulfilled: Bool = true) {
    remove(id)
    // A request of the present event is finished before its call waits.
    if answer.request == id {
      answer.request = nil
      answer.isRefused = !isFulfilled
    } else {
      answer.effects.append(isFulfilled ? .resume(id) : .refuse(id))
    }
  }

  /// Notes that a wait may stand at a node, or below it.
  mutating func noteWait(at start: Node) {
    var node = start
    while node != .none, !self[node].mayBeAwaited {
      self[node].mayBeAwaited = true
      node = self[node].parent
    }
  }

  /// Ends the waits for a node that has left its place, and for its descendants, as far as no call asks for them.
  mutating func refuseWaits(below top: Node) {
    guard self[top].mayBeAwaited, isVoid(top) else { return }
    var node = top
    descent: while true {
      var child = Node.none
      if isAskedFor(node) {
        noteWait(at: self[node].parent)
      } else {
        self[node].mayBeAwaited = false
        refuseWaits(for: node)
        child = nextAwaited(self[node].first)
      }
      while child == .none {
        if node == top { break descent }
        child = nextAwaited(self[node].next)
        if child == .none { node = self[node].parent }
      }
      node = child
    }
  }

  private mutating func nextAwaited(_ start: Node) -> Node {
    var node = start
    while node != .none, !self[node].mayBeAwaited { node = self[node].next }
    return node
  }

  /// Ends the waits for the activity of a node that has left its place in the tree.
  mutating func refuseWaits(for node: Node) {
    var id = self[node].requests
    while id >= 0 {
      let next = requests[Int(id)].next
      if requests[Int(id)].call == .whenActive { finish(id, isFulfilled: false) }
      id = next
    }
  }

  /// Whether a node has a request for which it does not wait for its siblings to resign.
  @inline(__always)
  func isAsked(_ node: Node) -> Bool {
    var id = self[node].requests
    while id >= 0, !permitsResignation(requests[Int(id)]) { id = requests[Int(id)].next }
    return id >= 0
  }

  private mutating func remove(_ id: Int32) {
    let node = requests[Int(id)].node
    unhook(id, from: node)
    if let frame = requests[Int(id)].frame {
      namedCount -= 1
      self[frame.node].named -= 1
    }
    requests[Int(id)] = Request(call: .load, node: .none)
    finishedRequests.append(id)
  }

  private mutating func unhook(_ id: Int32, from node: Node) {
    if self[node].requests == id {
      self[node].requests = requests[Int(id)].next
      return
    }
    var before = self[node].requests
    while requests[Int(before)].next != id { before = requests[Int(before)].next }
    requests[Int(before)].next = requests[Int(id)].next
  }

  /// Finishes the fulfilled requests of a node.
  mutating func resolve(_ node: Node) {
    var id = self[node].requests
    while id >= 0 {
      let next = requests[Int(id)].next
      if isDone(requests[Int(id)].call, at: node) {
        // An attach that an ancestor's detach has superseded returns after that.
        if requests[Int(id)].call == .attach, let leaving = leavingAncestor(of: node) {
          unhook(id, from: node)
          requests[Int(id)].call = .follow
          stand(id, at: leaving)
          changed.append(leaving)
        } else {
          finish(id)
        }
      }
      id = next
    }
  }

  // Mutating, as some others that change nothing: the compiler copies the machine for a call that is not.
  private mutating func leavingAncestor(of node: Node) -> Node? {
    var next = self[node].parent
    while next != .none, self[next].wantedState == .inactive {
      if self[next].isLeaving { return next }
      next = self[next].parent
    }
    return nil
  }

  /// Whether a request is fulfilled, or was superseded by another one that is.
  @inline(__always)
  mutating func isDone(_ call: Call, at node: Node) -> Bool {
    let record = self[node]
    switch call {
    // The activation is complete before the load, which belongs to an attach.
    case .activate: return isSettled(record) || (record.wantedState == .active && isLoadNext(node))
    case .deactivate:
      return record.wantedState == .active ? !resigns(record) : !record.isRestless
    case .attach, .attachInactive:
      guard !record.isLeaving, record.nextParent == .none, isSettled(record) else { return false }
      // A child to which a waking will come is not dormant.
      guard record.wantedState == .inactive, !record.staysInactive, record.parent != .none else { return true }
      let waker = waker(of: node)
      guard waker != .none, self[waker].isWaking else { return true }
      awaitWaking(of: node)
      return false
    case .detach, .follow: return !record.isLeaving
    case .load: return record.load == .done || record.load == .noRouter
    // An interactor that is about to resign is not taken for active.
    case .whenActive:
      return record.isFullyActive && (record.wantedState == .active || record.hasRefusedToResign)
    }
  }

  private func isSettled(_ record: Record) -> Bool {
    !(record.wantedState == .active ? record.isWaking : record.isRestless)
  }

  /// Whether the node resigns or will resign, whatever its wanted state.
  func resigns(_ record: Record) -> Bool {
    record.phase == .resigning || record.phase == .closing || record.isInterrupted
  }
}
