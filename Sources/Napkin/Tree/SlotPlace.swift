// SPDX-License-Identifier: Apache-2.0

/// A slot of any type.
@MainActor
protocol SlotOwner {
  var place: SlotPlace { get }
}

extension ChildSlot: SlotOwner {}

/// The children of a slot, whatever type the slot knows them by, and the calls that decide about them.
///
/// It is apart from `ChildSlot` since a generic class is not specialised in an app, and twice as slow then.
@MainActor
final class SlotPlace {
  /// A child that the parent was asked to attach, or is about to be, for a call of `show`.
  struct Occupant {
    let router: any Routing
    /// The last call that has shown it.
    var call: Int
    /// The slot has the parent detach it, and it has not left.
    var isLeaving = false
    /// The slot has had it attached before it had left: it leaves to come back.
    var isToReturn = false
    /// The last call that goes on though the child leaves, since a callback of that may wait for the call.
    var passedBy = 0
  }

  // The main actor alone uses all of this, and no access lasts over a call: exclusivity need not be checked.
  @exclusivity(unchecked) private(set) weak var parent: (any Routing)?
  /// The parent's node, which lives as long as the parent; nil if the parent's attach does more than its node's.
  unowned let node: RouterNode?
  /// The number of calls so far; the last one decides.
  @exclusivity(unchecked) private(set) var calls = 0
  /// The last call is to show a child, and has not built it.
  @exclusivity(unchecked) private(set) var isUndecided = false
  /// The child of the last call that has built one; nil after a `clear()`.
  @exclusivity(unchecked) private(set) var newest: Occupant?
  /// The children that were handed to the parent, and have not left as far as the slot knows.
  ///
  /// A step of the driver reads it, on the main actor as well: to ask for that at each detach costs more than a swap may.
  @exclusivity(unchecked) private nonisolated(unsafe) var occupants: [Occupant] = []
  let views: SlotViews?

  /// The newest child, while it is on its way and while the parent has it.
  var present: (any Routing)? {
    guard let router = newest?.router, let parent else { return nil }
    // A child that leaves comes back, and one that was not handed over will be.
    let isHandedOver = occupants.contains { $0.router === router && !$0.isLeaving }
    return !isHandedOver || has(router, parent) ? router : nil
  }

  /// Whether there is a child, or the last call builds one.
  var isTaken: Bool { parent != nil && (isUndecided || present != nil) }

  init(of parent: any Routing, _ views: SlotViews?) {
    self.parent = parent
    node = (parent as? any PlainNodeOwner)?.node
    self.views = views
    views?.place = self
    (parent as? any NodeOwner)?.node.enter(self)
  }

  /// Takes the place for a call, before anything is built for it.
  func begin(clears: Bool = false) -> Int {
    calls += 1
    isUndecided = !clears
    note(.called(calls, clears: clears))
    return calls
  }

  /// Takes the place for no child.
  func beginEmpty() -> Int {
    empty()
    return begin(clears: true)
  }

  /// Takes the place from the child of the last call that has built one.
  func empty() {
    newest = nil
    views?.withdraw()
  }

  /// The reason why a built child may not be attached; nil if it may, or the slot has had it attached already.
  func mistake(of router: any Routing, joining parent: any Routing) -> TreeMachine.Mistake? {
    guard let mistake = RouterNode.mistake(of: router, joining: node ?? RouterNode.knownNode(of: parent)) else {
      let isByHand = node == nil && has(router, parent) && !keeps(router)
      return isByHand ? .attached(to: .none) : nil
    }
    if case .attached = mistake, keeps(router), has(router, parent) { return nil }
    return mistake
  }

  private func keeps(_ router: any Routing) -> Bool { occupants.contains { $0.router === router && !$0.isLeaving } }

  /// Reports a call whose child may not be attached: the present child stays.
  func report(
    _ mistake: TreeMachine.Mistake, of router: any Routing, joining parent: any Routing, for call: Int,
    at callSite: CallSite
  ) {
    let (child, owner) = (ObjectIdentifier(router), ObjectIdentifier(parent))
    LifecycleObservation.notify(.attachRequested(child: child, parent: owner))
    RouterNode.report(mistake, child: router, parent: parent, isShown: true, callSite)
    LifecycleObservation.notify(.attachReturned(child: child, parent: owner))
    isUndecided = false
    note(.returned(call, isShown: false))
  }

  /// Forgets the newest child: the parent has refused it.
  func refuse() {
    guard let newest else { return }
    note(.returned(newest.call, isShown: false))
    self.newest = nil
    occupants.removeAll { $0.router === newest.router }
    views?.empty()
  }

  /// Decides for the child that a call has built.
  func decide(_ router: any Routing, for call: Int) {
    newest = Occupant(router: router, call: call)
    isUndecided = false
    views?.withdraw()
  }

  /// Whether the newest child is that of a call; nil is the call of no child.
  @inline(__always)
  func isNewest(_ call: Int?) -> Bool { newest?.call == call }

