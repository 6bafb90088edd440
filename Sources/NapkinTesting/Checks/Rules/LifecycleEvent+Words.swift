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
      .requested(let id, _, _), .requestReturned(let id, _), .visited(let id, _), .streamOpened(let id, _, _),
      .streamYielded(let id, _, _), .streamClosed(let id, _), .renamed(let id, _), .activityAwaited(let id, _),
      .activityWaitEnded(let id, _, _, _), .passedOver(let id):
      id
    case .slot(let step): step.parent
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
    case .slot(let step): if case .called = step.kind { true } else { false }
    default: false
    }
  }

  /// The parent, where the event is about a child and its parent.
  var parent: ID? {
    switch self {
    case .attachRequested(_, let id), .attached(_, let id), .attachReturned(_, let id), .detachRequested(_, let id),
      .detached(_, let id), .detachReturned(_, let id):
      id
    default: nil
    }
  }

  /// The line that a reader of the event looks for: that which bound a task, where the task is cancelled.
  func line(in tree: ObservedTree) -> String? {
    guard case .taskCancelled(let id, let task) = self, let site = tree.interactors[id]?.tasks[task]?.site else {
      return nil
    }
    return "\(site.fileID.split(separator: "/").last ?? ""):\(site.line)"
  }

  /// The event as a step of a timeline; nil for those that a report does not show.
  package func step(in tree: ObservedTree) -> LifecycleStep? { shown(in: tree)?.step }

  /// The same, with its kind; nil for that where it says nothing outside the framework.
  func shown(in tree: ObservedTree) -> (kind: TreeEvent.Kind?, step: LifecycleStep)? {
    let name = subject.map(tree.name(of:)) ?? ""
    let parent = parent.map(tree.name(of:)) ?? ""
    return switch self {
    case .activated: (.activated, .other("\(name) is active"))
    case .deactivated: (.deactivated, .other("\(name) is inactive"))
    case .didBecomeActiveBegan: (.didBecomeActiveBegan, .begins("\(name).didBecomeActive()"))
    case .didBecomeActiveEnded: (.didBecomeActiveEnded, .returns("\(name).didBecomeActive()"))
    case .willResignActiveBegan: (.willResignActiveBegan, .begins("\(name).willResignActive()"))
    case .willResignActiveEnded: (.willResignActiveEnded, .returns("\(name).willResignActive()"))
    case .taskRegistered(_, let task, _, _, let worker?): (nil, .other("\(name) starts \(worker.name), task \(task)"))
    case .taskRegistered(_, let task, _, _, nil): (nil, .other("\(name) binds task \(task)"))
    case .taskRefused: (nil, .other("\(name) refuses a task"))
    case .taskStarted(_, let task): (.taskStarted, .begins("task \(task) of \(name)"))
    case .taskFinished(_, let task): (.taskFinished, .other("task \(task) of \(name) ends"))
    case .taskCancelled(_, let task): (nil, .other("task \(task) of \(name) is cancelled"))
    case .activityAwaited: (nil, .other("\(name).whenActive() is called"))
    case .activityWaitEnded(_, _, true, _): (nil, .returns("\(name).whenActive()"))
    case .activityWaitEnded(_, _, false, _): (nil, .other("\(name).whenActive() throws"))
    case .loadBegan: (.loadBegan, .begins("\(name).didLoad()"))
    case .loadEnded: (.loadEnded, .returns("\(name).didLoad()"))
    case .attachRequested: (.attachCalled, .other("\(parent).attachChild(\(name)) is called"))
    case .attached: (.attached, .other("\(name) is under \(parent)"))
    case .attachReturned: (.attachReturned, .returns("\(parent).attachChild(\(name))"))
    case .detachRequested: (.detachCalled, .other("\(parent).detachChild(\(name)) is called"))
    case .detached: (.detached, .other("\(name) has left \(parent)"))
    case .detachReturned: (.detachReturned, .returns("\(parent).detachChild(\(name))"))
    case .passedOver: (nil, .other("\(name) is not attached after all"))
    case .routerDeinit: (.routerReleased, .other("\(name) is gone"))
    case .lifecycleDeinit: (.interactorReleased, .other("\(name) is gone"))
    case .lifecycleCreated, .routerCreated, .renamed, .misuse, .requested, .requestReturned, .visited, .streamOpened,
      .streamYielded, .streamClosed, .orphanFinished, .slot:
      nil
    }
  }
}
