// SPDX-License-Identifier: Apache-2.0

internal import NapkinTestingCRuntime

/// Lends a test's body, which may not outlive a trait's scope, to an exploration that runs it in tasks.
///
/// A task of an execution that was left in the middle, as in a deadlock or when the time was over, holds the body for ever. It never
/// runs again, so that is no reason for `withoutActuallyEscaping` to stop the process.
func withBorrowedBody(
  _ body: @Sendable () async throws -> Void,
  _ explore: (@escaping @Sendable () async throws -> Void) async -> Exploration
) async -> Exploration {
  var context: UInt = 0
  let exploration = await withoutActuallyEscaping(body) { escapable in
    context = Closure(function: escapable).context
    let exploration = await explore(escapable)
    if exploration.failure != nil || AbandonedTasks.areAny { napkin_forgive_escape(context) }
    return exploration
  }
  napkin_expect_no_escape(context)
  return exploration
}

/// A closure as it lies in memory: the code, and the object that holds its captures.
private struct Closure {
  var function: @Sendable () async throws -> Void

  var context: UInt {
    withUnsafeBytes(of: self) { $0.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self) }
  }
}
