// SPDX-License-Identifier: Apache-2.0
import EngineBodies
import PumpRuntime
import Sampling

@MainActor private let pump = Pump()

/// Lets the runtime show where it keeps what a hop goes on with, as the engine does before its first execution.
@MainActor
func setUp() {
  Pump.current = pump
  napkin_explore_on_this_thread(takeHop)
  PumpProbe.run(on: pump)
  napkin_stop_exploring()
}

/// Runs a batch of executions, the thread taken before each and given back after it, as the engine does.
@MainActor
func runBatch(_ body: EngineBody) -> (nanoseconds: Double, steps: Int) {
  let before = pump.steps
  let start = ProcessorTime.nanoseconds
  for _ in 0..<body.batch {
    napkin_explore_on_this_thread(takeHop)
    pump.run(body.run)
    napkin_stop_exploring()
  }
  return (ProcessorTime.nanoseconds - start, pump.steps - before)
}
