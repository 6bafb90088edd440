// SPDX-License-Identifier: Apache-2.0

import Foundation
import NapkinTesting

/// A cell of the matrix, by its name: `construct/place/ending`, or `outer>inner/place/ending`.
nonisolated struct Cell: Sendable {
  /// Where the ending is.
  enum Place: String, Sendable {
    /// In the code that the constructs are around.
    case inside
    /// In the body, when the constructs are done.
    case after
    /// In the body, while the constructs run in a task beside it.
    case beside
  }

  let constructs: [Construct]
  let place: Place
  let ending: Ending

  init(_ name: String) {
    let parts = name.split(separator: "/").map(String.init)
    constructs = parts[0].split(separator: ">").map { name in Construct.all.first { $0.name == name }! }
    place = Place(rawValue: parts[1])!
    ending = Ending.all.first { $0.name == parts[2] }!.counted(as: name)
  }

  /// Runs a cell as the body of an exploration.
  static func run(_ name: String) async throws {
    do {
      try await Cell(name).body()
    } catch is CancellationError where Wanted.cancels {
      // A body that the exploration cancels may end so.
    }
  }

  private func body() async throws {
    switch place {
    case .inside: try await run(constructs[...], work: ending.work, step: ending.step)
    case .after:
      try await run(constructs[...], work: {}, step: {})
      try await ending.work()
    case .beside:
      async let other: Void = run(constructs[...], work: {}, step: {})
      try await ending.work()
      try await other
    }
  }

  private func run(
    _ constructs: ArraySlice<Construct>, work: @escaping Construct.Work, step: Construct.Step?
  ) async throws {
    guard let construct = constructs.first else { return try await work() }
    switch construct.around {
    case .suspending(let around):
      try await around { try await run(constructs.dropFirst(), work: work, step: step) }
    case .step(let around):
      precondition(constructs.count == 1, "only the innermost construct can be one that does not suspend")
      try await around(step!)
    }
  }
}

/// What the driver asks for, by the environment.
nonisolated enum Wanted {
  private static func lines(_ name: String) -> [String] {
    (ProcessInfo.processInfo.environment[name] ?? "").split(separator: "\n").map(String.init)
  }

  /// The cells of this process.
  static let cells = lines("MATRIX_CELLS")

  /// Their tokens, where they are replayed; `-` for a cell without one.
  private static let tokens = lines("MATRIX_TOKENS")

  private static let executions = lines("MATRIX_EXECUTIONS").first.flatMap { Int($0) } ?? 60

  /// The number of executions with a strategy; a replay has its own.
  static func executions(_ slot: Int) -> Int? { isReplayed(slot) ? nil : executions }

  private static func isReplayed(_ slot: Int) -> Bool { tokens.indices.contains(slot - 1) && tokens[slot - 1] != "-" }

  /// Whether the exploration cancels tasks.
  static let cancels = !lines("MATRIX_CANCELS").isEmpty

  /// The same for the cell of a test function; a replay has its own cancellations.
  static func cancels(_ slot: Int) -> Bool { cancels && !isReplayed(slot) }

  private static let strategy: Explorer.Strategy =
    switch lines("MATRIX_STRATEGY").first {
    case "exhaustive": .exhaustive()
    case "parallel": .parallel
    default: .portfolio
    }

  /// The cell of a test function, which are numbered from one on.
  static func cell(_ slot: Int) -> String { cells[slot - 1] }

  /// The strategy for a cell.
  static func strategy(_ slot: Int) -> Explorer.Strategy {
    isReplayed(slot) ? .replay(tokens[slot - 1]) : strategy
  }

  static func cancels(of cell: String) -> Bool { cells.firstIndex(of: cell).map { cancels($0 + 1) } ?? cancels }

  static func executions(of cell: String) -> Int? {
    cells.firstIndex(of: cell).map { executions($0 + 1) } ?? executions
  }

  static func strategy(of cell: String) -> Explorer.Strategy {
    cells.firstIndex(of: cell).map { strategy($0 + 1) } ?? strategy
  }
}
