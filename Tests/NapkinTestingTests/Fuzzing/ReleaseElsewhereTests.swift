// SPDX-License-Identifier: Apache-2.0
import Foundation
import Napkin
import NapkinTesting
import Testing

/// An object that another thread holds when an execution has come to rest may be released a moment later.
///
/// The thread is one that no execution hears of, as those are that run code of another image.
@Suite(.enabled(if: PlatformWays.replaceLibraryFunctions, "it is not known here that anything was left to a thread"))
struct ReleaseElsewhereTests {
  @Test(.disabled(if: Instrumentation.splitsSteps, "the thread is a task of the schedule where steps are split"))
  func `an interactor that a thread holds for a moment is not leaked`() async {
    let result = await fuzz { usleep(20_000) }
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test func `an interactor that a thread goes on holding is leaked`() async throws {
    // The threads go on once the test is over, however long that takes.
    let isOver = DispatchGroup()
    isOver.enter()
    defer { isOver.leave() }
    let failure = try #require(await fuzz { isOver.wait() }.failure)
    #expect(failure.messages.first?.contains("was never released") == true, "\(failure.messages)")
  }

  private func fuzz(holdingWhile wait: @escaping @Sendable () -> Void) async -> Exploration {
    await TreeFuzzer { MockRouter() }
      .action("hold") { root in
        // Says that the execution has left something to another thread.
        DispatchQueue.global().async {}
        Self.hold(root.interactable, while: wait)
      }
      .run(executions: 3, actions: 1...1, concurrency: 1, seed: 0)
  }

  private static func hold(_ object: any Interactable, while wait: @escaping @Sendable () -> Void) {
    let held = Unmanaged.passRetained(Held(object: object, wait: wait))
    var thread = pthread_t(bitPattern: 0)
    pthread_create(&thread, nil, { waitAndRelease($0) }, held.toOpaque())
  }
}

/// The pointer is optional since Glibc's type for a thread's function says so; Darwin's says that it is never nil.
private func waitAndRelease(_ held: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let held else { return nil }
  withExtendedLifetime(Unmanaged<Held>.fromOpaque(held).takeRetainedValue()) { $0.wait() }
  return nil
}

private final class Held: Sendable {
  let object: any Interactable
  let wait: @Sendable () -> Void

  init(object: any Interactable, wait: @escaping @Sendable () -> Void) { (self.object, self.wait) = (object, wait) }
}
