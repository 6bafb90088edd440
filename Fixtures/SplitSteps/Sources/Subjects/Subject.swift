// SPDX-License-Identifier: Apache-2.0

/// A program under test, which knows nothing of the explorations.
public struct Subject: Sendable, CustomStringConvertible {
  /// The program's name.
  public let name: String

  /// What an exploration runs.
  public let body: @Sendable () async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.body = body
  }

  /// The program's name.
  public var description: String { name }

  /// The programs with a bug that shows only where a step is split.
  public static let wrong = lostUpdates + others + wrongWaits

  /// The same in threads and queues that the programs start themselves.
  public static let wrongInThreads = wrongThreads

  /// The programs in which nothing is wrong.
  public static let sound = soundSteps + soundWaits + limits + ordered + orderedLitmus + soundThreads + continuations
}

/// What a program finds wrong with itself.
public struct Wrong: Error, CustomStringConvertible {
  /// What is wrong.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Runs a function in two tasks.
func twice(_ work: @escaping @Sendable () -> Void) async {
  async let first: Void = work()
  async let second: Void = work()
  _ = await (first, second)
}

/// Checks a number.
func expect(_ number: Int, _ expected: Int) throws {
  if number != expected { throw Wrong("\(number) in place of \(expected)") }
}
