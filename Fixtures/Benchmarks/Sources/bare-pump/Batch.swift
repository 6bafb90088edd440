// SPDX-License-Identifier: Apache-2.0
import EngineBodies
import Pump
import Sampling

extension Pump {
  /// Runs a batch of executions, the thread taken before each and given back after it, as the engine does.
  @MainActor
  func batch(of body: EngineBody) -> (nanoseconds: Double, steps: Int) {
    let before = steps
    let start = ProcessorTime.nanoseconds
    for _ in 0..<body.batch { batch(body.run) }
    return (ProcessorTime.nanoseconds - start, steps - before)
  }
}
