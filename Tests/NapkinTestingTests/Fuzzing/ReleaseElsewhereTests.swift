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
  @Test func `an interactor that a thread holds for a moment is not leaked`() async {
    let result = await fuzz(holdingFor: 20_000)
    #expect(result.failure == nil, "\(result.failure?.messages ?? [])")
  }

  @Test func `an interactor that a thread goes on holding is leaked`() async throws {
    let failure = try #require(await fuzz(holdingFor: 2_000_000).failure)
    #expect(failure.messages.first?.contains("was never released") == true, "\(failure.messages)")
  }

  private func fuzz(holdingFor microseconds: UInt32) async -> Exploration {
    await TreeFuzzer { MockRouter() }
      .action("hold") { root in
        // Says that the execution has left something to another thread.
        DispatchQueue.global().async {}
        Self.hold(root.interactable, for: microseconds)
      }
      .run(executions: 3, actions: 1...1, concurrency: 1, seed: 0)
  }

  private static func hold(_ object: any Interactable, for microseconds: UInt32) {
    let held = Unmanaged.passRetained(Held(object: object, microseconds: microseconds))
    var thread = pthread_t(bitPattern: 0)
    pthread_create(&thread, nil, { waitAndRelease($0) }, held.toOpaque())
  }
}

/// The pointer is optional since Glibc's type for a thread's function says so; Darwin's says that it is never nil.
private func waitAndRelease(_ held: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let held else { return nil }
  _ = withExtendedLifetime(Unmanaged<Held>.fromOpaque(held).takeRetainedValue()) { usleep($0.microseconds) }
  return nil
}

private final class Held: Sendable {
  let object: any Interactable
  let microseconds: UInt32

  init(object: any Interactable, microseconds: UInt32) { (self.object, self.microseconds) = (object, microseconds) }
}
