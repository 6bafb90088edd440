// SPDX-License-Identifier: Apache-2.0
import App
import NapkinTesting
import Testing

@Test(.interleavings(100)) func `two increments are two`() async {
  let counter = CounterInteractor()
  async let first: Void = counter.increment()
  async let second: Void = counter.increment()
  _ = await (first, second)
  #expect(await counter.count == 2)
}
