// SPDX-License-Identifier: Apache-2.0

internal import Napkin

/// A custom check that receives the events of an execution, one by one, and may keep state.
///
/// ```swift
/// /// The tree never has more than three screens that are active.
/// struct ActiveScreens: TreeMonitor {
///   private var active = 0
///
///   mutating func observe(_ event: TreeEvent) -> String? {
///     switch event.kind {
///     case .activated: active += 1
///     case .deactivated: active -= 1
///     default: return nil
///     }
///     return active > 3 ? "\(active) interactors are active at once." : nil
///   }
/// }
/// ```
///
/// Each execution has its own monitor; see ``TreeFuzzer/monitor(_:_:)``. A requirement that returns a text fails the
/// execution with that text; nil passes. By default all three return nil.
///
/// They are called under a lock while the tree waits, so they must not call a napkin.
public protocol TreeMonitor: Sendable {
  /// Receives an event when it happens.
  mutating func observe(_ event: TreeEvent) -> String?

  /// Checks when every action of a round has returned and no job is ready.
  mutating func atRest() -> String?

  /// Checks when the root was deactivated and released and every task has finished or waits.
  mutating func atEnd() -> String?
}

extension TreeMonitor {
  /// Returns nil.
  public mutating func observe(_ event: TreeEvent) -> String? { nil }

  /// Returns nil.
  public mutating func atRest() -> String? { nil }

  /// Returns nil.
  public mutating func atEnd() -> String? { nil }
}

/// An event of a router or an interactor of a fuzzed tree, as a ``TreeMonitor`` receives it.
public struct TreeEvent: Sendable, Hashable {
  /// The kinds of events.
  public enum Kind: Sendable, Hashable {
    /// An interactor's `isActive` has turned true.
    case activated
    /// An interactor's `isActive` has turned false.
    case deactivated
    /// An interactor's `didBecomeActive()` was called, or has returned.
    case didBecomeActiveBegan, didBecomeActiveEnded
    /// An interactor's `willResignActive()` was called, or has returned.
    case willResignActiveBegan, willResignActiveEnded
    /// A bound task began, or ended.
    case taskStarted, taskFinished
    /// A router's `didLoad()` was called, or has returned.
    case loadBegan, loadEnded
    /// `attachChild` was called, or has returned; the router is the child.
    case attachCalled, attachReturned
    /// The router was added to the children of another, or removed from them.
    case attached, detached
    /// `detachChild` was called, or has returned; the router is the child.
    case detachCalled, detachReturned
    /// A router, or an interactor, was released.
    case routerReleased, interactorReleased
  }

  /// The kind of the event.
  public let kind: Kind

  /// The router or interactor, by the name of its type; from the second of that type on with a number, as in `HomeRouter #2`.
  public let subject: String

  /// The parent, where the event is about a child and its parent.
  public let parent: String?

  /// The text of the event in the timeline of a failure.
  public let description: String
}

extension TreeEvent: CustomStringConvertible {}

extension TreeEvent {
  /// Nil for an event that says nothing outside the framework.
  init?(_ event: LifecycleEvent, in tree: ObservedTree) {
    guard case (let kind?, let step)? = event.shown(in: tree), let id = event.subject else { return nil }
    self.kind = kind
    subject = tree.name(of: id)
    parent = event.parent.map(tree.name(of:))
    description = step.text
  }
}
