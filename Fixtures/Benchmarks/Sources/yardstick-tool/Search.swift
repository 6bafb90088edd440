// SPDX-License-Identifier: Apache-2.0
internal import NapkinTesting

/// How long a strategy looks for a program's bug: mean and median over the seeds that found it.
struct Search: CustomStringConvertible {
  private var found: [Int] = []
  private let seeds: Int

  init(of program: YardstickProgram, _ strategy: Explorer.Strategy, seeds: Int) async {
    self.seeds = seeds
    for seed in 1...seeds {
      let explorer = Explorer(executions: program.bound, strategy: strategy, seed: UInt64(seed), shrinks: false)
      let exploration = await explorer.run(program.body)
      if exploration.failure != nil { found.append(exploration.executions) }
    }
    found.sort()
  }

  var description: String {
    guard !found.isEmpty else { return "-" }
    let mean = found.reduce(0, +) / found.count
    return "\(mean) / \(found[found.count / 2])" + (found.count < seeds ? " (\(found.count) of \(seeds))" : "")
  }
}

/// What is left of a failure when it is shrunk, and what that takes: medians over the seeds.
struct Shrinking {
  private var deviations: [Int] = []
  private var executions: [Int] = []
  private var milliseconds: [Double] = []

  init(of program: YardstickProgram, seeds: Int) async {
    for seed in 1...seeds {
      func explore(shrinks: Bool) async -> Exploration {
        await Explorer(executions: program.bound, seed: UInt64(seed), shrinks: shrinks).run(program.body)
      }
      let found = await explore(shrinks: false)
      let shrunk = await explore(shrinks: true)
      guard let failure = shrunk.failure else { continue }
      deviations.append(failure.deviations)
      executions.append(failure.shrinking.executions)
      milliseconds.append((shrunk.duration - found.duration) / .milliseconds(1))
    }
  }

  var columns: [String] {
    [median(deviations), median(executions), median(milliseconds.map { Int(max(0, $0).rounded(.up)) })]
  }

  private func median(_ values: [Int]) -> String { values.isEmpty ? "-" : "\(values.sorted()[values.count / 2])" }
}

/// Whether no strategy finds a failure in a program that has no bug.
func areSound(executions: Int) async -> Bool {
  var areSound = true
  for program in YardstickProgram.sound {
    for strategy in [Explorer.Strategy.portfolio, .guided, .pct(depth: 3)] {
      let explorer = Explorer(executions: executions, strategy: strategy, seed: 1, shrinks: false)
      let exploration = await explorer.run(program.body)
      let result = exploration.failure.map { "\($0.messages)" } ?? "none"
      print(program.name, "\(strategy)", exploration.executions, result, separator: "\t")
      if exploration.failure != nil { areSound = false }
    }
  }
  return areSound
}

/// Prints how many schedules the sound programs have, and how many of them an assumption leaves.
func countSchedules(executions: Int) async {
  for program in YardstickProgram.sound {
    var columns = [program.name]
    for strategy in [Explorer.Strategy.exhaustive(), .exhaustive(assuming: .tasksShareOnlyActors)] {
      let explorer = Explorer(executions: executions, strategy: strategy, shrinks: false)
      let exploration = await explorer.run(program.body)
      columns.append((exploration.isExhaustive ? "" : "more than ") + "\(exploration.executions)")
    }
    print(columns.joined(separator: "\t"))
  }
}
