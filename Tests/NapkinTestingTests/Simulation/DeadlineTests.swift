// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct DeadlineTests {
  @Test func `a busy main actor does not end the wait for what is queued there`() async {
    let recorder = Recorder<Int>("Ears")
    let work = Task { @MainActor in
      let end = ContinuousClock.now + .milliseconds(30)
      while ContinuousClock.now < end {}
      recorder.record(1)
    }
    #expect(await recorder.next(within: .milliseconds(1)) == 1)
    await work.value
  }

  @Test func `a deadline calls the action that was set last, once`() async {
    let recorder = Recorder<String>("Alarms")
    let deadline = Deadline(after: .milliseconds(1))
    deadline.whenOver { recorder.record("replaced") }
    deadline.whenOver { recorder.record("over") }
    await recorder.events(atLeast: 1)
    #expect(deadline.isOver)
    deadline.whenOver { recorder.record("over already") }
    #expect(recorder.events == ["over", "over already"])
  }
}
