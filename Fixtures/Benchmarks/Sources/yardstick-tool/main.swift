// SPDX-License-Identifier: Apache-2.0

// Executions to the first failure of each program by strategy, and what shrinking makes of it: a row a program, parted
// by tabs. `yardstick-tool [SEEDS [PROGRAM [STRATEGY …]]]`, where names may be cut short. `yardstick-tool sound EXECUTIONS`
// explores the programs without a bug instead, and fails if a failure is found. `yardstick-tool schedules EXECUTIONS` counts
// their schedules, all of them and without those that are equal if tasks share only actors.
internal import Foundation
@_spi(Benchmarks) internal import NapkinTesting

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "sound" {
  let executions = arguments.dropFirst().first.flatMap { Int($0) } ?? 30_000
  exit(await areSound(executions: executions) ? 0 : 1)
}
if arguments.first == "schedules" {
  await countSchedules(executions: arguments.dropFirst().first.flatMap { Int($0) } ?? 200_000)
  exit(0)
}
let seeds = arguments.first.flatMap { Int($0) } ?? 20
let name = arguments.dropFirst().first ?? ""
let chosen = arguments.dropFirst(2)
let strategies: [Explorer.Strategy] = [
  .random, .pct(depth: 3), .pos, .surw, .guided, .portfolio,
].filter { strategy in chosen.isEmpty || chosen.contains { strategy.description.hasPrefix($0) } }

let columns = ["program", "published"] + strategies.map(\.description)
print((columns + (chosen.isEmpty ? ["depth", "deviations", "executions", "ms"] : [])).joined(separator: "\t"))
for program in YardstickProgram.broken where program.name.hasPrefix(name) {
  var columns = [program.name, program.published]
  for strategy in strategies { columns.append(await Search(of: program, strategy, seeds: seeds).description) }
  if chosen.isEmpty {
    let shrinking = await Shrinking(of: program, seeds: min(seeds, 7))
    columns += ["\(program.depth ?? 0)"] + shrinking.columns
  }
  print(columns.joined(separator: "\t"))
}
