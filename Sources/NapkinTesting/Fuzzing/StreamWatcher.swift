// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The consumer of one `isActiveStream`, which gets every transition once, and then the end (L7).
final class StreamWatcher: Sendable {
  private let isFinished = Atomic<Bool>(false)

  /// Takes value after value until there are no more.
  func follow(_ stream: AsyncStream<Bool>, of number: Int, _ scope: any ExecutionScope) async {
    var last: Bool?
    for await isActive in stream {
      if isActive == last { scope.fail("L7", "L7: the stream of node \(number) said \(isActive) twice in a row.") }
      last = isActive
    }
    isFinished.store(true, ordering: .relaxed)
  }

  /// Called when nothing of the execution is left.
  func end(of number: Int, _ scope: any ExecutionScope) {
    // On real threads nobody knows whether the last value is still on its way.
    guard scope.isSimulated, !scope.hasFailed, !isFinished.load(ordering: .relaxed) else { return }
    scope.fail("L7", "L7: node \(number) is gone, and its stream has not finished.")
  }
}
