// SPDX-License-Identifier: Apache-2.0

internal import Napkin

extension ObservedTree {
  /// A call about a router or an interactor that has not returned.
  package struct Call: Sendable {
    package enum Kind: Sendable, Equatable {
      case attach(to: ID)
      case detach(from: ID)
      case activate, deactivate
    }

    package let kind: Kind
    /// Its place among all calls and returns of the execution.
    package let moment: Int
    /// Made from inside a callback: it need not wait for its effect.
    package let isInside: Bool
    /// Whether it asks for anything at all: an attach that is misuse, or a detach of a router that is no child, does not.
    package var hasEffect = true
    /// How often the interactor of a child had changed, if a detach asks for nothing.
    package var transitions = 0
  }

  /// The calls about one router or interactor: whether one may have superseded another.
  package struct Calls: Sendable {
    private var latest: (kind: Call.Kind, moment: Int)?
    /// The latest moment of a call of another kind than the latest.
    private var latestOther = 0
    private var underWay: [Call] = []
    private var loose: Call.Kind?
    private var isLoose = false

    /// The call of a kind that returns now: one that need not wait, if there is one, else the oldest.
    package func returning(_ kind: Call.Kind) -> Call? { index(of: kind).map { underWay[$0] } }

    private func index(of kind: Call.Kind) -> Int? {
      underWay.firstIndex { $0.kind == kind && (!$0.hasEffect || $0.isInside) }
        ?? underWay.firstIndex { $0.kind == kind }
    }

    /// Whether a call that asks for something else was made or has returned since this one, or is under way beside it.
    package func disturb(_ call: Call) -> Bool {
      let other = latest.map { $0.kind == call.kind ? latestOther : $0.moment } ?? 0
      return isLoose || (loose.map { $0 != call.kind } ?? false) || other > call.moment
        || underWay.contains { $0.hasEffect && $0.kind != call.kind }
    }

    /// Whether no request was made since a moment that is still carried out, or was carried out.
    func hasNone(since moment: Int) -> Bool {
      !isLoose && loose == nil && (latest?.moment ?? 0) < moment && !isUnderWay
    }

    /// Whether a call that asks for something has not returned.
    var isUnderWay: Bool { underWay.contains(where: \.hasEffect) }

    /// How many are busy at the moment, work that no call waits for included; nil if that is unknown.
    var actors: Int? { loose == nil ? underWay.count(where: \.hasEffect) + (isLoose ? 1 : 0) : nil }

    /// Whether nothing is asked for, but that the parent has ended.
    var areLeftAlone: Bool { loose == nil && !isUnderWay }

    mutating func began(_ call: Call) {
      underWay.append(call)
      guard call.hasEffect else { return }
      touch(call.kind, call.moment)
      guard call.isInside else { return }
      // The request goes on after the call has returned.
      isLoose = isLoose || (loose.map { $0 != call.kind } ?? false)
      loose = call.kind
    }

    mutating func returned(_ kind: Call.Kind, at moment: Int) {
      guard let index = index(of: kind) else { return }
      if underWay.remove(at: index).hasEffect { touch(kind, moment) }
    }

    private mutating func touch(_ kind: Call.Kind, _ moment: Int) {
      if let latest, latest.kind != kind { latestOther = latest.moment }
      latest = (kind, moment)
    }

    /// Something goes on that no call waits for.
    mutating func becomeUntracked(at moment: Int) {
      latestOther = moment
      latest?.moment = moment
      isLoose = true
    }

    mutating func comeToRest() {
      loose = nil
      isLoose = false
    }
  }

  /// A parent, and its number, since its identity may be another's once it is gone.
  struct Place: Sendable, Equatable {
    let id: ID
    let number: Int
  }

