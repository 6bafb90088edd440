// SPDX-License-Identifier: Apache-2.0

// Runs one side of a pair a number of times, all on one thread, first come, first served: what it takes is the same each
// time then, where threads that wait for one another and wake each other differ by a quarter from run to run.
import Foundation
import FrameworkPairs
import Pump
import Sampling

@MainActor
private func pumpAll() {
  let pump = Pump.setUp()
  pump.batch { await Tool.run(Pair.framework()) }
}

// In a task, as the engine is: parked tasks rely on there being one.
Task { @MainActor in
  pumpAll()
  exit(0)
}
RunLoop.main.run()
