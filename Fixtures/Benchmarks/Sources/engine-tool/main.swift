// SPDX-License-Identifier: Apache-2.0
import EnginePairs
import Foundation
import Sampling

// The pump is built beside this program. As for the run loop: valgrind does not survive an asynchronous main.
let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
Task { @MainActor in
  if CommandLine.arguments.dropFirst().first == "memory" {
    let executions = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? 1_000_000
    let memory = await engineMemory(executions: executions)
    print(executions, memory.early, memory.late, separator: "\t")
    exit(0)
  }
  await Tool.run(Pair.engine(pump: folder.appending(path: "bare-pump").path))
  exit(0)
}
RunLoop.main.run()
