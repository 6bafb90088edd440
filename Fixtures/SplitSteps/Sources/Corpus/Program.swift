// SPDX-License-Identifier: Apache-2.0

/// A small program with two accesses to the same memory: what is accessed, how, and what orders the two.
public struct Program: Sendable, CustomStringConvertible {
  /// The kind of storage.
  public let storage: String

  /// The two accesses.
  public let access: String

  /// What orders the accesses, or seems to.
  public let order: String

  /// Whether the accesses are a data race by Swift's memory model.
  public let isRace: Bool

  /// What is run.
  public let body: @Sendable () async -> Void

  /// The three words of the program, which no other one has.
  public var description: String { "\(storage): \(access), \(order)" }

  /// All programs.
  public static let all = places.flatMap(programs) + neighbours + deinits + tasks + locks + queues + atomics + litmus

  init(
    _ order: String, race isRace: Bool, storage: String = "property", access: String = "two writes",
    _ body: @escaping @Sendable () async -> Void
  ) {
    self.storage = storage
    self.access = access
    self.order = order
    self.isRace = isRace
    self.body = body
  }
}

/// A place in memory that two sides have: each writes another value, or reads.
struct Sides: Sendable {
  let write: @Sendable () -> Void
  let writeAgain: @Sendable () -> Void
  let read: @Sendable () -> Void

  init(
    write: @escaping @Sendable () -> Void, again: (@Sendable () -> Void)? = nil, read: @escaping @Sendable () -> Void
  ) {
    self.write = write
    writeAgain = again ?? write
    self.read = read
  }
}

/// A kind of storage, and how a new one of it is made for each execution.
struct Place: Sendable {
  let name: String
  let make: @Sendable () -> Sides

  init(_ name: String, _ make: @escaping @Sendable () -> Sides) {
    self.name = name
    self.make = make
  }
}
