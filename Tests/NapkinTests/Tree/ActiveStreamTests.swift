// SPDX-License-Identifier: Apache-2.0
import Napkin
import Testing

@Suite struct ActiveStreamTests {
  @Test func `L7 a stream begins with the present value and then yields every transition once`() async {
    var it: PlainInteractor? = PlainInteractor()
    let fromTheStart = it!.isActiveStream
    await it!.activate()
    await it!.activate()
    let later = it!.isActiveStream
    await it!.deactivate()
    await it!.activate()
    it = nil
    var first: [Bool] = []
    for await value in fromTheStart { first.append(value) }
    var second: [Bool] = []
    for await value in later { second.append(value) }
    #expect(first == [false, true, false, true])
    #expect(second == [true, false, true])
  }

  @Test func `L7 a resignation that is at once superseded is yielded all the same`() async {
    var it: ProbeInteractor? = ProbeInteractor(resign: { await $0.activate() })
    await it!.activate()
    let stream = it!.isActiveStream
    await it!.deactivate()
    it = nil
    var values: [Bool] = []
    for await value in stream { values.append(value) }
    #expect(values == [true, false, true])
  }

  @Test func `L7 a consumer that stops is forgotten`() async {
    let lifecycle = InteractorLifecycle()
    for _ in 1...3 {
      for await _ in lifecycle.isActiveStream { break }
      _ = lifecycle.isActiveStream
      await Task { for await _ in lifecycle.isActiveStream { withUnsafeCurrentTask { $0?.cancel() } } }.value
    }
    #expect(lifecycle.watcherCount == 0)
  }
}