  /// The next child to detach while a call decides: every other than its own, and its own, too, if that leaves already.
  ///
  /// It stays until it has left, so that each call waits for it that may. A router is nil for the call of no child.
  @inline(__always)
  func nextToLeave(before call: Int, for router: (any Routing)?) -> Occupant? {
    guard !occupants.isEmpty, isNewest(router == nil ? nil : call) else { return nil }
    return nextToLeave(call, router)
  }

  private func nextToLeave(_ call: Int, _ router: (any Routing)?) -> Occupant? {
    var index = occupants.count - 1
    while isPassed(index, by: call, router) {
      guard index > 0 else { return nil }
      index -= 1
    }
    occupants[index].isLeaving = true
    return occupants[index]
  }

  /// Whether a call leaves an occupant alone: it may not wait for that, shows it, or finds that it returns by another way.
  private func isPassed(_ index: Int, by call: Int, _ router: (any Routing)?) -> Bool {
    if occupants[index].passedBy == call { return true }
    guard occupants[index].isLeaving, let parent else { return occupants[index].router === router }
    return has(occupants[index].router, parent)
  }

  /// A detach for a call has returned: mostly the child has left, and the parent's node has said so.
  @inline(__always)
  func detachReturned(_ occupant: Occupant, to call: Int) {
    if !occupants.isEmpty { detachReturned(call, occupant.router) }
  }

  private func detachReturned(_ call: Int, _ router: any Routing) {
    guard let index = occupants.firstIndex(where: { $0.router === router && $0.isLeaving }) else { return }
    if leavesTree(router) { occupants[index].passedBy = call } else { occupants.remove(at: index) }
  }

  /// Whether a child has been detached, and has not left.
  private func leavesTree(_ router: any Routing) -> Bool {
    guard let parent, let node = node ?? RouterNode.knownNode(of: parent) else { return false }
    return node.isLeaving(router)
  }

  /// Hands the newest child to the parent; false if that has it already.
  func enterNewest(_ parent: any Routing) -> Bool {
    guard let newest else { return false }
    if let index = occupants.firstIndex(where: { $0.router === newest.router }) {
      occupants[index].call = newest.call
      if !occupants[index].isLeaving, has(newest.router, parent) { return false }
      occupants[index].isLeaving = false
    } else {
      occupants.append(newest)
    }
    // A plain router says so when it attaches it.
    if node == nil, RouterNode.knownNode(of: parent)?.isLeaving(newest.router) == true { expectReturn() }
    return true
  }

  /// The newest child has to leave the parent before it joins that for the slot.
  func expectReturn() {
    guard let newest, let index = occupants.firstIndex(where: { $0.router === newest.router }) else { return }
    occupants[index].isToReturn = true
  }

  /// Forgets a child that the parent was asked to attach, and has not, or has no more.
  func forget(_ router: any Routing) {
    if newest?.router === router { newest = nil }
    guard let index = occupants.firstIndex(where: { $0.router === router }) else { return }
    if leavesTree(router) { occupants[index].isLeaving = true } else { occupants.remove(at: index) }
  }

  /// Ends the waits for a child that was built and is not attached, unless a later call has built the same child.
  func passOver(_ router: any Routing) {
    if newest?.router !== router { RouterNode.passOver(router) }
    if parent == nil { endWithParent() }
  }

  /// The parent is gone, so that nothing more is shown; a `clear()` may have left the views to a call that comes to this.
  func endWithParent() { if newest == nil { views?.empty() } }

  /// Forgets a child that has left, even if it is to come back by another way.
  nonisolated func childLeft(_ router: any Routing) {
    guard let index = occupants.firstIndex(where: { $0.router === router }) else { return }
    if occupants[index].isLeaving {
      occupants.remove(at: index)
      return
    }
    MainActor.assumeIsolated {
      // A detach by hand may have withdrawn the slot's attach.
      if occupants[index].isToReturn, let parent, has(router, parent) {
        occupants[index].isToReturn = false
      } else {
        forget(at: index)
      }
    }
  }

  private func forget(at index: Int) {
    // A call that has decided since goes on.
    guard isNewest(occupants.remove(at: index).call) else { return }
    newest = nil
    views?.empty()
  }

  /// Notifies the observers of a step; in an app there are none, and the step is not made.
  @inline(__always)
  func note(_ step: @autoclosure () -> SlotEvent.Kind) {
    guard LifecycleObservation.isWatched, let parent else { return }
    let slot = views.map { ObjectIdentifier($0) } ?? ObjectIdentifier(self)
    LifecycleObservation.notify(.slot(SlotEvent(slot: slot, parent: ObjectIdentifier(parent), kind: step())))
  }

  func has(_ child: any Routing, _ parent: any Routing) -> Bool {
    node?.wants(child) ?? RouterNode.isWanted(child, under: parent)
  }
}
