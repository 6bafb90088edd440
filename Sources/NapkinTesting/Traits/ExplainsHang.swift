// SPDX-License-Identifier: Apache-2.0
internal import NapkinTestingEngine
internal import Synchronization
public import Testing

/// Fails an ordinary test that hangs, and says which task waits for which.
///
/// Write it as ``Testing/Trait/explainsHang(after:)``.
public struct ExplainsHangTrait: TestTrait, SuiteTrait, TestScoping {
  let limit: Duration

  /// Whether a suite applies it to its tests: true.
  public var isRecursive: Bool { true }

  /// Runs the test, and reports it where it hangs.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    guard limit > .zero else {
      Issue.record(
        "explainsHang(after: \(limit)) would call every test hanging. Likely cause: the duration was computed, or mistyped. What to do: pass a positive one.",
        sourceLocation: test.sourceLocation)
      return try await function()
    }
    let (reports, ended) = AsyncStream<String>.makeStream()
    // The body has a task of its own, which is cancelled where it hangs; the test ends once it has.
    try await withoutActuallyEscaping(function) { body in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          defer { ended.finish() }
          try await HangWatch.watching(
            test.displayName.map { "\"\($0)\"" } ?? test.name, after: limit, report: { _ = ended.yield($0) }
          ) { try await body() }
        }
        for await report in reports {
          Issue.record("\(report)", sourceLocation: test.sourceLocation)
          group.cancelAll()
        }
        try await group.waitForAll()
      }
    }
  }
}

extension Trait where Self == ExplainsHangTrait {
  /// Fails an ordinary test that has run for longer than a time while nothing of it moved, with the waits of its tasks.
  ///
  ///     @Test(.explainsHang(after: .seconds(10))) func `an order is placed`() async { … }
  ///
  /// The report names each task of the test, its line and what it waits for; a circle of waits comes first. It is written to standard
  /// error, too, since a blocked pool may let nothing else go on. The test's body is cancelled then.
  ///
  /// - Parameter limit: The real time that the test may run. It hangs where it has run for longer, and nothing of it has moved
  ///   for five seconds, also if the limit is shorter.
  /// - Returns: The trait.
  public static func explainsHang(after limit: Duration) -> Self { Self(limit: limit) }
}
