// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct AttachReturnRuleTests {
  private let forged = ForgedEvents()
  private var joining: [LifecycleEvent] { forged.strangers + [forged.attach, forged.attached] }
  private var returned: String { "T1 attachReturn: Above.attachChild(Below) returned, and" }

  @Test func `T1 an attach that returns too early is reported`() {
    #expect(
      forged.verdicts(forged.strangers + [forged.attach, forged.attachReturns])
        == ["\(returned) it is not in its children."])
    #expect(forged.verdicts(joining + [forged.attachReturns]) == ["\(returned) B is not active."])
    #expect(
      forged.verdicts(joining + forged.belowWakes + [forged.attachReturns]) == ["\(returned) it is not loaded."])
    #expect(
      forged.verdicts(joining + forged.belowWakes + [.loadBegan(forged.below), forged.attachReturns])
        == ["\(returned) its didLoad() is still running."])
  }

  @Test func `T1 an attach that returns while the child is being activated is reported`() {
    let begun = Array(forged.belowWakes.prefix(4))
    let events = joining + begun + [forged.attachReturns]
    #expect(forged.verdicts(events) == ["\(returned) didBecomeActive() of B is still running."])
    #expect(forged.verdicts(events, without: [.attachReturn]) == [])
  }

  @Test func `T1 an attach that a detach superseded may return early`() {
    #expect(forged.verdicts(forged.strangers + [forged.attach, forged.detach, forged.attachReturns]) == [])
  }

  @Test func `T1 an attach that is misuse promises nothing`() {
    let again: [LifecycleEvent] = [
      .attachRequested(child: forged.below, parent: forged.other),
      .attachReturned(child: forged.below, parent: forged.other),
    ]
    #expect(forged.verdicts(forged.family + forged.third + again, without: [.misuseReport]) == [])
  }

  @Test func `T1 of two equal attaches the one that is misuse returns first`() {
    let joins = forged.belowWakes + [.loadBegan(forged.below), .loadEnded(forged.below)]
    let twice = forged.strangers + [forged.attach, forged.attached, forged.attach, forged.attachReturns]
    #expect(forged.verdicts(twice + joins + [forged.attachReturns], without: [.misuseReport]) == [])
    #expect(
      forged.verdicts(twice + [forged.attachReturns], without: [.misuseReport]) == ["\(returned) B is not active."])
  }

  @Test func `T7 an attach under an inactive parent that activates the child is reported`() {
    let sleeper = forged.strangers + forged.resigns(forged.life) + [forged.attach, forged.attached]
    #expect(
      forged.verdicts(sleeper + forged.belowWakes + [forged.attachReturns])
        == ["\(returned) B is active, while A above it is not."])
    #expect(forged.verdicts(sleeper + [forged.attachReturns]) == [])
  }
}
