// SPDX-License-Identifier: Apache-2.0

package import Napkin

/// The check of one rule: it follows the events of an execution and describes each violation.
package struct RuleCheck {
  /// Looks at an event; the tree is as it was before it.
  package typealias Observe = (LifecycleEvent, ObservedTree) -> String?

  /// Looks at the whole tree.
  package typealias Inspect = (ObservedTree) -> [String]

  package let rule: LifecycleRule
  package let observe: Observe

  /// Runs when no job is ready and no call is under way.
  package let atRest: Inspect

  /// Runs after the root was deactivated and released, and every task has finished or waits.
  package let atEnd: Inspect

  init(
    _ rule: LifecycleRule, observe: @escaping Observe = { _, _ in nil }, atRest: @escaping Inspect = { _ in [] },
    atEnd: @escaping Inspect = { _ in [] }
  ) {
    self.rule = rule
    self.observe = observe
    self.atRest = atRest
    self.atEnd = atEnd
  }

  /// The checks of one execution, one for each rule that events can show to be broken; some remember earlier events.
  package static func all() -> [RuleCheck] {
    [
      alternation, activationReturn, completion, strayActivity(), activeScope, cancellation(), boundTasks, unboundTasks,
      workerRuns, streams, activityWait,
      loading, attachReturn,
      placement, detachOfNonChild, resignationOrder(), detachment, detachReturn, callOrder, dormancy, staleParent(),
      slots(), release,
      misuseReport(),
    ]
  }
}
