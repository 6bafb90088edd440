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

  @Test func `a deadline rings once, for whoever asked last`() async {
    let recorder = Recorder<String>("Alarms")
    let deadline = Deadline(after: .milliseconds(1))
    deadline.whenOver { recorder.record("replaced") }
    deadline.whenOver { recorder.record("over") }
    await recorder.events(atLeast: 1)
    #expect(deadline.isOver)
    deadline.whenOver { recorder.record("over already") }
    #expect(recorder.events == ["over", "over already"])
  }

  @Test func `times are spelled out as a reader expects them`() {
    #expect(Duration.seconds(1).spelledOut == "1 second")
    #expect(Duration.seconds(5).spelledOut == "5 seconds")
    #expect(Duration.milliseconds(250).spelledOut == "0.25 seconds")
  }
}
