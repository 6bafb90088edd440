// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The non-generic part of every `Router`.
///
/// A test kit's mock is one too, so that it keeps the contract without being a `Router`.
@MainActor
package protocol NodeOwner: Routing {
  /// The router's node in the tree.
  var node: RouterNode { get }

  /// Called once, after the first activation.
  func didLoad() async

  /// The tree is about to call `didLoad()`, without a call of `load()`.
  func treeLoads()
}

extension NodeOwner {
  package func treeLoads() {}
}

/// A node owner whose node alone carries out its attaches and detaches: a `Router`, and not a mock.
protocol PlainNodeOwner: NodeOwner {}

/// A router's place in the tree, or that of another `Routing` while a router is its parent.
///
/// It refers to its children. Everything else about it stands in the machine, at the node of the interactor's lifecycle.
@MainActor
package final class RouterNode {
  /// The interactor of this node.
  package nonisolated let interactable: any Interactable
  /// The attached children, of which the list may have to be closed up.
  ///
  /// The main actor alone changes it, but for the router's `deinit`, when nothing else refers to the node. So no two
  /// accesses overlap, and neither isolation nor exclusivity is checked.
  @exclusivity(unchecked) private nonisolated(unsafe) var list = ChildList()
  /// The router, which owns this node.
  nonisolated(unsafe) private(set) unowned(unsafe) var owner: (any Routing)?
  nonisolated let number: TreeMachine.Node

  /// Makes the node of a router that is being made itself; `begin(of:)` follows, and `end()` with the router's `deinit`.
  package init(interactable: any Interactable, type: Any.Type) {
    self.interactable = interactable
    number = interactable.lifecycle.node
  }

  /// The attached children, in the order in which they were attached.
  package var children: [any Routing] { list.all }

  nonisolated var lifecycle: InteractorLifecycle { interactable.lifecycle }
  var name: String { owner.map { "\(type(of: $0))" } ?? "a router" }

  /// Connects the node to its router, which is complete.
  package func begin(of owner: any Routing) {
    self.owner = owner
    guard lifecycle === lifecycle else {
      return Misuse.reportComputed(lifecycleOf: interactable, by: owner)
    }
    guard TreeDriver.state.withLock({ $0.enter(self) }) else {
      return Misuse.reportShared(interactor: interactable, by: owner)
    }
    LifecycleObservation.notify(
      .routerCreated(ObjectIdentifier(owner), name: name, lifecycle: ObjectIdentifier(lifecycle)))
  }

  /// Ends the node of a released router: its descendants resign in T4's order, its own interactor last (T10).
  package func end() {
    if let owner { LifecycleObservation.notify(.routerDeinit(ObjectIdentifier(owner))) }
    let (interactable, children) = (interactable, children)
    list = ChildList()
    for child in children { Self.orphans[RouterNode.known(of: child)?.number ?? .none] = child }
    var work = TreeDriver.Work(onMain: true)
    TreeDriver.state.withLock { $0.end(self, interactable, &work) }
    owner = nil
    // A release may happen within an access to a variable, which must not last while a task starts on this stack.
    work.carryOut(mayStartTasks: false)
  }

  /// Runs `didLoad()` once; a second caller waits for its end, unless that waits for the caller's callback.
  package func load(_ owner: any NodeOwner) async {
    let work = TreeDriver.handle(.load(number, begins: true, in: CallbackFrame.currentName), onMain: true)
    await work.waiter?.waitOnMain()
  }

  /// Returns once `didLoad()` has completed, or the waiting task is cancelled.
  package func loaded() async {
    let work = TreeDriver.handle(.load(number, begins: false, in: CallbackFrame.currentName), onMain: true)
    await work.waiter?.waitUntilCancelled()
  }

  static func load(_ owner: any Routing) async {
    LifecycleObservation.notify(.loadBegan(ObjectIdentifier(owner)))
    if let router = owner as? any NodeOwner {
      router.treeLoads()
      await router.didLoad()
    } else {
      await owner.load()
    }
    LifecycleObservation.notify(.loadEnded(ObjectIdentifier(owner)))
  }
}