  /// Enters a call, or its return, and its effect in the sequential model of a tree (T2, T3, T6): calls take effect at once,
  /// in the order in which they arrive.
  ///
  /// An attach is carried out unless the child is wanted somewhere already, or is the parent or above it. A detach is
  /// carried out if the child is wanted by that parent. Nothing else moves a child, but the end of its parent.
  mutating func call(_ event: LifecycleEvent) {
    switch event {
    case .attachRequested(let child, let parent):
      let call = newCall(.attach(to: parent), hasEffect: mayJoin(child, parent))
      let place = nodes[parent].map { Place(id: parent, number: $0.number) }
      if call.hasEffect { nodes[child]?.wanted = place }
      nodes[child]?.calls.began(call)
    case .detachRequested(let child, let parent):
      let isWanted = nodes[child]?.wanted?.id == parent
      var call = newCall(.detach(from: parent), hasEffect: isWanted || nodes[child]?.parent == parent)
      if !call.hasEffect { call.transitions = interactor(ofRouter: child)?.transitions ?? 0 }
      if isWanted { nodes[child]?.wanted = nil }
      nodes[child]?.calls.began(call)
    case .attachReturned(let child, let parent): returned(.attach(to: parent), router: child)
    case .detachReturned(let child, let parent): returned(.detach(from: parent), router: child)
    case .visited(let id, let wakes): interactors[id]?.visits[wakes, default: 0] += 1
    case .requested(let id, let active, let mayVisit): request(id, active, mayVisit: mayVisit)
    case .requestReturned(let id, let active):
      let kind = active ? Call.Kind.activate : .deactivate
      guard interactors[id]?.calls.returning(kind) != nil else { return }
      let now = nextMoment()
      interactors[id]?.calls.returned(kind, at: now)
    default: break
    }
  }

  private mutating func returned(_ kind: Call.Kind, router: ID) {
    let now = nextMoment()
    nodes[router]?.calls.returned(kind, at: now)
  }

  private mutating func request(_ id: ID, _ active: Bool, mayVisit: Bool) {
    // A call of another task that comes between a visit and its own request is a direct one.
    guard let visits = interactors[id].map({ $0.visits[active, default: 0] }) else { return }
    interactors[id]?.wasAskedAtRest = !active && interactors[id]?.callback == nil
    if mayVisit, visits > 0 {
      interactors[id]?.visits[active] = visits - 1
      // A direct call that is under way came before the tree's decision, or after it and so superseded the visit.
      interactors[id]?.isAskedByBoth = interactors[id]?.calls.isUnderWay == true
      interactors[id]?.lastDirectRequest = nil
    } else {
      let call = newCall(active ? .activate : .deactivate)
      interactors[id]?.lastDirectRequest = call
      interactors[id]?.isAskedByBoth = false
      interactors[id]?.wasAskedDirectly = true
      interactors[id]?.calls.began(call)
    }
  }

  private mutating func newCall(_ kind: Call.Kind, hasEffect: Bool = true) -> Call {
    Call(kind: kind, moment: nextMoment(), isInside: isCallerInside, hasEffect: hasEffect)
  }

  mutating func nextMoment() -> Int {
    moment += 1
    return moment
  }

  /// Whether an attach asks for anything, since it is no misuse.
  func mayJoin(_ child: ID, _ parent: ID) -> Bool {
    guard wantedParent(of: child) == nil else { return false }
    // A router counts as above the parent if it stands there, even if it leaves, or is wanted there.
    var open = [parent]
    var seen: Set<ID> = []
    while let id = open.popLast() {
      if id == child { return false }
      guard seen.insert(id).inserted else { continue }
      if let above = nodes[id]?.parent { open.append(above) }
      if let above = wantedParent(of: id) { open.append(above) }
    }
    return true
  }

  /// The place of a router in the model.
  package func wantedParent(of id: ID) -> ID? {
    guard let place = nodes[id]?.wanted, nodes[place.id]?.number == place.number else { return nil }
    return place.id
  }

  /// Whether a call may have been superseded, by another about a router or about one above it.
  package func isDisturbed(_ call: Call, at router: ID) -> Bool {
    !chain(from: router) { node in
      !isDisturbed(call, by: node) && (node === nodes[router] || interactors[node.lifecycle]?.callback == nil)
    }
  }

  /// Whether a call may have been superseded by another about something in a subtree.
  package func isDisturbed(_ call: Call, within subtree: [ID]) -> Bool {
    subtree.contains { id in nodes[id].map { isDisturbed(call, by: $0) } ?? false }
  }

  private func isDisturbed(_ call: Call, by node: Node) -> Bool {
    node.calls.disturb(call) || interactors[node.lifecycle]?.calls.disturb(call) == true
  }

  /// Nothing is under way any more, not even work that no call waits for.
  package mutating func comeToRest() {
    for node in nodes.values { node.calls.comeToRest() }
    for id in interactors.keys { interactors[id]?.calls.comeToRest() }
  }
}
