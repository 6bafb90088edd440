// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Synchronization
import Testing

private let runs = Mutex(0)

@Suite(.profile(RunProfile("often", executions: 20))) struct SimulatedTraitTests {
  @Test(.simulated) func `a simulated test runs once, whatever the profile says`() {
    let count = runs.withLock { runs in
      runs += 1
      return runs
    }
    #expect(count == 1)
  }
}
