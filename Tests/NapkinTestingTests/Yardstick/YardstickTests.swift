// SPDX-License-Identifier: Apache-2.0

@_spi(Benchmarks) import NapkinTesting
import Testing

/// The bounds are those of the goal; of twenty seeds, each bound held with all.
@Suite struct YardstickTests {
  @Test(
    .enabled(if: YardstickProgram.haveAllHops, "an optimised build merges hops, and some bugs go with them"),
    arguments: YardstickProgram.broken
  )
  func `the default strategy finds the bug`(in program: YardstickProgram) async {
    let explorer = Explorer(executions: program.bound, seed: 5, shrinks: false)
    #expect(await explorer.run(program.body).failure != nil)
  }

  @Test(arguments: YardstickProgram.sound)
  func `no strategy finds a bug where there is none`(in program: YardstickProgram) async {
    for strategy in [Explorer.Strategy.portfolio, .surw] {
      let result = await Explorer(executions: 300, strategy: strategy, seed: 5, shrinks: false).run(program.body)
      #expect(result.failure == nil, "\(strategy)")
      // Else nothing would have been tried that could have failed.
      #expect(!result.warnings.contains { $0.contains("never suspends") })
    }
  }

  /// Those whose schedules are few enough where tasks share only actors.
  private static let small = [
    "Account", "Deadlock", "Bluetooth", "Reentrant cache", "Lost wake-up", "Attach while detaching",
  ]

  @Test(.enabled(if: YardstickProgram.haveAllHops), arguments: small)
  func `leaving out equal schedules leaves out no bug`(name: String) async throws {
    let explorer = Explorer(
      executions: 1_000, strategy: .exhaustive(assuming: .tasksShareOnlyActors), shrinks: false)
    let broken = try #require(YardstickProgram.broken.first { $0.name == name })
    #expect(await explorer.run(broken.body).failure != nil)
    let sound = try #require(YardstickProgram.sound.first { $0.name == name + ", sound" })
    #expect(await explorer.run(sound.body).isExhaustive)
  }
}
