// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Testing

@Suite struct TranscriptTests {
  @Test func `a transcript puts the events of several doubles into one order`() async {
    let listener = HomeListenerMock()
    let interactor = MockInteractor()
    let numbers = Recorder<Int>("Numbers")
    await interactor.activate()
    await listener.homeDidRequestLogout()
    numbers.record(7)
    await interactor.deactivate()
    let transcript = Transcript(listener, numbers, interactor)
    #expect(
      transcript.lines == [
        "MockInteractor: didBecomeActive",
        "HomeListenerMock: didRequestLogout",
        "Numbers: 7",
        "MockInteractor: willResignActive",
      ]
    )
    #expect(transcript.description == transcript.lines.joined(separator: "\n"))
  }
}
