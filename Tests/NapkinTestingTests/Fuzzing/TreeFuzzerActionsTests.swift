// SPDX-License-Identifier: Apache-2.0

import Napkin
import NapkinTesting
import Synchronization
import Testing

@Suite struct TreeFuzzerActionsTests {
  private let home = TreeFuzzer { HomeRouter(interactor: HomeInteractor()) }

  @Test func `an action whose precondition does not hold is skipped`() async {
    let hasWorked = Mutex(false)
    await home
      .action("tidy up") { $0.isUntidy = false }
      .action("leave something undone") { $0.isUntidy = true }
      .action(
        FuzzAction("work") { root in
          #expect(!root.isUntidy)
          hasWorked.withLock { $0 = true }
        }.when { !$0.isUntidy }
      )
      .check(executions: 200, concurrency: 1, seed: 1)
    #expect(hasWorked.withLock { $0 }, "Nothing was looked at.")
  }

  @Test func `a failure that needs no skipped action is reported without one`() async throws {
    let failure = try #require(
      await home
        .action(FuzzAction("never") { _ in }.when { _ in false })
        .action(FuzzAction("break") { $0.isUntidy = true }.when { _ in true })
        .invariant("tidy") { !$0.isUntidy }
        .run(executions: 200, seed: 1).failure)
    #expect(failure.messages.contains { $0.contains(#""break""#) && !$0.contains(#""never""#) }, "\(failure.messages)")
  }

  @Test func `what an action makes reaches a later one, which says which it was`() async throws {
    let profiles = ValuePool<Router<ProfileInteractor>>("profile")
    let fuzzer =
      home
      .action(
        FuzzAction("open", into: profiles) { root in
          let profile = Router(interactor: ProfileInteractor())
          await root.attachChild(profile)
          return profile
        }
      )
      .action(
        FuzzAction("wake twice", with: .from(profiles)) { _, profile in
          await profile.interactor.deactivate()
          await profile.interactor.activate()
        }
      )
      .action(FuzzAction("close", with: .taken(from: profiles)) { root, profile in await root.detachChild(profile) })
    // Whatever is closed was opened, and closed once: a second detach would find no child.
    await fuzzer.invariant("what is open is attached") { $0.children.count <= 16 }.check(executions: 300, seed: 1)
    let failure = try #require(
      await fuzzer.monitor("none is closed") { _ in NobodyLeaves() }.run(executions: 300, seed: 1).failure)
    #expect(failure.messages.contains { $0.contains(#""open" → "close""#) }, "\(failure.messages)")
    #expect(failure.timeline.contains("makes profile 1"), "\(failure.timeline)")
    #expect(failure.timeline.contains("close: done, with profile 1"), "\(failure.timeline)")
  }

  @Test func `a value is taken once, and an execution begins without any`() async {
    let tickets = ValuePool<Int>("ticket")
    let taken = Mutex<[Int: Set<Int>]>([:])
    let built = Recorder<Int>()
    await TreeFuzzer {
      built.record(1)
      return HomeRouter(interactor: HomeInteractor())
    }
    .action(
      FuzzAction("draw", into: tickets) { root in
        root.count += 1
        return root.count
      }
    )
    .action(
      FuzzAction("use", with: .taken(from: tickets)) { root, ticket in
        #expect(ticket <= root.count, "It was made in another execution.")
        let execution = built.count
        let isFirst = taken.withLock { $0[execution, default: []].insert(ticket).inserted }
        #expect(isFirst)
      }
    )
    .check(executions: 200, seed: 1)
    #expect(taken.withLock { $0.values.contains { $0.count > 2 } }, "Nothing was looked at.")
  }

  @Test func `an action that comes to nothing hands nothing on`() async {
    let nothing = ValuePool<Int>("nothing")
    let exploration =
      await home
      .action(FuzzAction("fail", into: nothing) { _ in nil })
      .action(FuzzAction("use", with: .from(nothing)) { _, _ in Issue.record("There is nothing to use.") })
      .run(executions: 100, seed: 1)
    #expect(exploration.failure == nil)
  }
}

private struct NobodyLeaves: TreeMonitor {
  mutating func observe(_ event: TreeEvent) -> String? { event.kind == .detached ? "\(event)" : nil }
}
