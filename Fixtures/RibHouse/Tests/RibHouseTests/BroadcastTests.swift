// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RibHouse

@Suite struct BroadcastTests {
  @Test func `whoever listens hears the present value first, then each one after it`() async {
    let broadcast = Broadcast("ribs")
    var heard = broadcast.stream().makeAsyncIterator()
    broadcast.send("brisket")
    #expect(await [heard.next(), heard.next()] == ["ribs", "brisket"])
  }

  @Test func `a listener whose task is cancelled is forgotten`() async {
    let broadcast = Broadcast("ribs")
    let stream = broadcast.stream()
    let listener = Task { for await _ in stream {} }
    #expect(broadcast.listenerCount == 1)
    listener.cancel()
    await listener.value
    #expect(broadcast.listenerCount == 0)
  }

  @Test func `a broadcast that goes away ends its streams`() async {
    let stream = Broadcast("ribs").stream()
    var heard: [String] = []
    for await value in stream { heard.append(value) }
    #expect(heard == ["ribs"])
  }
}
