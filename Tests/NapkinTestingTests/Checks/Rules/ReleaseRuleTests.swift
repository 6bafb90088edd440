// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct ReleaseRuleTests {
  private let forged = ForgedEvents()

  @Test func `T10 what is left at the end is reported`() {
    let events = forged.family + forged.belowSleeps + forged.resigns(forged.life)
    #expect(
      forged.verdicts(events) { $0.checkAtEnd() }
        == ["T10 release: Above was never released.", "T10 release: Below was never released."])
    #expect(forged.verdicts(events, without: [.release]) { $0.checkAtEnd() } == [])
  }

  @Test func `T10 an interactor that is left alone is reported`() {
    #expect(forged.verdicts(forged.awake) { $0.checkAtEnd() } == ["T10 release: A was never released."])
  }
}
