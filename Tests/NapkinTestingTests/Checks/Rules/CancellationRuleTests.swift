// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct CancellationRuleTests {
  private let forged = ForgedEvents()

  private var works: [LifecycleEvent] {
    forged.awake + [1, 2].map { .taskRegistered(forged.life, task: $0, scope: forged.scope, site: nil) }
  }

  private var cancelled: [LifecycleEvent] { [1, 2].map { .taskCancelled(forged.life, task: $0) } }

  @Test func `L6 work that is cancelled after the resignation, the oldest first, is sound`() {
    #expect(forged.verdicts(works + forged.resigns(forged.life) + cancelled) == [])
  }

  @Test func `L6 work that is cancelled before its interactor resigns is reported`() {
    let events = works + cancelled + forged.resigns(forged.life)
    #expect(
      forged.verdicts(events) == ["L6 cancellation: Task 1 of A was cancelled before willResignActive() had ended."])
    #expect(forged.verdicts(events, without: [.cancellation]) == [])
  }

  @Test func `L6 work that is cancelled while its interactor resigns is reported`() {
    let resigns = forged.resigns(forged.life)
    let events = works + resigns.prefix(1) + cancelled + resigns.dropFirst()
    #expect(
      forged.verdicts(events) == ["L6 cancellation: Task 1 of A was cancelled before willResignActive() had ended."])
  }

  @Test func `L8 work that is cancelled because its interactor is released is sound`() {
    #expect(forged.verdicts(works + cancelled + [.lifecycleDeinit(forged.life)]) == [])
  }

  @Test func `L6 work that is cancelled out of order is reported`() {
    let events = works + forged.resigns(forged.life)
    let expected = ["L6 cancellation: Task 2 of A was cancelled before task 1, which was bound before it."]
    #expect(forged.verdicts(events + cancelled.reversed()) == expected)
    #expect(forged.verdicts(events + cancelled.reversed(), without: [.cancellation]) == [])
  }
}
