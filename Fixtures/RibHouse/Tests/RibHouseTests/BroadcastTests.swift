// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@testable import RibHouse

@Suite(.timeLimit(.minutes(60))) struct BroadcastTests {
  @Test func `a listener receives the present value first, then each one after it`() async {
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

  @Test func `each listener that remains has received the last value`() async {
    let listeners = ValuePool<AsyncStream<Int>>("listener")
    await Fuzzer { Broadcast(0) }
      .action(FuzzAction("listen", into: listeners) { $0.stream() })
      .action(FuzzAction("send", with: .drawn(.int(in: 1...9))) { $0.send($1) })
      .action(
        FuzzAction("hear one value and leave", with: .taken(from: listeners)) { _, stream in
          for await _ in stream { break }
        }
      )
      .invariant("no more listen than have come") { $0.listenerCount <= 16 }
      .check(executions: 300, seed: 1)
  }
}
