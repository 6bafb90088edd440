// SPDX-License-Identifier: Apache-2.0

/// Visits: what happens to a whole subtree, node by node and never by recursion (T12).
///
/// Each visit is decided at once, by marking every node, and then carried out. Whoever reaches a node looks at its mark
/// first, so a later decision supersedes an earlier one that is still on its way.
///
/// One thing cannot be known at once: what becomes of a router that is to wake and is still resigning. What stands
/// below it stays asleep until its turn comes.
extension RouterNode {
  enum Intent { case sleep, wake }

  @MainActor
  struct Visit {
    let routing: any Routing
    let lifecycle: InteractorLifecycle
    let node: RouterNode?
    /// Where the node stood when the visit was decided.
    private let parent: RouterNode?

    init(routing: any Routing, lifecycle: InteractorLifecycle, node: RouterNode?) {
      self.routing = routing
      self.lifecycle = lifecycle
      self.node = node
      parent = node?.placement.parent
    }

    var interactable: any Interactable { node?.interactable ?? routing.interactable }

    /// Somebody else has decided since what becomes of it.
    var hasMoved: Bool { node.map { $0.placement.parent !== parent } ?? false }

    /// Marked awake now, it would miss its resignation, and be activated even if its parent does not come back.
    var mustWaitForParent: Bool { parent?.lifecycle.isFallingAsleep ?? false }

    /// Its parent has come back, and nobody has woken it yet.
    var wakesLate: Bool {
      guard lifecycle.isDismissed, let parent, node?.placement.isLeaving == false else { return false }
      return !parent.lifecycle.isDismissed && !parent.lifecycle.makesChildrenSleep
    }
  }

  /// T4's order reversed: parent first, siblings in the order of their attachment.
  func visits(of routing: any Routing, for intent: Intent) -> [Visit] {
    Self.visits(of: [routing], for: intent)
  }

  static func visits(of roots: [any Routing], for intent: Intent) -> [Visit] {
    var result: [Visit] = []
    var pending = Array(roots.reversed())
    while let routing = pending.popLast() {
      let node = known(of: routing)
      let lifecycle = node?.lifecycle ?? routing.interactable.lifecycle
      result.append(Visit(routing: routing, lifecycle: lifecycle, node: node))
      let children = node.flatMap { $0.marks.contains(.isForeign) ? nil : $0.children } ?? routing.children
      for child in children.reversed() where isConcerned(child, intent) { pending.append(child) }
    }
    return result
  }

  /// Spares what has long been in the wanted state, with all below it: else a tree grows or shrinks in quadratic time.
  static func isConcerned(_ child: any Routing, _ intent: Intent) -> Bool {
    let node = known(of: child)
    guard let node else { return true }
    switch intent {
    case .sleep: return node.mayStir
    case .wake: return node.lifecycle.isDismissed && !node.placement.isLeaving
    }
  }

  /// Deepest first, as they will be deactivated; running activations are cancelled on the spot.
  ///
  /// What sleeps already is not taken for quiet while something below it still has to resign: whoever comes next to put
  /// the same subtree to sleep waits for that, too (T4).
  func markAsleep(_ visits: [Visit]) {
    for visit in visits.reversed() { visit.lifecycle.fallAsleep() }
    for visit in visits.reversed() { visit.node?.stirsSleepers() }
  }

  private func stirsSleepers() {
    guard mayStir, let parent = placement.parent, parent.lifecycle.isAsleep else { return }
    hasStirred()
  }

  var mayStir: Bool { !lifecycle.isAtRestAsleep || marks.contains(.hasStirredBelow) }

  func putToSleep(_ child: any Routing) async {
    if isLeaf {
      fallAsleepAsLeaf()
      return await Self.deactivate(Visit(routing: child, lifecycle: lifecycle, node: self))
    }
    let visits = visits(of: child, for: .sleep)
    markAsleep(visits)
    await Self.deactivate(visits)
  }

  func fallAsleepAsLeaf() {
    lifecycle.fallAsleep()
    if !marks.contains(.joinedAwake) { stirsSleepers() }
  }

  /// While one part of a subtree falls asleep another may join it, with some that have yet to resign (T4).
  ///
  /// False if a callback around the caller has come to stand below in the meantime: then somebody else has to wait.
  func putLatecomersToSleep(_ child: any Routing) async -> Bool {
    for _ in 0..<Self.mostRounds {
      // Who goes on activating the child itself is the later caller, and has the last word.
      guard mayStir, lifecycle.isAsleep else { return true }
      if enclosesCaller { return false }
      await putToSleep(child)
    }
    if mayStir, lifecycle.isAsleep { Misuse.report(restless: child, rounds: Self.mostRounds) }
    return true
  }

  private static var mostRounds: Int { 100 }

  private var isLeaf: Bool { children.isEmpty && !marks.contains(.isForeign) }

  static func deactivate(_ visits: [Visit]) async {
    for visit in visits.reversed() { await deactivate(visit) }
  }

  private static func deactivate(_ visit: Visit) async {
    guard visit.lifecycle.isAsleep else { return }
    LifecycleObservation.tell(.visited(ObjectIdentifier(visit.lifecycle), wakes: false))
    await visit.interactable.deactivate()
    visit.node?.noteQuiet()
  }

  /// It has resigned: if nothing below still has to, all of it is quiet.
  func noteQuiet() {
    guard marks.contains(.hasStirredBelow) else { return }
    if !children.contains(where: { Self.isConcerned($0, .sleep) }) { marks.remove(.hasStirredBelow) }
  }

  func wake(_ child: any Routing) async {
    if isLeaf {
      let visit = Visit(routing: child, lifecycle: lifecycle, node: self)
      visit.lifecycle.wakeUp()
      return await Self.activate(visit)
    }
    await Self.activate(visits(of: child, for: .wake))
  }

  private static func activate(_ visits: [Visit]) async {
    for visit in visits where !visit.mustWaitForParent { visit.lifecycle.wakeUp() }
    for visit in visits { await activate(visit) }
  }

  private static func activate(_ visit: Visit) async {
    guard !visit.hasMoved else { return }
    if visit.wakesLate { visit.lifecycle.wakeUp() }
    guard !visit.lifecycle.isDismissed else { return }
    LifecycleObservation.tell(.visited(ObjectIdentifier(visit.lifecycle), wakes: true))
    await visit.interactable.activate()
    // An interactor that activates itself as it resigns is active again; its router stays as superseded as it was (T6).
    guard visit.node?.marks.contains(.isLoaded) != true, !visit.lifecycle.isDismissed else { return }
    if !visit.hasMoved { await visit.routing.load() }
  }

  /// The interactor is being deactivated on its own: what stands below sleeps first (T7, T4).
  func putChildrenToSleep() async {
    let visits = Self.visits(of: children.filter { Self.isConcerned($0, .sleep) }, for: .sleep)
    markAsleep(visits)
    await Self.deactivate(visits)
  }

  /// The interactor was activated on its own: what was put to sleep with it wakes (T7).
  func wakeChildren() async {
    guard !lifecycle.makesChildrenSleep else { return }
    await Self.activate(Self.visits(of: children.filter { Self.isConcerned($0, .wake) }, for: .wake))
  }
}
