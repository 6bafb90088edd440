// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct CompletionRuleTests {
  private let forged = ForgedEvents()

  @Test func `L3 a callback that never returns is reported at rest`() {
    let events = forged.awake + [.willResignActiveBegan(forged.life)]
    #expect(
      forged.verdicts(events) { $0.checkAtRest() }
        == ["L3 completion: willResignActive() of A has not returned, and no task is left that could resume it."])
    #expect(forged.verdicts(events, without: [.completion]) { $0.checkAtRest() } == [])
  }
}
