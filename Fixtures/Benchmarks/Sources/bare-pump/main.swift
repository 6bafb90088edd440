// SPDX-License-Identifier: Apache-2.0

// Reads a body's number a line from standard input, runs a batch of it, and answers with nanoseconds, steps, executions.
// With two arguments, a body's number and a number of batches, it runs these and stops.
import EngineBodies
import Foundation
import Pump

@MainActor
private func pumpAll() {
  let pump = Pump.setUp()
  let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
  if arguments.count == 2 {
    var steps = 0
    for _ in 0..<arguments[1] { steps += pump.batch(of: EngineBody.all[arguments[0]]).steps }
    print(steps)
  } else {
    while let line = readLine(), let body = Int(line) {
      let batch = pump.batch(of: EngineBody.all[body])
      print(batch.nanoseconds, batch.steps, EngineBody.all[body].batch)
      fflush(nil)
    }
  }
}

// In a task, as the engine is: parked tasks rely on there being one. As for the run loop: valgrind does not survive an
// asynchronous main.
Task { @MainActor in
  pumpAll()
  exit(0)
}
RunLoop.main.run()
