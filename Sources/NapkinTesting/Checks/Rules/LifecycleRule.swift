// SPDX-License-Identifier: Apache-2.0

/// A rule of the lifecycle contract, which a tree fuzzer checks unless ``TreeFuzzer/ignoring(_:)-(LifecycleRule...)`` names it.
public enum LifecycleRule: Sendable, Hashable, CaseIterable {
  /// `didBecomeActive()` and `willResignActive()` alternate and never overlap (L2), and `isActive` encloses both (L1).
  case alternation

  /// `activate()` and `deactivate()` return when the requested state is reached, and the last call decides (L3).
  case activationReturn

  /// At rest, every activation and deactivation has come to its end (L3).
  case completion

  /// At the end, no interactor is active whose router has left its place: a direct `activate()` has woken it since (L3). A
  /// router that never had a place may be a root of its own.
  case strayActivity

  /// A double records no call on a listener or a presenter by an interactor that has resigned (L1).
  ///
  /// It has to be certain that the call was made then: the tree was at rest between, or a second has passed. And that the
  /// interactor made it: a bound task of it did, or the presenter has no other interactor and is no view controller. A
  /// presenter is judged when the router is released, since a router that is kept may come back.
  case lateOutput

  /// Work is bound, and begins, inside the active scope only (L6).
  case activeScope

  /// Bound tasks are cancelled when `willResignActive()` has ended, in the order in which they were bound (L6).
  case cancellation

  /// Every bound task is cancelled with its scope, and ends after that (L6, L8).
  case boundTasks

  /// A task that an interactor or a router starts by itself has ended when its tree was released, or will (L6).
  case unboundTasks

  /// A worker has one run at a time (L12).
  case workerRuns

  /// `isActiveStream` yields every transition once, in order, and finishes with its interactor (L7).
  case streams

  /// `whenActive()` returns when the interactor is active, and throws when its router leaves its place (L11).
  case activityWait

  /// A router is loaded once in its life, after its first activation; a child of an active parent is active (T1).
  case loading

  /// `attachChild` returns when the child is attached, active and loaded (T1).
  case attachReturn

  /// A router has one parent, is in its children once, and is never below itself (T2).
  case placement

  /// A detach of a router that is no child changes nothing (T3).
  case detachOfNonChild

  /// A subtree resigns deepest first, and siblings the last attached first (T4, T10).
  case resignationOrder

  /// A router that leaves its parent is inactive, and so is everything below it (T4).
  case detachment

  /// `detachChild` returns when the child has left and nothing of it is active (T4).
  case detachReturn

  /// At rest the tree is the result of its calls in the order in which they arrived (T6).
  case callOrder

  /// At rest nothing is active below a node that was deactivated (T7).
  case dormancy

  /// No action of a fuzzer attaches a child below a router that had left its place before the action began, and that does not
  /// come back, so that the child is never woken (T7). Attaches by other tasks than the action's are not judged.
  case staleParent

  /// The last call to a `ChildSlot` decides, one child is attached for it at rest, and its views follow one at a time (T14).
  case slots

  /// When the root was released nothing of its tree is left (T10).
  case release

  /// No call breaks the rules for callers, such as attaching a child that is attached already (M1).
  case misuse

  /// A call that breaks those rules is reported (M1).
  case misuseReport

  /// The rule's number in the contract, such as `T10`.
  public var id: String {
    switch self {
    case .lateOutput: "L1"
    case .alternation: "L2"
    case .activationReturn, .completion, .strayActivity: "L3"
    case .activeScope, .cancellation, .boundTasks, .unboundTasks: "L6"
    case .streams: "L7"
    case .activityWait: "L11"
    case .workerRuns: "L12"
    case .loading, .attachReturn: "T1"
    case .placement: "T2"
    case .detachOfNonChild: "T3"
    case .resignationOrder, .detachment, .detachReturn: "T4"
    case .callOrder: "T6"
    case .dormancy, .staleParent: "T7"
    case .slots: "T14"
    case .release: "T10"
    case .misuse, .misuseReport: "M1"
    }
  }

  /// The number and the name, as in `T10 release`, which the report of a violation begins with.
  package var heading: String { "\(id) \(self)" }
}

extension LifecycleRule {
  /// The violation of a rule, by its heading; some have a cause of their own, which no order of the tasks explains.
  ///
  /// The holder of a leak is the path to a property, where one is known.
  static func diagnostic(_ rule: String, _ message: String, heldBy holder: String? = nil) -> Diagnostic {
    var diagnostic = Diagnostic(.violation(rule: rule), "\(rule): \(message)")
    if rule == release.heading {
      (diagnostic.likelyCause, diagnostic.suggestion) =
        switch holder {
        case nil:
          ("a closure or a task keeps what it captures.", "capture weakly, and end tasks in `willResignActive()`.")
        case let slot? where slot.hasPrefix("the closure of "):
          ("the router keeps its slot, and the slot its closure.", "capture the router weakly in \(slot).")
        case let path? where path.contains(".children["):
          ("its parent was not released, and has it as a child.", "detach it, or release the parent.")
        case let path?:
          ("a strong reference closes a cycle.", "make `\(path)` weak, or clear it in `willResignActive()`.")
        }
    }
    if rule == lateOutput.heading {
      diagnostic.likelyCause = "the interactor awaited something, and went on when it had resigned."
      diagnostic.suggestion = "look at `lifecycle.isActive` or `Task.isCancelled` after the await, and do nothing then."
    }
    if rule == unboundTasks.heading {
      diagnostic.likelyCause = "`Task { }` is bound to no interactor, so the end of an activation does not cancel it."
      diagnostic.suggestion = """
        start it with `task { }`, which is cancelled when the interactor resigns, or keep it and cancel it in \
        `willResignActive()`.
        """
    }
    return diagnostic
  }
}
