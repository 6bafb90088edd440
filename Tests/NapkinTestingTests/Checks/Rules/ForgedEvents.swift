// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Synchronization

/// Two napkins that do not exist, A with the router Above and B with the router Below, and the events of their lives.
///
/// A monitor is shown events that break its rule, and nothing but those.
struct ForgedEvents {
  private final class Thing: Sendable {}
  private let things = (0..<8).map { _ in Thing() }
  var life: ObjectIdentifier { ObjectIdentifier(things[0]) }
  var lifeBelow: ObjectIdentifier { ObjectIdentifier(things[1]) }
  var above: ObjectIdentifier { ObjectIdentifier(things[2]) }
  var below: ObjectIdentifier { ObjectIdentifier(things[3]) }
  var other: ObjectIdentifier { ObjectIdentifier(things[4]) }
  var scope: ObjectIdentifier { ObjectIdentifier(things[5]) }
  var otherLife: ObjectIdentifier { ObjectIdentifier(things[6]) }

  var deep: ObjectIdentifier { ObjectIdentifier(things[7]) }

  var awake: [LifecycleEvent] { [.lifecycleCreated(life, owner: "A")] + wakes(life) }

  func wakes(_ id: ObjectIdentifier) -> [LifecycleEvent] {
    [.activated(id), .didBecomeActiveBegan(id), .didBecomeActiveEnded(id)]
  }

  func resigns(_ id: ObjectIdentifier) -> [LifecycleEvent] {
    [.willResignActiveBegan(id), .willResignActiveEnded(id), .deactivated(id)]
  }

  /// A third napkin, C with the router Other.
  var third: [LifecycleEvent] {
    [.lifecycleCreated(otherLife, owner: "C"), .routerCreated(other, name: "Other", lifecycle: otherLife)]
  }

  /// Both are made, and A is active.
  var strangers: [LifecycleEvent] {
    awake + [
      .lifecycleCreated(lifeBelow, owner: "B"), .routerCreated(above, name: "Above", lifecycle: life),
      .routerCreated(below, name: "Below", lifecycle: lifeBelow),
    ]
  }

  var attach: LifecycleEvent { .attachRequested(child: below, parent: above) }
  var attached: LifecycleEvent { .attached(child: below, parent: above) }
  var attachReturns: LifecycleEvent { .attachReturned(child: below, parent: above) }
  var detach: LifecycleEvent { .detachRequested(child: below, parent: above) }
  var detached: LifecycleEvent { .detached(child: below, parent: above) }
  var detachReturns: LifecycleEvent { .detachReturned(child: below, parent: above) }

  /// The tree wakes an interactor, or puts it to sleep.
  func visit(_ id: ObjectIdentifier, wakes: Bool) -> [LifecycleEvent] {
    [.visited(id, wakes: wakes), .requested(id, active: wakes, mayVisit: true)] + (wakes ? self.wakes(id) : resigns(id))
      + [.requestReturned(id, active: wakes)]
  }

  /// The tree wakes B, which is below A.
  var belowWakes: [LifecycleEvent] { visit(lifeBelow, wakes: true) }

  /// The tree puts B to sleep.
  var belowSleeps: [LifecycleEvent] { visit(lifeBelow, wakes: false) }

  /// Both are active, B under A.
  var family: [LifecycleEvent] {
    strangers + [attach, attached] + belowWakes + [.loadBegan(below), .loadEnded(below), attachReturns]
  }

  var leaves: [LifecycleEvent] { [detach] + belowSleeps + [detached, detachReturns] }

  /// The violations that are reported for these events, with the number of the rule.
  func verdicts(
    _ events: [LifecycleEvent], without silenced: Set<LifecycleRule> = [], look: (MonitorSet) -> Void = { _ in }
  ) -> [String] {
    let found = Mutex<[String]>([])
    let monitors = MonitorSet(without: silenced) { rule, message, _ in
      found.withLock { $0.append("\(rule): \(message)") }
    }
    for event in events { monitors.lifecycle(event) }
    look(monitors)
    return found.withLock { $0 }
  }
}
