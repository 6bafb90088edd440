// SPDX-License-Identifier: Apache-2.0

/// Waits in this library for what never comes.
public func waitForever() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }

/// Sleeps in this library.
public func rest(for duration: Duration) async { try? await Task.sleep(for: duration) }

/// Sleeps in this library by a clock that it is handed.
public func rest(for duration: Duration, by clock: any Clock<Duration>) async { try? await clock.sleep(for: duration) }

/// Sleeps in each of Swift's ways, together for four times as long.
public func restInEachWay(for duration: Duration) async {
  await Task.sleep(UInt64(duration / .nanoseconds(1)))
  try? await Task.sleep(nanoseconds: UInt64(duration / .nanoseconds(1)))
  try? await ContinuousClock().sleep(until: .now + duration, tolerance: nil)
  try? await SuspendingClock().sleep(until: .now + duration, tolerance: nil)
}

/// Gives way to others in this library.
public func giveWay(times: Int) async {
  for _ in 0..<times { await Task.yield() }
}

/// Starts a task of this library that calls back after a while.
public func callBack(after duration: Duration, _ action: @escaping @Sendable () -> Void) {
  Task {
    try? await Task.sleep(for: duration)
    action()
  }
}

/// Searches for the last text that it is given, once no other one has come for a while.
public actor Search {
  private var task: Task<Void, Never>?
  private let search: @Sendable (String) async -> Void

  /// A search that does what it is given.
  public init(_ search: @escaping @Sendable (String) async -> Void) { self.search = search }

  /// Takes another text.
  public func type(_ text: String) {
    task?.cancel()
    task = Task {
      guard (try? await Task.sleep(for: .milliseconds(600))) != nil else { return }
      await search(text)
    }
  }
}
