// SPDX-License-Identifier: Apache-2.0

/// The sequential behaviour of an API, which the results of overlapping calls are compared with.
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
  /// A call with its arguments; a failure shows its description.
  associatedtype Command: Sendable

  /// The response of a call, including a thrown error.
  associatedtype Response: Equatable & Sendable

  /// A key for the part of the state that a command reads or writes; see ``partition(of:)``.
  associatedtype Partition: Hashable & Sendable = Int

  /// Applies a command to the state and returns the response.
  mutating func apply(_ command: Command) -> Response

  /// The part of the state that a command reads or writes, such as a key of a store.
  ///
  /// Commands with different keys are checked independently, which is much less work: a history is linearizable if each
  /// of its parts is (Herlihy and Wing, 1990). Commands with different keys must not affect each other's responses. By
  /// default all commands have one key.
  static func partition(of command: Command) -> Partition
}

extension SequentialModel where Partition == Int {
  /// Returns the same key for all commands.
  public static func partition(of command: Command) -> Int { 0 }
}
