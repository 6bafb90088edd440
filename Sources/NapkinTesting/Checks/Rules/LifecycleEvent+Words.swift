// SPDX-License-Identifier: Apache-2.0

package import Napkin

extension LifecycleEvent {
  /// The lifecycle or router that an event is about: the child, where there are two.
  package var subject: ID? {
    switch self {
    case .lifecycleCreated(let id, _), .activated(let id), .didBecomeActiveBegan(let id), .didBecomeActiveEnded(let id),
      .willResignActiveBegan(let id), .willResignActiveEnded(let id), .deactivated(let id), .lifecycleDeinit(let id),
      .taskRegistered(let id, _, _, _, _), .taskRefused(let id), .taskStarted(let id, _), .taskFinished(let id, _),
      .taskCancelled(let id, _), .routerCreated(let id, _, _), .routerDeinit(let id), .loadBegan(let id),
      .loadEnded(let id), .attachRequested(let id, _), .attached(let id, _), .attachReturned(let id, _),
      .detachRequested(let id, _), .detached(let id, _), .detachReturned(let id, _),
      .requested(let id, _), .requestReturned(let id, _), .visited(let id, _), .streamOpened(let id, _, _),
      .streamYielded(let id, _, _), .streamClosed(let id, _), .renamed(let id, _), .activityAwaited(let id, _),
      .activityWaitEnded(let id, _, _, _):
      id
    case .misuse(let misuse): misuse.child
    case .orphanFinished: nil
    }
  }

  /// Whether it is of the execution in which it happens, not of that in which a napkin was made.
  package var isOfItsExecution: Bool {
    switch self {
    case .lifecycleCreated, .routerCreated: true
    case .misuse(let misuse): misuse.child == nil
    default: false
    }
  }

  /// Whether this is a request; a call from inside a callback need not wait for one.
  package var isCall: Bool {
    switch self {
    case .requested, .attachRequested, .detachRequested, .activityAwaited: true
    default: false
    }
  }

  /// The event as a step of a timeline; nil for those that a report does not show.
  package func step(in tree: ObservedTree) -> LifecycleStep? {
    switch self {
    case .activated(let id): .other("\(tree.name(ofInteractor: id)) is active")
    case .deactivated(let id): .other("\(tree.name(ofInteractor: id)) is inactive")
    case .didBecomeActiveBegan(let id): .begins("\(tree.name(ofInteractor: id)).didBecomeActive()")
    case .didBecomeActiveEnded(let id): .returns("\(tree.name(ofInteractor: id)).didBecomeActive()")
    case .willResignActiveBegan(let id): .begins("\(tree.name(ofInteractor: id)).willResignActive()")
    case .willResignActiveEnded(let id): .returns("\(tree.name(ofInteractor: id)).willResignActive()")
    case .taskRegistered(let id, let task, _, _, let worker?):
      .other("\(tree.name(ofInteractor: id)) starts \(worker.name), task \(task)")
    case .taskRegistered(let id, let task, _, _, nil): .other("\(tree.name(ofInteractor: id)) binds task \(task)")
    case .taskRefused(let id): .other("\(tree.name(ofInteractor: id)) refuses a task")
    case .taskStarted(let id, let task): .begins("task \(task) of \(tree.name(ofInteractor: id))")
    case .taskFinished(let id, let task): .other("task \(task) of \(tree.name(ofInteractor: id)) ends")
    case .taskCancelled(let id, let task): .other("task \(task) of \(tree.name(ofInteractor: id)) is cancelled")
    case .activityAwaited(let id, _): .other("\(tree.name(ofInteractor: id)).whenActive() is called")
    case .activityWaitEnded(let id, _, true, _): .returns("\(tree.name(ofInteractor: id)).whenActive()")
    case .activityWaitEnded(let id, _, false, _): .other("\(tree.name(ofInteractor: id)).whenActive() throws")
    case .loadBegan(let id): .begins("\(tree.name(ofRouter: id)).didLoad()")
    case .loadEnded(let id): .returns("\(tree.name(ofRouter: id)).didLoad()")
    case .attachRequested(let child, let parent):
      .other("\(tree.name(ofRouter: parent)).attachChild(\(tree.name(ofRouter: child))) is called")
    case .attached(let child, let parent):
      .other("\(tree.name(ofRouter: child)) is under \(tree.name(ofRouter: parent))")
    case .attachReturned(let child, let parent):
      .returns("\(tree.name(ofRouter: parent)).attachChild(\(tree.name(ofRouter: child)))")
    case .detachRequested(let child, let parent):
      .other("\(tree.name(ofRouter: parent)).detachChild(\(tree.name(ofRouter: child))) is called")
    case .detached(let child, let parent):
      .other("\(tree.name(ofRouter: child)) has left \(tree.name(ofRouter: parent))")
    case .detachReturned(let child, let parent):
      .returns("\(tree.name(ofRouter: parent)).detachChild(\(tree.name(ofRouter: child)))")
    case .routerDeinit(let id): .other("\(tree.name(ofRouter: id)) is gone")
    case .lifecycleDeinit(let id): .other("\(tree.name(ofInteractor: id)) is gone")
    case .lifecycleCreated, .routerCreated, .renamed, .misuse, .requested, .requestReturned, .visited, .streamOpened,
      .streamYielded, .streamClosed, .orphanFinished:
      nil
    }
  }
}