/// Attaching and detaching.
extension RouterNode {
  /// Adds a child, activates it and loads it, unless a later call supersedes this one.
  @inline(__always)
  package func attach(_ child: any Routing, to owner: any Routing, callSite: CallSite?) async {
    let number = child.interactable.lifecycle.node
    if let waiter = attachRequested(child, number, to: owner, callSite: callSite) { await waiter.waitOnMain() }
    attachReturned(child, to: owner)
  }

  /// Deactivates a child's whole subtree, then removes the child.
  @inline(__always)
  package func detach(_ child: any Routing, from owner: any Routing, callSite: CallSite?) async {
    if let waiter = detachRequested(child, from: owner, callSite: callSite) { await waiter.waitOnMain() }
    detachReturned(child, from: owner)
  }

  // The halves of a call, for a caller that awaits in its own body: each async function is two hops more.

  /// Notifies observers of an attach, and carries it out as far as possible at once; nil if there is nothing to wait for.
  func attachRequested(
    _ child: any Routing, _ number: TreeMachine.Node, to owner: any Routing, for slot: SlotPlace? = nil,
    callSite: @autoclosure () -> CallSite?
  ) -> Waiter? {
    LifecycleObservation.notify(.attachRequested(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
    if !Self.foreign.isEmpty { Self.foreign[ObjectIdentifier(child)]?.importForeign() }
    let call = { (frame: TreeMachine.Frame?) in TreeMachine.Event.attach(number, to: self.number, in: frame) }
    guard
      var work = TreeDriver.decide(call, about: child, number, under: self)
        ?? (enter(child, joining: owner) ? TreeDriver.decide(call, about: child, number, under: self) : nil)
    else { return nil }
    if let mistake = work.mistake {
      Self.report(mistake, child: child, parent: owner, isShown: slot != nil, callSite())
      slot?.refuse()
      if !Self.foreign.isEmpty { Self.foreign[ObjectIdentifier(child)]?.forgetForeign() }
      return nil
    }
    if work.isPending {
      Self.expected[number] = Expected(child: child, parent: owner)
      if let slot, isLeaving(child) { slot.expectReturn() }
    }
    work.carryOut()
    if work.isBelowUnlaunched, owner is any LaunchRouting {
      Misuse.warnUnlaunched(owner, child: child, isShown: slot != nil, at: callSite())
    }
    return work.waiter
  }

  func attachReturned(_ child: any Routing, to owner: any Routing) {
    LifecycleObservation.notify(.attachReturned(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
  }

  /// Does what can be done of a detach at once; nil if there is nothing to wait for.
  func detachRequested(_ child: any Routing, from owner: any Routing, callSite: CallSite? = nil) -> Waiter? {
    LifecycleObservation.notify(.detachRequested(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
    let number = child.interactable.lifecycle.node
    if !Self.foreign.isEmpty { Self.known(of: child)?.importForeign() }
    let call = { (frame: TreeMachine.Frame?) in TreeMachine.Event.detach(number, from: self.number, in: frame) }
    guard var work = TreeDriver.decide(call, about: child, number, under: self) else { return nil }
    if !Self.expected.isEmpty, Self.expected[number]?.parent === owner { Self.expected[number] = nil }
    work.carryOut()
    if work.isElsewhere { Misuse.warnOfDetach(child, from: owner, at: callSite) }
    return work.waiter
  }

  func detachReturned(_ child: any Routing, from owner: any Routing) {
    LifecycleObservation.notify(.detachReturned(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
  }

  /// Enters a child that is no `Router`; false, and misuse, if it or the parent shares an interactor.
  private func enter(_ child: any Routing, joining owner: any Routing) -> Bool {
    guard isKnown else {
      Misuse.reportShared(interactor: interactable, by: owner)
      return false
    }
    let node = Self.of(child)
    if node.isKnown {
      node.importForeign()
      return true
    }
    Misuse.reportShared(interactor: node.interactable, by: child)
    return false
  }

  /// Reports an attach that is misuse, by a slot if the child `isShown`.
  static func report(
    _ mistake: TreeMachine.Mistake, child: any Routing, parent: any Routing, isShown: Bool, _ callSite: CallSite?
  ) {
    var name = "\(type(of: parent))"
    if case .attached(let owner) = mistake, owner != .none {
      name = TreeDriver.state.withLock { $0.router(owner) }?.name ?? "a router"
    }
    Misuse.report(mistake, child: child, parent: parent, ownerName: name, isShown: isShown, at: callSite)
  }

  /// Adds a child to the parent's children.
  nonisolated func append(_ child: any Routing, _ node: RouterNode) {
    MainActor.assertIsolated()
    list.append(child)
    let expected = Self.expected.isEmpty ? nil : Self.expected.removeValue(forKey: node.number)
    if let owner {
      LifecycleObservation.notify(.attached(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
    }
    withExtendedLifetime(expected) {}
  }

  /// Removes a child from the parent's children, and the parent's slots learn of it.
  ///
  /// The last reference to a child whose parent is gone goes to the deferred release queue.
  nonisolated static func remove(
    _ number: TreeMachine.Node, _ node: RouterNode?, from parent: RouterNode?, of slots: [LifecycleExtras.WeakSlot]
  ) {
    MainActor.assertIsolated()
    // The interactor of a parent that is gone may have a new router, which has never had the child.
    if let parent, orphans.isEmpty || orphans[number] == nil {
      guard let owner = node?.owner, let child = parent.list.remove(owner) else { return }
      if let above = parent.owner {
        LifecycleObservation.notify(.detached(child: ObjectIdentifier(child), parent: ObjectIdentifier(above)))
      }
      // By index, since a copy of a weak reference costs more than its use.
      for index in slots.indices { slots[index].place?.childLeft(child) }
      node?.forgetForeign()
    } else if let orphan = orphans.removeValue(forKey: number) {
      for index in slots.indices { slots[index].place?.childLeft(orphan) }
      node?.forgetForeign()
      MainActor.assumeIsolated { DeferredReleases.add(orphan) }
    }
  }

  /// Has a slot of the router learn of each child that leaves it.
  func enter(_ slot: SlotPlace) {
    let present = TreeDriver.state.withLock { $0.enter(slot, of: number) }
    withExtendedLifetime(present) {}
  }

  private var isKnown: Bool { TreeDriver.state.withLock { $0.router(number) === self } }

  private struct Expected {
    let child: any Routing
    let parent: any Routing
  }

  /// Routers that have to leave one parent before they join the next, kept with that until then.
  @exclusivity(unchecked) private nonisolated(unsafe) static var expected: [TreeMachine.Node: Expected] = [:]
  /// The children of routers that are gone, until they have resigned.
  @exclusivity(unchecked) private nonisolated(unsafe) static var orphans: [TreeMachine.Node: any Routing] = [:]
}

/// Answers about a child's place.
extension RouterNode {
  /// Whether a child is attached to a parent, and no call has detached it.
  static func isAttached(_ child: any Routing, to parent: any Routing) -> Bool {
    // Another routing alone knows its children.
    guard let owner = parent as? any NodeOwner else { return parent.children.contains { $0 === child } }
    return owner.node.isAttached(child)
  }

  /// Whether a parent is where the newest accepted call wants a child.
  static func isWanted(_ child: any Routing, under parent: any Routing) -> Bool {
    guard let owner = parent as? any NodeOwner else { return parent.children.contains { $0 === child } }
    return owner.node.wants(child)
  }

  /// Whether a child is attached here, and no call has detached it, or one has since attached it again.
  func isAttached(_ child: any Routing) -> Bool {
    knows(child, child.interactable.lifecycle.node) { record, here in
      record.parent == here && (!record.isLeaving || record.nextParent == here)
    }
  }

  /// Whether a child stands here, and a call has detached it.
  func isLeaving(_ child: any Routing) -> Bool {
    knows(child, child.interactable.lifecycle.node) { record, here in record.parent == here && record.isLeaving }
  }

  /// Whether here is where the newest accepted call wants a child.
  func wants(_ child: any Routing) -> Bool { wants(child, child.interactable.lifecycle.node) }

  func wants(_ child: any Routing, _ number: TreeMachine.Node) -> Bool {
    knows(child, number) { record, here in
      record.nextParent == here || (record.nextParent == .none && record.parent == here && !record.isLeaving)
    }
  }

  @inline(__always)
  private func knows(
    _ child: any Routing, _ number: TreeMachine.Node, so condition: (TreeMachine.Record, TreeMachine.Node) -> Bool
  ) -> Bool {
    TreeDriver.state.withLock { state in
      guard state.router(self.number) === self, state.router(number)?.owner === child else { return false }
      return condition(state.machine[number], self.number)
    }
  }
}

/// Routings that are no `Router`.
extension RouterNode {
  /// The nodes of the routings that are no `Router` and stand under one, or are to.
  @exclusivity(unchecked) private nonisolated(unsafe) static var foreign: [ObjectIdentifier: RouterNode] = [:]

  /// The node of a router, or of another routing while a router is its parent; nil if another router has its interactor.
  static func known(of routing: any Routing) -> RouterNode? {
    let number = routing.interactable.lifecycle.node
    guard let node = TreeDriver.state.withLock({ $0.router(number) }), node.owner === routing else { return nil }
    return node
  }

  /// The node of any routing; another routing than a `Router` is entered until `forgetForeign()`.
  static func of(_ routing: any Routing) -> RouterNode {
    if let node = known(of: routing) ?? (routing as? any NodeOwner)?.node { return node }
    let node = RouterNode(interactable: routing.interactable, type: type(of: routing))
    node.owner = routing
    if TreeDriver.state.withLock({ $0.enter(node) }) { foreign[ObjectIdentifier(routing)] = node }
    return node
  }

  /// Removes the entry of a routing that no router refers to any more.
  nonisolated func forgetForeign() {
    guard !Self.foreign.isEmpty, let owner, Self.foreign[ObjectIdentifier(owner)] === self else { return }
    var work = TreeDriver.Work(onMain: true)
    guard TreeDriver.state.withLock({ $0.leave(self, &work) }) else { return }
    Self.foreign[ObjectIdentifier(owner)] = nil
    work.carryOut()
  }

  /// Asks the routings in a subtree that are no `Router` for their children, which they alone know.
  func importForeign() {
    var open = [self]
    while let node = open.popLast() {
      if let owner = node.owner, Self.foreign[ObjectIdentifier(owner)] === node {
        let below = owner.children.map(RouterNode.of)
        var work = TreeDriver.Work(onMain: true)
        TreeDriver.state.withLock { $0.adopt(below.map(\.number), by: node.number, &work) }
        work.carryOut()
        open += below
      } else {
        open += node.children.compactMap(RouterNode.known)
      }
    }
  }
}

/// Releases routers one by one, since a chain that releases itself exhausts the stack (T12).
///
/// On the main thread the runtime runs an isolated `deinit` at once, inside the one that led to it. `Fixtures/DeepChain`
/// crashes without this; under the test kit's executors, which the runtime takes for others, nothing nests.
@MainActor
package enum DeferredReleases {
  private static var routers: [any Routing] = []
  private static var isReleasing = false
  /// The number of routers that were released lately, each possibly inside the release of another.
  private static var burst = 0
  private static let longestBurst = 64

  static func add(_ router: any Routing) {
    routers.append(router)
    guard !isReleasing else { return }
    burst += 1
    if burst == 1 {
      Task { @MainActor in
        burst = 0
        releaseAll()
      }
    }
    if burst <= longestBurst { releaseAll() }
  }

  /// Releases all queued routers and resets the count.
  ///
  /// So an execution neither depends on those before it nor leaves releases to a task that only they have.
  package static func startOver() {
    burst = 0
    if !isReleasing { releaseAll() }
  }

  private static func releaseAll() {
    isReleasing = true
    while routers.popLast() != nil {}
    isReleasing = false
  }
}
