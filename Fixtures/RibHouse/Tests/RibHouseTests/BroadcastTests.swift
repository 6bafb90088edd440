// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RibHouse

@Suite(.timeLimit(.minutes(1))) struct BroadcastTests {
  @Test func `whoever listens hears the present value first, then each one after it`() async {
    let stream = {
      let broadcast = Broadcast("ribs")
      let stream = broadcast.stream()
      broadcast.send("brisket")
      return stream
    }()
    var heard: [String] = []
    for await value in stream { heard.append(value) }
    #expect(heard == ["ribs", "brisket"])
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
}
