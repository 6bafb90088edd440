// SPDX-License-Identifier: Apache-2.0

// A query of a store is executed in a continuation, and a cancellation handler stops it. Where the task is cancelled
// before that, the handler stops the query first, and to execute a query that was stopped ends the process.
//
// The first repair looked for the cancellation before it executes; the second has no handler, and only looks.
import Synchronization

extension Case {
  static let queryStartedAfterStop = Case(
    "query-started-after-stop", of: "tryVital/vital-ios 46 and 50", .inside, .cancellation, decides: "statistics"
  ) {
    let store = HealthStore(Version.current)
    let reader = Task { try await store.statistics(of: "steps") }
    reader.cancel()
    _ = await reader.result
  }
}

private final class HealthQuery: Sendable {
  private let isStopped = Mutex(false)

  func execute(_ done: @escaping @Sendable (Int) -> Void) {
    if isStopped.withLock({ $0 }) { fatalError("a query that was stopped cannot be executed") }
    Task { done(10_000) }
  }

  func stop() { isStopped.withLock { $0 = true } }
}

private struct HealthStore {
  private let version: Case.Version

  init(_ version: Case.Version) { self.version = version }

  func statistics(of quantity: String) async throws -> Int {
    let query = HealthQuery()
    guard version == .before else {
      try Task.checkCancellation()
      return await execute(query)
    }
    return await withTaskCancellationHandler {
      await execute(query)
    } onCancel: {
      query.stop()
    }
  }

  private func execute(_ query: HealthQuery) async -> Int {
    await withCheckedContinuation { continuation in
      query.execute { continuation.resume(returning: $0) }
    }
  }
}
