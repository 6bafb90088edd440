// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

private actor Counter {
  private(set) var value = 0
  func increment() { value += 1 }
}

@Suite struct InterleavingsTests {
  // Its tasks hold the body for ever; the exploration warns that it was left unjudged.
  @Test(.interleavings(2, steps: .max, time: .milliseconds(50)))
  func `a body that the time ends in the middle does not end the process`() async {
    while true { await Task.yield() }
  }

  @Test(.interleavings(500)) func `a sound body passes under every interleaving`() async {
    #expect(Execution.isSimulated)
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<3 { group.addTask { await counter.increment() } }
    }
    #expect(await counter.value == 3)
  }

  @Test(.interleavings(100)) @MainActor func `a body on the main actor is explored on it`() async {
    MainActor.assertIsolated()
    await Task { @MainActor in MainActor.assertIsolated() }.value
  }

  @Test(.simulated) func `a simulated hour passes at once`() async throws {
    #expect(Execution.isSimulated)
    try await Task.sleep(for: .seconds(3_600))
  }
}
