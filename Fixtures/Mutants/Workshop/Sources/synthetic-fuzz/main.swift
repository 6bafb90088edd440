// SPDX-License-Identifier: Apache-2.0
import NapkinTesting

// Fuzzes synthetic trees for a number of executions with a seed, and prints in one line what was found.
let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard arguments.count == 2 else { fatalError("usage: synthetic-fuzz executions seed") }
let exploration = await TreeFuzzer.synthetic().run(executions: Int(arguments[0]), seed: arguments[1])
if let failure = exploration.failure {
  let verdict = failure.messages.first?.split(separator: "\n").first.map(String.init) ?? "no message"
  print("found\t\(failure.execution)\t\(verdict)")
} else {
  print("survived\t\(exploration.executions)\t")
}
