// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct RecorderWaitingTests {
  private enum Event: Equatable { case one, two, three }
  private let recorder = Recorder<Event>("Ears")

  @Test func `a wait for events that are there returns at once`() async {
    recorder.record(.one)
    #expect(await recorder.events(atLeast: 1) == [.one])
    #expect(await recorder.events(atLeast: 0) == [.one])
  }

  @Test func `a wait for events ends when the last of them is recorded`() async {
    async let events = recorder.events(atLeast: 2)
    recorder.record(.one)
    recorder.record(.two)
    #expect(await events == [.one, .two])
  }

  @Test func `a wait for events that do not come records one issue that names what did`() async {
    recorder.record(.one)
    let texts = await issues { #expect(await recorder.events(atLeast: 3, within: .milliseconds(10)) == [.one]) }
    #expect(
      texts == [
        """
        Ears waited 10 ms for at least 3 events; recorded so far: one.
        Likely cause: the call was not made, or another instance of the double received it.
        What to do: await what leads to the call first, or allow more time with `within:`.
        """
      ]
    )
  }

  @Test func `the issue of a wait that is too long is at the line of the wait`() async {
    let records = await issueRecords { _ = await recorder.next(within: .milliseconds(1)) }
    #expect(records.map(\.line) == [#line - 1])
    #expect(
      records.first?.text.hasPrefix("Ears waited 1 ms for another event; recorded so far: nothing.") == true
    )
  }

  @Test func `a cancelled wait ends without an issue`() async {
    let texts = await issues {
      let wait = Task { await recorder.events(atLeast: 1) }
      wait.cancel()
      #expect(await wait.value == [])
      let other = Task { await recorder.next() }
      other.cancel()
      #expect(await other.value == nil)
    }
    #expect(texts == [])
  }

  @Test func `next hands out each event once, in order`() async {
    for event in [Event.one, .two] { recorder.record(event) }
    #expect(await recorder.next() == .one)
    #expect(await recorder.next() == .two)
    async let third = recorder.next()
    recorder.record(.three)
    #expect(await third == .three)
  }

  @Test func `a predicate finds an event of the past and one that is yet to come`() async {
    recorder.record(.one)
    #expect(await recorder.first { $0 == .one } == .one)
    async let later = recorder.first { $0 == .three }
    recorder.record(.two)
    recorder.record(.three)
    #expect(await later == .three)
  }

  @Test func `a predicate may read the recorder that it is asked by`() async {
    recorder.record(.one)
    #expect(await recorder.first { _ in recorder.count == 1 } == .one)
  }

  @Test func `a predicate that nothing satisfies records one issue`() async {
    recorder.record(.one)
    let texts = await issues { #expect(await recorder.first(within: .milliseconds(10)) { $0 == .two } == nil) }
    #expect(texts.count == 1)
    #expect(
      texts.first?.hasPrefix(
        "Ears waited 10 ms for an event that satisfies the predicate; recorded so far: one."
      ) == true
    )
  }

  @Test func `a stream yields every event from the first, to each of its readers`() async {
    recorder.record(.one)
    for stream in [recorder.stream, recorder.stream] {
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next() == .one)
    }
    var iterator = recorder.stream.makeAsyncIterator()
    #expect(await iterator.next() == .one)
    recorder.record(.two)
    #expect(await iterator.next() == .two)
  }

  @Test func `a stream goes on after a reset`() async {
    var iterator = recorder.stream.makeAsyncIterator()
    recorder.record(.one)
    recorder.reset()
    recorder.record(.two)
    #expect(await iterator.next() == .two)
  }

  @Test func `a stream ends with its recorder`() async {
    var recorder: Recorder<Int>? = Recorder()
    recorder?.record(1)
    let stream = recorder!.stream
    let reading = Task {
      var events: [Int] = []
      for await event in stream { events.append(event) }
      return events
    }
    recorder = nil
    #expect(await reading.value.allSatisfy { $0 == 1 })
  }

  @Test func `a cancelled reader ends and leaves the recorder to others`() async {
    let reading = Task { [recorder] in for await _ in recorder.stream {} }
    reading.cancel()
    await reading.value
    recorder.record(.one)
    #expect(await recorder.next() == .one)
  }
}
