// SPDX-License-Identifier: Apache-2.0

package import Napkin
internal import Synchronization

/// Logs the lifecycle steps of the napkins of one execution, and the changes of their tree.
///
/// Only the execution that is reported has one.
package final class TreeWatch: LifecycleObserver {
  private struct State: ~Copyable {
    var tree = ObservedTree()
    /// The last reported node of each napkin, by its number.
    var reported: [Int: TreeNode] = [:]
  }

  private let state = Mutex(State())
  private let scope: any ExecutionScope

  /// Begins with an empty tree; only napkins that are made in this execution are logged.
  package init(of scope: any ExecutionScope) {
    self.scope = scope
  }

  package func lifecycle(_ event: LifecycleEvent) {
    // The timeline is the execution's own, on its own thread.
    guard CurrentExecution.scope === scope else { return }
    Instrumentation.uncounted { watch(event) }
  }

  private func watch(_ event: LifecycleEvent) {
    let (step, line, changes) = state.withLock { state -> (LifecycleStep?, String?, [TreeChange]) in
      guard state.tree.concerns(event) else { return (nil, nil, []) }
      let step = event.step(in: state.tree)
      let line = event.line(in: state.tree)
      // Only the subject of an event, and its neighbours, can look another way after it.
      let ids = state.tree.neighbours(of: event)
      let before = ids.compactMap { state.tree.number(of: $0) }
      state.tree.apply(event)
      let now = ids.compactMap { state.tree.picture(of: $0) }
      return (step, line, Self.changes(before, now, reported: &state.reported))
    }
    if let step { scope.log(.lifecycle(step), line: line) }
    for change in changes { scope.log(.tree(change), line: nil) }
  }

  private static func changes(_ before: [Int], _ now: [TreeNode], reported: inout [Int: TreeNode]) -> [TreeChange] {
    var changes: [TreeChange] = []
    for number in before where reported[number] != nil && !now.contains(where: { $0.number == number }) {
      reported[number] = nil
      changes.append(.gone(number))
    }
    for node in now where reported[node.number] != node {
      reported[node.number] = node
      changes.append(.node(node))
    }
    return changes
  }
}

extension ObservedTree {
  /// The objects that an event may change, each once.
  fileprivate func neighbours(of event: LifecycleEvent) -> [ID] {
    guard let subject = event.subject else { return [] }
    var ids = [subject]
    if case .routerCreated(_, _, let lifecycle) = event { ids.append(lifecycle) }
    if let node = nodes[subject] { ids += [node.lifecycle] + node.children }
    if let router = interactors[subject]?.router { ids.append(router) }
    return ids
  }

  fileprivate func number(of id: ID) -> Int? { nodes[id]?.number ?? interactors[id]?.number }

  /// A router, or an interactor that has none, as a reader is to see it.
  fileprivate func picture(of id: ID) -> TreeNode? {
    if let node = nodes[id] {
      let interactor = interactors[node.lifecycle]
      return TreeNode(
        number: node.number, name: node.name, parent: node.parent.flatMap { nodes[$0]?.number },
        state: node.isLoading ? .loading : interactor?.state ?? .inactive, tasks: interactor?.tasks.count ?? 0)
    }
    guard let interactor = interactors[id], interactor.router == nil else { return nil }
    return TreeNode(
      number: interactor.number, name: interactor.name, state: interactor.state, tasks: interactor.tasks.count)
  }
}

extension ObservedTree.Interactor {
  fileprivate var state: TreeNode.State {
    switch callback {
    case .didBecomeActive: .becoming
    case .willResignActive: .resigning
    case nil: isActive ? .active : .inactive
    }
  }
}

extension TreeWatch {
  /// Begins an execution for the napkins that its body makes, and returns the action at its end.
  @MainActor static func begin(_ scope: any ExecutionScope, isLogged: Bool) -> ExecutionHooks.End {
    DeferredReleases.startOver()
    if Instrumentation.splitsSteps { Unlogged.standsIn(!isLogged) }
    guard isLogged else { return { DeferredReleases.startOver() } }
    let watch = TreeWatch(of: scope)
    LifecycleObservation.add(watch)
    return {
      LifecycleObservation.remove(watch)
      DeferredReleases.startOver()
    }
  }
}

/// Stands for the watch in the executions that are not reported, where steps are split.
///
/// An event is made where there is an observer: so it is made in each of them, and an access has the same number in all.
private final class Unlogged: LifecycleObserver {
  @MainActor private static var standingIn: Unlogged?

  func lifecycle(_ event: LifecycleEvent) {}

  @MainActor static func standsIn(_ isNeeded: Bool) {
    guard isNeeded == (standingIn == nil) else { return }
    if let observer = standingIn { LifecycleObservation.remove(observer) }
    standingIn = isNeeded ? Unlogged() : nil
    if let observer = standingIn { LifecycleObservation.add(observer) }
  }
}
