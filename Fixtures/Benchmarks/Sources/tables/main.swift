// SPDX-License-Identifier: Apache-2.0

// Writes the tables of a README from the results of a run: `tables RESULTS README`.
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("usage: tables RESULTS README") }
let results = Results(folder: URL(fileURLWithPath: arguments[1]))
let readme = URL(fileURLWithPath: arguments[2])
var text = try String(contentsOf: readme, encoding: .utf8)

let sections: [(marker: String, table: String?)] = [
  ("framework, one core", results.ratios("framework-1-core", unit: "µs", per: 1_000)),
  ("framework, two cores", results.ratios("framework-2-cores", unit: "µs", per: 1_000)),
  ("bytes", results.bytes("framework-1-core")),
  ("engine", results.engine("engine")),
  ("engine, debug", results.engine("engine-debug", goals: false)),
  ("engine, memory", results.engineMemory),
  ("bugs", results.bugs),
  ("fuzzer", results.ratios("fuzzer", unit: "µs", per: 1_000)),
  ("fuzzer, memory", results.memory("fuzzer", executions: 100_000, before: 10_000)),
  ("instructions", results.instructions),
  ("machine", results.lines("machine.txt")),
]
for (marker, table) in sections {
  // What was not run keeps its old table.
  if let table { text.replaceSection(marker, with: table) }
}
try text.write(to: readme, atomically: true, encoding: .utf8)

extension String {
  /// Puts new lines between `<!-- marker -->` and the next `<!-- end -->`.
  mutating func replaceSection(_ marker: String, with lines: String) {
    guard let start = range(of: "<!-- \(marker) -->\n"),
      let end = range(of: "<!-- end -->", range: start.upperBound..<endIndex)
    else { fatalError("README has no place for \(marker)") }
    replaceSubrange(start.upperBound..<end.lowerBound, with: "\n\(lines)\n\n")
  }
}
