// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What every `Router` has in common, whatever its interactor's type.
///
/// A test kit's mock is one too, so that it keeps the contract without being a `Router`.
@MainActor
package protocol NodeOwner: Routing {
  /// Does what the router is asked to.
  var node: RouterNode { get }

  /// Called once, after the first activation.
  func didLoad() async

  /// The tree is about to call `didLoad()`, without a call of `load()`.
  func treeLoads()
}

extension NodeOwner {
  package func treeLoads() {}
}

/// A router's place in the tree, or that of another `Routing` while a router is its parent.
///
/// It refers to its children. Everything else about it stands in the machine, at the node of the interactor's lifecycle.
@MainActor
package final class RouterNode {
  /// The interactor of this node.
  package nonisolated let interactable: any Interactable
  /// The attached children, in the order in which they were attached.
  package private(set) var children: [any Routing] = []
  /// The router, which has this node and takes it along as it goes.
  private nonisolated(unsafe) unowned(unsafe) var owner: (any Routing)?

  /// Makes the node of a router that is being made itself; `begin(of:)` follows, and `end()` with the router's `deinit`.
  package init(interactable: any Interactable, type: Any.Type) {
    self.interactable = interactable
  }

  nonisolated var lifecycle: InteractorLifecycle { interactable.lifecycle }
  nonisolated var number: TreeMachine.Node { lifecycle.node }
  nonisolated var strongOwner: (any Routing)? { owner }
  var name: String { owner.map { "\(type(of: $0))" } ?? "a router" }

  /// The router is made: from here on the node stands for it.
  package func begin(of owner: any Routing) {
    self.owner = owner
    guard TreeDriver.state.withLock({ $0.enter(self) }) else {
      return Misuse.reportShared(interactor: interactable, by: owner)
    }
    LifecycleObservation.tell(
      .routerCreated(ObjectIdentifier(owner), name: name, lifecycle: ObjectIdentifier(lifecycle)))
  }

  /// The router is gone: what stood below resigns in T4's order, the router's own interactor last (T10).
  package func end() {
    if let owner { LifecycleObservation.tell(.routerDeinit(ObjectIdentifier(owner))) }
    let (interactable, children) = (interactable, children)
    self.children = []
    for child in children { Self.orphans[RouterNode.known(of: child)?.number ?? .none] = child }
    let work = TreeDriver.state.withLock { $0.end(self, interactable) }
    owner = nil
    guard let work else { return }
    // A release may happen within an access to a variable, which must not last while a task starts on this stack.
    guard work.startsTasks else { return TreeDriver.carryOut(work, onMain: true) }
    Task { @MainActor in TreeDriver.carryOut(work, onMain: true) }
  }

  /// Runs `didLoad()` once; a second caller waits for the first, unless it is inside what the first waits for.
  package func load(_ owner: any NodeOwner) async {
    let frame = CallbackFrame.current
    let work = TreeDriver.state.withLock { $0.decide(.load(number, begins: true, in: TreeDriver.name(frame))) }
    TreeDriver.carryOut(work, onMain: true)
    await work.waiter?.wait()
  }

  /// Returns once `didLoad()` has completed, or the waiting task is cancelled.
  package func loaded() async {
    let frame = CallbackFrame.current
    let work = TreeDriver.state.withLock { $0.decide(.load(number, begins: false, in: TreeDriver.name(frame))) }
    guard let waiter = work.waiter else { return }
    await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      TreeDriver.carryOut(TreeDriver.state.withLock { $0.withdraw(waiter) }, onMain: false)
    }
  }

  /// Starts `didLoad()`, and answers with what follows if it has returned already.
  func beginLoad(_ owner: any Routing, isConfirmed: Bool) -> [TreeDriver.Step] {
    guard isConfirmed || TreeDriver.state.withLock({ $0.machine.confirmLoad(number) }) else { return [] }
    LifecycleObservation.tell(.loadBegan(ObjectIdentifier(owner)))
    let frame = CallbackFrame(TreeMachine.Frame(node: number, isLoad: true))
    let hasReturned = frame.runOnMain {
      guard let router = owner as? any NodeOwner else { return await owner.load() }
      router.treeLoads()
      await router.didLoad()
    } returned: {
      TreeDriver.carryOut(TreeDriver.Work(steps: self.endLoad(owner, frame)), onMain: true)
    }
    return hasReturned ? endLoad(owner, frame) : []
  }

  private func endLoad(_ owner: any Routing, _ frame: CallbackFrame) -> [TreeDriver.Step] {
    LifecycleObservation.tell(.loadEnded(ObjectIdentifier(owner)))
    return TreeDriver.state.withLock { state in
      frame.isRunning.store(false, ordering: .relaxed)
      return state.decide(.loadEnded(number))
    }.steps
  }
}

