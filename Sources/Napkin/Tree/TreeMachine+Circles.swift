// SPDX-License-Identifier: Apache-2.0

/// Waits that would close a cycle (T8).
///
/// A request waits for callbacks, and a callback for the requests that were made in its name. The requests that a callback
/// holds up are read off the state: at its own node, and at the nodes above it that wake or resign with it. So no wait has
/// to be entered when the tree changes; the requests in a callback's name are looked at again.
extension TreeMachine {
  /// Notes a node at which a path from a callback to the requests that it holds up may have become longer.
  ///
  /// A path that becomes shorter closes no circle. Nor does one through a node with nothing below it in whose name nothing
  /// waits: no path begins there.
  @inline(never)
  mutating func noteTies(of node: Node, _ before: Record) {
    let after = records[Int(node.index)]
    guard after.first != .none || after.named > 0 else { return }
    let isTied =
      (after.isWaking && !before.isWaking) || (after.isRestless && !before.isRestless)
      || after.wantedState != before.wantedState || (after.isInterrupted && !before.isInterrupted)
      || (after.isLeaving && !before.isLeaving)
      || (after.isLoading && !before.isLoading) || (after.parent != before.parent && after.parent != .none)
      || (after.cursor != before.cursor && after.cursor != .none)
    // Where it stands below nothing there is no load to come.
    let hasNoLoadToAwait = (before.isLoading && !after.isLoading) || (after.parent == .none && before.parent != .none)
    let awaitsChildren = hasNoLoadToAwait && isAskedToActivate(node)
    if isTied || awaitsChildren { changed.append(node) }
    // The waking of children waits for their loads once their parent is wanted.
    guard after.wantedState != before.wantedState, after.wantedState != .inactive else { return }
    var child = after.first
    while child != .none {
      if records[Int(child.index)].load == .running { changed.append(child) }
      child = records[Int(child.index)].next
    }
  }

  /// Whether a node has a request that waits for its children once its load has ended.
  private func isAskedToActivate(_ node: Node) -> Bool {
    var id = records[Int(node.index)].requests
    while id >= 0, requests[Int(id)].call != .activate { id = requests[Int(id)].next }
    return id >= 0
  }

  /// Answers requests that have come to wait for the callback in whose name they were made.
  ///
  /// A circle that has closed passes through a request at a node that has changed, or above one.
  mutating func answerCircles() {
    defer { changed.removeAll(keepingCapacity: true) }
    guard namedCount > 0 else { return }
    var seen: Set<Node> = []
    for start in changed + awaiting {
      var node = start
      while node != .none, seen.insert(node).inserted {
        answerCircles(at: node)
        node = self[node].parent
      }
    }
  }

  private mutating func answerCircles(at node: Node) {
    var id = self[node].requests
    while id >= 0 {
      let next = requests[Int(id)].next
      if closesCircle(id) { finish(id) }
      id = next
    }
  }

  /// Whether a request is to be answered, as it waits for the callback in whose name it was made.
  ///
  /// Its caller then goes on beside activations that were to have ended first. Those are cancelled before that, since
  /// the call that has interrupted them may not have come to it (L5).
  mutating func closesCircle(_ request: Int32) -> Bool {
    guard waitsForItself(request) else { return false }
    let cancelled = Set(answer.effects)
    for node in running(before: request).map(\.node) where self[node].phase == .activating && self[node].isInterrupted {
      if !cancelled.contains(.cancel(node)) { answer.effects.append(.cancel(node)) }
    }
    return true
  }

  /// Whether the callback on whose behalf a request was made delays that request, directly or through others.
  func waitsForItself(_ request: Int32) -> Bool {
    guard let frame = requests[Int(request)].frame, isRunning(frame) else { return false }
    let goal = wakingAncestor(request)
    var seen: Set<Frame> = [frame]
    var open = [frame]
    while let next = open.popLast() {
      var isCircle = false
      forEachHeldUp(by: next) { held, node in
        if held == request || (node != nil && node == goal) { isCircle = true }
        guard held >= 0, let other = requests[Int(held)].frame, isRunning(other) else { return }
        if seen.insert(other).inserted { open.append(other) }
      }
      if isCircle { return true }
    }
    return false
  }

