// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct DetachOfNonChildRuleTests {
  private let forged = ForgedEvents()

  private var called: LifecycleEvent { .detachRequested(child: forged.below, parent: forged.other) }
  private var returned: LifecycleEvent { .detachReturned(child: forged.below, parent: forged.other) }

  @Test func `T3 a detach of a stranger that deactivates it is reported`() {
    let events = forged.family + forged.third + [called] + forged.belowSleeps + [returned]
    #expect(
      forged.verdicts(events)
        == [
          "T3 detachOfNonChild: Other.detachChild(Below) was called, though it is no child there, and B was deactivated."
        ])
    #expect(forged.verdicts(events, without: [.detachOfNonChild]) == [])
  }

  @Test func `T3 a detach of a stranger that changes nothing is sound`() {
    #expect(forged.verdicts(forged.family + forged.third + [called, returned]) == [])
  }

  @Test func `T3 a child that its own parent detaches meanwhile is that call's business`() {
    let events = forged.family + forged.third + [forged.detach, called] + forged.belowSleeps
    #expect(forged.verdicts(events + [forged.detached, forged.detachReturns, returned]) == [])
    #expect(forged.verdicts(events + [returned, forged.detached, forged.detachReturns]) == [])
  }

  @Test func `T3 a child whose parent is deactivated meanwhile is that call's business`() {
    let events = forged.family + forged.third + [called, .requested(forged.life, active: false)] + forged.belowSleeps
    #expect(forged.verdicts(events + [returned]) == [])
  }
}
