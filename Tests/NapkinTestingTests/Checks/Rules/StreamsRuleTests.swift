// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Testing

@Suite struct StreamsRuleTests {
  private let forged = ForgedEvents()
  private var life: ObjectIdentifier { forged.life }
  private var opened: [LifecycleEvent] {
    [.lifecycleCreated(life, owner: "A"), .streamOpened(life, stream: 1, isActive: false)]
  }
  private var reported: [LifecycleEvent] {
    opened + [.activated(life), .streamYielded(life, stream: 1, isActive: true), .didBecomeActiveBegan(life)]
      + [.didBecomeActiveEnded(life)]
  }

  @Test func `L7 a stream that yields every transition and is closed is sound`() {
    let ends: [LifecycleEvent] = [
      .willResignActiveBegan(life), .willResignActiveEnded(life), .streamYielded(life, stream: 1, isActive: false),
      .deactivated(life),
    ]
    #expect(
      forged.verdicts(reported + ends + [.streamClosed(life, stream: 1), .lifecycleDeinit(life)]) { $0.checkAtRest() }
        == []
    )
  }

  @Test func `L7 a value that comes twice in a row is reported`() {
    let events = reported + [.streamYielded(life, stream: 1, isActive: true)]
    #expect(forged.verdicts(events) == ["L7 streams: isActiveStream of A yielded true twice in a row."])
    #expect(forged.verdicts(events, without: [.streams]) == [])
  }

  @Test func `L7 a transition that the stream leaves out is reported at rest`() {
    #expect(
      forged.verdicts(opened + forged.wakes(life)) { $0.checkAtRest() }
        == ["L7 streams: isActiveStream of A ends with false, and it is true."])
  }

  @Test func `L7 two transitions that the stream leaves out are reported at rest`() {
    #expect(
      forged.verdicts(opened + forged.wakes(life) + forged.resigns(life)) { $0.checkAtRest() }
        == ["L7 streams: isActiveStream of A yielded 0 of 2 transitions."])
  }

  @Test func `L7 a stream that does not finish with its interactor is reported`() {
    #expect(
      forged.verdicts(reported + [.lifecycleDeinit(life)])
        == ["L7 streams: A is gone, and its isActiveStream has not finished."])
  }
}
