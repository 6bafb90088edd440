// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct DetachReturnRuleTests {
  private let forged = ForgedEvents()

  @Test func `T4 a detach that returns before the child has left is reported`() {
    let events = forged.family + [forged.detach] + forged.belowSleeps + [forged.detachReturns]
    #expect(
      forged.verdicts(events) == [
        "T4 detachReturn: Above.detachChild(Below) returned, and it is still in its children."
      ])
    #expect(forged.verdicts(events, without: [.detachReturn]) == [])
  }

  @Test func `T4 a detach that returns while something of the subtree is active is reported`() {
    #expect(
      forged.verdicts(forged.family + [forged.detach, forged.detached, forged.detachReturns], without: [.detachment])
        == ["T4 detachReturn: Above.detachChild(Below) returned, and B is still active."])
  }

  @Test func `T6 a detach that an attach superseded may return early`() {
    #expect(forged.verdicts(forged.family + [forged.detach, forged.attach, forged.detachReturns]) == [])
  }

  @Test func `T3 a second detach promises what the first one does`() {
    #expect(
      forged.verdicts(forged.family + [forged.detach, forged.detach, forged.detachReturns])
        == ["T4 detachReturn: Above.detachChild(Below) returned, and it is still in its children."])
  }

  @Test func `T3 a detach of what is no child promises nothing`() {
    let detach: [LifecycleEvent] = [
      .detachRequested(child: forged.below, parent: forged.other),
      .detachReturned(child: forged.below, parent: forged.other),
    ]
    #expect(forged.verdicts(forged.family + forged.third + detach) == [])
  }
}
