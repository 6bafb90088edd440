// SPDX-License-Identifier: Apache-2.0

// Executions to the first failure of each program by strategy, and what shrinking makes of it: a row a program, parted
// by tabs. `yardstick-tool [SEEDS]`
internal import NapkinTesting

let seeds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 20
let strategies: [Explorer.Strategy] = [
  .random, .sticky, .pct(depth: 3), .pos, .surw, .uniform, .delayBounded(2), .portfolio,
]

let columns = ["program", "published"] + strategies.map(\.description) + ["depth", "deviations", "executions", "ms"]
print(columns.joined(separator: "\t"))
for program in YardstickProgram.broken {
  var columns = [program.name, program.published]
  for strategy in strategies { columns.append(await Search(of: program, strategy, seeds: seeds).description) }
  let shrinking = await Shrinking(of: program, seeds: min(seeds, 7))
  columns += ["\(program.depth ?? 0)"] + shrinking.columns
  print(columns.joined(separator: "\t"))
}