  /// The nearest waking node, from a request's own upwards, whose waking begins the load that the request waits for, or
  /// comes to the node of an attach.
  private func wakingAncestor(_ request: Int32) -> Node? {
    var node = requests[Int(request)].node
    switch requests[Int(request)].call {
    case .load: guard self[node].load == .due else { return nil }
    case .attach, .attachInactive: guard self[node].awaitsWaking else { return nil }
    default: return nil
    }
    while node != .none {
      if self[node].isWaking { return node }
      node = self[node].parent
    }
    return nil
  }

  /// Visits the requests that a callback delays, and the nodes whose waking it delays, with a request below zero.
  private func forEachHeldUp(by frame: Frame, _ body: (Int32, Node?) -> Void) {
    let record = self[frame.node]
    if frame.isLoad {
      forEachRequest(at: frame.node) { id in
        if requests[Int(id)].call == .load { body(id, nil) }
      }
      if isLoadNext(frame.node) { holdUpWaking(of: frame.node, body) }
      return
    }
    if record.isWaking { holdUpWaking(of: frame.node, body) }
    if record.isRestless { restlessPath(frame.node, body) }
  }

  /// Visits the requests and nodes that wait for the waking of a node, or for the rest of the nodes woken after it.
  private func holdUpWaking(of node: Node, _ body: (Int32, Node?) -> Void) {
    let delayed = wakingPath(node, body)
    if delayed != .none { restlessPath(delayed, body) }
  }

  /// Whether a child is to resign until it is woken, which comes after the activation and the load of its parent.
  private func delaysRest(below node: Node) -> Bool {
    guard self[node].restlessBelow > 0 else { return false }
    var child = self[node].first
    while child != .none, !self[child].isToResign || self[child].mayResign { child = self[child].next }
    return child != .none
  }

  /// Returns the lowest node on the path below which a rest is delayed.
  @discardableResult
  private func wakingPath(_ start: Node, _ body: (Int32, Node?) -> Void) -> Node {
    var (node, delayed) = (start, Node.none)
    while true {
      if delayed == .none, delaysRest(below: node) { delayed = node }
      for other in awaiting where self[other].awaitsWaking {
        forEachRequest(at: other) { id in if wakingAncestor(id) == node { body(id, nil) } }
      }
      body(-1, node)
      forEachRequest(at: node) { id in
        switch requests[Int(id)].call {
        case .attach, .attachInactive: body(id, nil)
        case .activate: if !isLoadNext(node) { body(id, nil) }
        case .load: if self[node].load == .due { body(id, nil) }
        case .deactivate, .detach, .follow, .whenActive: break
        }
      }
      let parent = self[node].parent
      guard parent != .none, self[parent].cursor == node, self[parent].isWaking else { return delayed }
      node = parent
    }
  }

  private func restlessPath(_ start: Node, _ body: (Int32, Node?) -> Void) {
    var node = start
    while node != .none, self[node].isRestless {
      let record = self[node]
      // An interrupted interactor resigns, after all below it, before it is active again.
      let isToResign = record.wantedState != .active || record.isInterrupted
      forEachRequest(at: node) { id in
        switch requests[Int(id)].call {
        case .detach, .follow: body(id, nil)
        case .attach, .attachInactive: if isToResign || record.isLeaving { body(id, nil) }
        case .activate: if isToResign { body(id, nil) }
        case .deactivate: if isToResign || node == start { body(id, nil) }
        case .load, .whenActive: break
        }
      }
      if node != start, record.isWaking, record.isInterrupted { wakingPath(node, body) }
      node = record.parent
    }
  }

  private func forEachRequest(at node: Node, _ body: (Int32) -> Void) {
    var id = self[node].requests
    while id >= 0 {
      body(id)
      id = requests[Int(id)].next
    }
  }

  /// The callbacks and loads that a request waits for.
  func running(before request: Int32) -> [Frame] {
    let (call, start) = (requests[Int(request)].call, requests[Int(request)].node)
    let isForLoad = call == .load
    var running: [Frame] = []
    var open: [Node] = []
    var next: Node? = start
    while let node = next {
      let record = self[node]
      if record.phase == .activating || record.phase == .resigning { running.append(Frame(node: node, isLoad: false)) }
      if record.load == .running, isLoadNext(node) || (isForLoad && node == start) {
        running.append(Frame(node: node, isLoad: true))
      }
      if record.restlessBelow == 0, record.isWaking, record.cursor != .none {
        open.append(record.cursor)
      }
      var child = record.restlessBelow == 0 ? .none : record.first
      while child != .none {
        if self[child].isRestless { open.append(child) }
        child = self[child].next
      }
      next = open.popLast()
    }
    return running
  }
}
