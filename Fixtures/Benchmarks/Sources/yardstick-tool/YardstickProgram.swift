// SPDX-License-Identifier: Apache-2.0

/// A small concurrent program with a bug to be found, or the same program without it.
///
/// The bugs are those of the literature on schedule exploration, written in Swift: every shared access is its own
/// `await actor.method()`, a hop is a `Task.yield()`, and what runs at the same time are plain `Task { }`s.
struct YardstickProgram: Sendable, CustomStringConvertible {
  let name: String

  /// How many ordering constraints between two events make it fail; nil where nothing does.
  let depth: Int?

  /// Mean executions to the first failure as published for PCT(3), POS and a random walk, as far as they are.
  var published = ""

  /// Within how many executions the default strategy has to find it.
  var bound = 1_000

  /// Throws when the program goes wrong; a program that deadlocks never returns.
  let body: @Sendable () async throws -> Void

  var isSound: Bool { depth == nil }

  /// Whether the programs have all their hops: an optimised build merges neighbouring ones to one actor, and some of the
  /// bugs go with them.
  static let haveAllHops: Bool = {
    #if DEBUG
    true
    #else
    false
    #endif
  }()
  var description: String { name }
}

/// A program went wrong.
struct WentWrong: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless the condition holds.
func demand(_ condition: Bool, _ description: @autoclosure () -> String) throws {
  if !condition { throw WentWrong(description: description()) }
}

/// Lets others go first, a number of times.
func hop(_ times: Int = 1) async {
  for _ in 0..<times { await Task.yield() }
}

/// Waits for all of them, and throws what the first one threw.
func finish(_ tasks: [Task<Void, any Error>]) async throws {
  for task in tasks { try await task.value }
}

/// A shared variable: each access is a visit.
actor Variable<Value: Sendable> {
  private var value: Value

  init(_ value: Value) { self.value = value }

  func get() -> Value { value }
  func set(_ newValue: Value) { value = newValue }
}

extension Variable where Value == Int {
  @discardableResult
  func add(_ difference: Int) -> Int {
    value += difference
    return value
  }
}

extension YardstickProgram {
  /// All programs that have a bug, the quickest to find first.
  static let broken: [YardstickProgram] = [
    account, tokenRing, reorder(3), reorder(5), reorder(10), reorder(20), twoStage(1), twoStage(19), twoStage(99),
    deadlock, bluetooth, workStealQueue, reentrantCache, lostWakeUp, directForwarded, attachWhileDetaching, minCount(3),
    minCount(5), philosophers,
  ]

  /// The same programs done right.
  static let sound: [YardstickProgram] = [
    soundAccount, soundReorder, soundTwoStage, soundDeadlock, soundBluetooth, soundWorkStealQueue, soundCache,
    soundWakeUp, soundForwarding, soundAttaching, soundCount, soundPhilosophers,
  ]
}
