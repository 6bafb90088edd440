// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Testing

extension RunProfile {
  static let soak = RunProfile("soak", executions: 10, time: .seconds(60))
}

private actor Counter {
  private(set) var value = 0
  func increment() { value += 1 }
}

@Suite(.profile(.soak)) struct Soaked {
  @Test(.interleavings(500, time: .seconds(5))) func `a counter counts in five seconds at most`() async {
    let counter = Counter()
    async let first: Void = counter.increment()
    async let second: Void = counter.increment()
    _ = await (first, second)
    #expect(await counter.value == 2)
  }
}
