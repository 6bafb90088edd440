// SPDX-License-Identifier: Apache-2.0

import Foundation
import Napkin
import NapkinTesting
import Testing

/// A cell by each of the other ways in, each of which takes its cells as arguments.
@Suite(.serialized) struct WayTests {
  @Test(
    .interleavings(Wanted.executions(1), strategy: Wanted.strategy(1), cancels: Wanted.cancels(1)),
    arguments: Wanted.cells)
  func arguments(cell: String) async throws { try await Cell.run(cell) }  // at: arguments

  @Test(.simulated, arguments: Wanted.cells)  // at: simulated
  func simulated(cell: String) async throws { try await Cell.run(cell) }

  @Test(arguments: Wanted.cells) func explores(cell: String) async {
    await explore(executions: Wanted.executions(of: cell), strategy: Wanted.strategy(of: cell)) {  // at: explore
      try await Cell.run(cell)
    }
  }

  @Test(arguments: Wanted.cells) func runs(cell: String) async throws {
    let explorer = Explorer(
      executions: Wanted.executions(of: cell), strategy: Wanted.strategy(of: cell), cancels: Wanted.cancels(of: cell))
    let result = await explorer.run { try await Cell.run(cell) }
    try Found(cell, result).write()
  }

  @Test(arguments: Wanted.cells) func fuzzer(cell: String) async {
    await Fuzzer { Spot() }
      .action("run the cell") { _ in try? await Cell.run(cell) }
      .check(  // at: fuzzer
        executions: Wanted.executions(of: cell), actions: 1...2, concurrency: 2, strategy: Wanted.strategy(of: cell))
  }

  @Test(arguments: Wanted.cells) func treeFuzzer(cell: String) async {
    await TreeFuzzer { Router(interactor: Table()) }
      .action("run the cell") { _ in try? await Cell.run(cell) }
      .check(  // at: tree
        executions: Wanted.executions(of: cell), actions: 1...2, concurrency: 2, strategy: Wanted.strategy(of: cell))
  }

  @Test(arguments: Wanted.cells) func linearizability(cell: String) async {
    await checkLinearizable(  // at: calls
      model: Always(), commands: [.run], calls: 1...2, callers: 2, executions: Wanted.executions(of: cell),
      strategy: Wanted.strategy(of: cell)
    ) {
      Spot()
    } perform: { _, _ in
      try? await Cell.run(cell)
      return true
    }
  }
}

private final actor Table: Interactable {
  nonisolated let lifecycle = InteractorLifecycle()
}

/// Answers the same to each call.
private struct Always: SequentialModel {
  enum Command: Sendable { case run }
  mutating func apply(_ command: Command) -> Bool { true }
}

/// The result of an exploration that reports nothing, as a line of JSON.
private struct Found: Encodable {
  let cell: String
  let executions: Int
  let isExhaustive: Bool
  let messages: [String]
  let token: String?
  let timeline: String
  let warnings: [String]

  init(_ cell: String, _ exploration: Exploration) {
    self.cell = cell
    executions = exploration.executions
    isExhaustive = exploration.isExhaustive
    messages = exploration.failure?.messages ?? []
    token = exploration.failure?.schedule
    timeline = exploration.failure?.timeline ?? ""
    warnings = exploration.warnings
  }

  func write() throws { print("found " + String(decoding: try JSONEncoder().encode(self), as: UTF8.self)) }
}
