// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct RecorderTests {
  private enum Event: Equatable { case one, two, three }
  private let recorder = Recorder<Event>("Ears")

  @Test func `a recorder keeps events in the order in which they were recorded`() {
    recorder.record(.two)
    recorder.record(.one)
    #expect(recorder.events == [.two, .one])
    #expect(recorder.count == 2)
  }

  @Test func `a reset forgets what was recorded and nothing of what comes`() async {
    recorder.record(.one)
    recorder.reset()
    #expect(recorder.events == [])
    recorder.record(.two)
    #expect(recorder.events == [.two])
    #expect(await recorder.next() == .two)
  }

  @Test func `a recorder is named after the type that its events are nested in`() {
    #expect(Recorder<HomeListenerMock.Event>().name == "HomeListenerMock")
    #expect(Recorder<Int>().name == "Int")
  }

  @Test func `every concurrent record is kept once`() async {
    let recorder = Recorder<Int>()
    await withTaskGroup { group in
      for number in 0..<1_000 { group.addTask { recorder.record(number) } }
    }
    #expect(recorder.events.sorted() == Array(0..<1_000))
  }
}
