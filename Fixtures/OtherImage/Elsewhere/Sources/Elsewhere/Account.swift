// SPDX-License-Identifier: Apache-2.0

/// An actor whose functions hop to it by themselves.
public actor Account {
  private var balance = 0

  /// An account without money.
  public init() {}

  /// Whether money can be taken.
  public func isOpen() async -> Bool { balance >= 0 }

  /// Adds an amount, and suspends.
  public func deposit(_ amount: Int) async {
    balance += amount
    await Task.yield()
  }
}

/// Starts a task of this library.
public func start() -> Task<Void, Never> { Task { await Task.yield() } }
