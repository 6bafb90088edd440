// SPDX-License-Identifier: Apache-2.0

/// What an API does when one call comes after the other: the yardstick for calls that overlap.
///
/// ```swift
/// struct AccountModel: SequentialModel {
///   enum Command: Sendable {
///     case deposit(Int)
///     case withdraw(Int)
///   }
///   var balance = 0
///
///   mutating func apply(_ command: Command) -> Int {
///     switch command {
///     case .deposit(let amount): balance += amount
///     case .withdraw(let amount): if balance >= amount { balance -= amount }
///     }
///     return balance
///   }
/// }
/// ```
///
/// Keep it small: it is copied, compared and hashed for every order of the calls that is tried.
public protocol SequentialModel<Command, Response>: Hashable, Sendable {
  /// A call, with what it is called with; how it prints is how a failure shows it.
  associatedtype Command: Sendable

  /// What a call returns, or throws.
  associatedtype Response: Equatable & Sendable

  /// What two commands have in common that can have to do with each other; see ``partition(of:)``.
  associatedtype Partition: Hashable & Sendable = Int

  /// Does what a command does, and says what it returns.
  mutating func apply(_ command: Command) -> Response

  /// The part of the state that a command has to do with, such as a key of a store.
  ///
  /// Each part is checked by itself, from the same initial model, which is much less work: a history is linearizable if
  /// each of its parts is (Herlihy and Wing, 1990). It must be true that commands of different parts never change what
  /// the others return. Without it, all commands are of one part.
  static func partition(of command: Command) -> Partition
}

extension SequentialModel where Partition == Int {
  /// One part for all commands.
  public static func partition(of command: Command) -> Int { 0 }
}
