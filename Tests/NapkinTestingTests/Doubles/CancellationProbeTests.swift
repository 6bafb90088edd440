// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

@Suite struct CancellationProbeTests {
  private let probe = CancellationProbe()

  @Test func `a probe records the beginning and the end of work`() async {
    #expect(await probe.run { 3 } == 3)
    #expect(probe.events == [.began, .ended])
  }

  @Test func `a probe ends when its task is cancelled`() async {
    let task = Task { [probe] in await probe.untilCancelled() }
    #expect(await probe.recorder.next() == .began)
    task.cancel()
    await task.value
    #expect(probe.events == [.began, .cancelled, .ended])
  }

  @Test func `a probed stream yields nothing and ends when its reader is cancelled`() async {
    let task = Task { [probe] in
      var count = 0
      for await _ in probe.stream(of: Int.self) { count += 1 }
      return count
    }
    #expect(await probe.recorder.next() == .began)
    task.cancel()
    #expect(await task.value == 0)
    #expect(probe.events == [.began, .cancelled, .ended])
  }
}
