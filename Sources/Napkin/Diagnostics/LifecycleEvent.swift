// SPDX-License-Identifier: Apache-2.0

/// An event of an interactor or a router, in the order in which observers receive them.
///
/// A lifecycle and a router are identified by their `ObjectIdentifier`, which may be used again after the event of the
/// object's end.
package enum LifecycleEvent: Sendable {
  /// The identity of an `InteractorLifecycle`, or of a router.
  package typealias ID = ObjectIdentifier

  /// An interactor is being made; the owner is the name of its type, where the lifecycle is made in a property's place.
  case lifecycleCreated(ID, owner: String)
  /// `activate()` or `deactivate()` was called; the request counts from a moment after this and before its return.
  ///
  /// It may be that of a visit, which the tree's own task makes, or one by that task after the visit.
  case requested(ID, active: Bool, mayVisit: Bool = false)
  /// That call returns, if it is not that of a visit.
  case requestReturned(ID, active: Bool)
  /// The next request by the tree's own task is the tree's: it activates an interactor, or deactivates it.
  case visited(ID, wakes: Bool)
  /// `isActive` has turned true.
  case activated(ID)
  case didBecomeActiveBegan(ID)
  case didBecomeActiveEnded(ID)
  case willResignActiveBegan(ID)
  case willResignActiveEnded(ID)
  /// `isActive` has turned false; the bound tasks are about to be cancelled.
  case deactivated(ID)
  case lifecycleDeinit(ID)
  /// `whenActive()` was called; its number is one for the process.
  case activityAwaited(ID, wait: UInt64)
  /// That call returns if the interactor is active, else it throws.
  case activityWaitEnded(ID, wait: UInt64, isActive: Bool, isCancelled: Bool)

  /// A stream of `isActive` was opened; it begins with the present value, and has a number within one lifecycle.
  case streamOpened(ID, stream: UInt64, isActive: Bool)
  case streamYielded(ID, stream: UInt64, isActive: Bool)
  /// The consumer has stopped, or the lifecycle is going and has finished the stream.
  case streamClosed(ID, stream: UInt64)

  /// A task was bound; its number counts up from 1 within one lifecycle.
  case taskRegistered(ID, task: UInt64, scope: ID, site: BindingSite?, worker: BoundWorker? = nil)
  /// A task was refused, since the scope was not active: its body never runs.
  case taskRefused(ID)
  case taskStarted(ID, task: UInt64)
  case taskFinished(ID, task: UInt64)
  /// A task ended whose lifecycle was released; it is identified by the scope that it was registered with, which it keeps
  /// alive.
  case orphanFinished(scope: ID, task: UInt64)
  /// The end of the scope cancelled a task, whether it had started or not.
  case taskCancelled(ID, task: UInt64)

  case routerCreated(ID, name: String, lifecycle: ID)
  /// A test tool gave a router or a lifecycle another name than that of its type.
  case renamed(ID, String)
  case routerDeinit(ID)
  case loadBegan(ID)
  case loadEnded(ID)
  case attachRequested(child: ID, parent: ID)
  /// The child was added to the parent's `children`.
  case attached(child: ID, parent: ID)
  /// The call returns; the child is active and loaded, unless another call superseded this one.
  case attachReturned(child: ID, parent: ID)
  case detachRequested(child: ID, parent: ID)
  /// The child was removed from the parent's `children`.
  case detached(child: ID, parent: ID)
  case detachReturned(child: ID, parent: ID)
  /// A slot does not attach the router that was built for it, and no other call asks for that.
  case passedOver(ID)

  case slot(SlotEvent)

  /// A misuse was reported, whether or not an observer handles it.
  case misuse(Misuse)
}

/// The worker that a bound task runs, which that task holds.
package struct BoundWorker: Sendable {
  package let id: ObjectIdentifier
  package let name: String

  /// Names a worker by its type.
  package init(id: ObjectIdentifier, name: String) {
    self.id = id
    self.name = name
  }
}

/// The place in the caller's source at which a task was bound.
package struct BindingSite: Sendable, CustomStringConvertible {
  package let fileID: String
  package let line: Int

  /// Names a place.
  package init(fileID: String, line: Int) {
    self.fileID = fileID
    self.line = line
  }

  /// The place in the form that editors open, such as `App/Home.swift:12`.
  package var description: String { "\(fileID):\(line)" }
}
