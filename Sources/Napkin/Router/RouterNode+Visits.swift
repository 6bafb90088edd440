// SPDX-License-Identifier: Apache-2.0

/// Visits: what happens to a whole subtree, node by node and never by recursion (T12).
///
/// Each visit is decided at once, by marking every node, and then carried out. Whoever reaches a node looks at its mark
/// first, so a later decision supersedes an earlier one that is still on its way.
extension RouterNode {
  enum Intent { case sleep, wake }

  struct Visit {
    let routing: any Routing
    let lifecycle: InteractorLifecycle
    let node: RouterNode?

    @MainActor var interactable: any Interactable { node?.interactable ?? routing.interactable }
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
    guard let lifecycle = node?.lifecycle, let node else { return true }
    switch intent {
    case .sleep: return !lifecycle.isAtRestAsleep || node.marks.contains(.hasStirredBelow)
    case .wake: return lifecycle.isAsleep && !node.placement.isLeaving
    }
  }

  /// Deepest first, as they will be deactivated; running activations are cancelled on the spot.
  func markAsleep(_ visits: [Visit]) {
    for visit in visits.reversed() {
      visit.node?.marks.remove(.hasStirredBelow)
      visit.lifecycle.fallAsleep()
    }
  }

  func putToSleep(_ child: any Routing) async {
    if isLeaf {
      let visit = Visit(routing: child, lifecycle: lifecycle, node: self)
      visit.lifecycle.fallAsleep()
      return await Self.deactivate(visit)
    }
    let visits = visits(of: child, for: .sleep)
    markAsleep(visits)
    await Self.deactivate(visits)
  }

  private var isLeaf: Bool { children.isEmpty && !marks.contains(.isForeign) }

  static func deactivate(_ visits: [Visit]) async {
    for visit in visits.reversed() { await deactivate(visit) }
  }

  private static func deactivate(_ visit: Visit) async {
    guard visit.lifecycle.isAsleep else { return }
    await visit.interactable.deactivate()
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
    for visit in visits { visit.lifecycle.wakeUp() }
    for visit in visits { await activate(visit) }
  }

  private static func activate(_ visit: Visit) async {
    guard !visit.lifecycle.isAsleep else { return }
    await visit.interactable.activate()
    guard visit.node?.marks.contains(.isLoaded) != true, !visit.lifecycle.isAsleep else { return }
    await visit.routing.load()
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