/// Attaching and detaching.
extension RouterNode {
  /// Adds a child, activates it and loads it, unless a later call supersedes this one.
  package func attach(_ child: any Routing, to owner: any Routing, callSite: CallSite?) async {
    let node = RouterNode.of(child)
    LifecycleObservation.tell(.attachRequested(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
    await attach(child, node, to: owner, callSite)
    LifecycleObservation.tell(.attachReturned(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
  }

  private func attach(_ child: any Routing, _ node: RouterNode, to owner: any Routing, _ callSite: CallSite?) async {
    guard isKnown else { return Misuse.reportShared(interactor: interactable, by: owner) }
    guard node.isKnown else { return Misuse.reportShared(interactor: node.interactable, by: child) }
    if !Self.foreign.isEmpty, Self.foreign[ObjectIdentifier(child)] != nil { node.importForeign() }
    let frame = CallbackFrame.current
    let (work, isPending) = TreeDriver.state.withLock { state in
      let name = TreeDriver.name(frame)
      let work = state.decide(.attach(node.number, to: number, in: name))
      return (work, state.machine.pending[node.number] == number)
    }
    if let mistake = work.mistake {
      report(mistake, child: child, parent: owner, callSite)
      return node.forgetForeign()
    }
    if isPending { Self.expected[node.number] = Expected(child: child, parent: owner) }
    await finish(work, about: node)
  }

  /// Deactivates a child's whole subtree, then removes the child.
  package func detach(_ child: any Routing, from owner: any Routing, callSite: CallSite?) async {
    LifecycleObservation.tell(.detachRequested(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
    if let node = RouterNode.known(of: child), isKnown, node.isKnown {
      if !Self.foreign.isEmpty { node.importForeign() }
      let frame = CallbackFrame.current
      let work = TreeDriver.state.withLock { state in
        let work = state.decide(.detach(node.number, from: number, in: TreeDriver.name(frame)))
        return work
      }
      if !Self.expected.isEmpty, Self.expected[node.number]?.parent === owner { Self.expected[node.number] = nil }
      await finish(work, about: node)
    }
    LifecycleObservation.tell(.detachReturned(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
  }

  /// Carries a call's work out and waits for what it asks for.
  ///
  /// A caller that no callback waits for calls the child's interactor in its own task; another could not return (T8).
  private func finish(_ begun: TreeDriver.Work, about node: RouterNode) async {
    var work = begun
    let visit =
      CallbackFrame.current?.isRunning.load(ordering: .relaxed) == true ? nil : work.takeVisit(of: node.lifecycle)
    if visit?.wakes == false { TreeDriver.state.withLock { $0.attend(node.number, true) } }
    TreeDriver.carryOut(work, onMain: true)
    if let visit {
      await node.lifecycle.visit(visit.0, wakes: visit.wakes)
      TreeDriver.carryOut(TreeDriver.decide(.visitEnded(node.number)), onMain: true)
      if !visit.wakes {
        TreeDriver.state.withLock { $0.attend(node.number, false) }
        TreeDriver.carryOut(TreeDriver.decide(.place(node.number)), onMain: true)
      }
    }
    await work.waiter?.wait()
  }

  private func report(_ mistake: TreeMachine.Mistake, child: any Routing, parent: any Routing, _ callSite: CallSite?) {
    let owner: RouterNode? =
      if case .attached(let owner) = mistake { TreeDriver.state.withLock { $0.router(owner) } } else { nil }
    Misuse.report(mistake, child: child, parent: parent, ownerName: owner?.name ?? "a router", at: callSite)
  }

  /// The child has joined.
  func append(_ child: any Routing, _ node: RouterNode) {
    children.append(child)
    let expected = Self.expected.isEmpty ? nil : Self.expected.removeValue(forKey: node.number)
    if let owner {
      LifecycleObservation.tell(.attached(child: ObjectIdentifier(child), parent: ObjectIdentifier(owner)))
    }
    withExtendedLifetime(expected) {}
  }

  /// A child has left; what nothing else holds goes from the deferred release queue.
  static func remove(_ number: TreeMachine.Node, _ node: RouterNode?, from parent: RouterNode?) {
    if let parent {
      guard let owner = node?.owner, let index = parent.children.lastIndex(where: { $0 === owner }) else { return }
      let child = parent.children.remove(at: index)
      if let above = parent.owner {
        LifecycleObservation.tell(.detached(child: ObjectIdentifier(child), parent: ObjectIdentifier(above)))
      }
      node?.forgetForeign()
    } else if let orphan = orphans.removeValue(forKey: number) {
      node?.forgetForeign()
      DeferredReleases.add(orphan)
    }
  }

  private var isKnown: Bool { TreeDriver.state.withLock { $0.router(number) === self } }

  private struct Expected {
    let child: any Routing
    let parent: any Routing
  }

  /// Those that have to leave before they join, and are kept, with the next parent, until then.
  private static var expected: [TreeMachine.Node: Expected] = [:]
  /// The children of routers that are gone, until they have resigned.
  private static var orphans: [TreeMachine.Node: any Routing] = [:]
}

/// Routings that are no `Router`.
extension RouterNode {
  /// The nodes of the routings that are no `Router` and stand under one, or are to.
  private static var foreign: [ObjectIdentifier: RouterNode] = [:]

  /// The node of a router; of another routing, while a router is its parent.
  static func known(of routing: any Routing) -> RouterNode? {
    if let owner = routing as? any NodeOwner { return owner.node }
    return foreign.isEmpty ? nil : foreign[ObjectIdentifier(routing)]
  }

  /// The node of any routing; another routing than a `Router` is entered until `forgetForeign()`.
  static func of(_ routing: any Routing) -> RouterNode {
    if let node = known(of: routing) { return node }
    let node = RouterNode(interactable: routing.interactable, type: type(of: routing))
    node.owner = routing
    foreign[ObjectIdentifier(routing)] = node
    _ = TreeDriver.state.withLock { $0.enter(node) }
    return node
  }

  /// Drops the entry of a routing that no router has to do with any more.
  func forgetForeign() {
    guard !Self.foreign.isEmpty, let owner, Self.foreign[ObjectIdentifier(owner)] === self else { return }
    let isFree = TreeDriver.state.withLock { $0.leave(self) }
    if isFree { Self.foreign[ObjectIdentifier(owner)] = nil }
  }

  /// Asks the routings in a subtree that are no `Router` what stands below them: they alone know.
  func importForeign() {
    var open = [self]
    while let node = open.popLast() {
      if let owner = node.owner, Self.foreign[ObjectIdentifier(owner)] === node {
        let below = owner.children.map(RouterNode.of)
        TreeDriver.state.withLock { $0.adopt(below.map(\.number), by: node.number) }
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
  /// How many routers ended lately in each other's wake, each of them perhaps inside the release of another.
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

  /// Releases what is left and counts from nothing, so that an execution neither depends on those before it nor leaves
  /// releases to a task that only they have.
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
