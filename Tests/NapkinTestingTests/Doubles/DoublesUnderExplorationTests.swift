// SPDX-License-Identifier: Apache-2.0
import Napkin
import NapkinTesting
import Synchronization
import Testing

@Suite struct DoublesUnderExplorationTests {
  @Test func `a wait that cannot end is a deadlock, and not a time-out`() async throws {
    let waits: [@Sendable () async -> Void] = [
      { _ = await Recorder<Int>().next(within: .zero) },
      { _ = await Recorder<Int>().events(atLeast: 1, within: .zero) },
      { await Gate().pass(within: .zero) },
      { await Gate().reached(within: .zero) },
    ]
    for wait in waits {
      let failure = try #require(await Explorer(executions: 1).run(wait).failure)
      #expect(failure.messages.joined().lowercased().contains("deadlock"))
    }
  }

  @Test func `no time is too short for a wait that ends`() async {
    let result = await Explorer(executions: 100, seed: 1).run {
      let recorder = Recorder<Int>()
      let gate = Gate()
      async let event = recorder.next(within: .zero)
      let task = Task { await gate.pass(within: .zero) }
      await gate.reached(within: .zero)
      recorder.record(1)
      gate.open()
      await task.value
      #expect(await event == 1)
    }
    #expect(result.failure == nil)
    #expect(result.executions == 100)
  }

  @Test func `every call into a double is a scheduling point`() async {
    // Two callers, one call each, no other suspension: without a point in the call there is one schedule a start order.
    func schedules(_ call: @escaping @MainActor @Sendable () async -> Void) async -> Int {
      let bare = await Explorer(executions: 10_000, strategy: .exhaustive()).run { await twice {} }
      let result = await Explorer(executions: 10_000, strategy: .exhaustive()).run { await twice(call) }
      #expect(result.failure == nil)
      return result.executions - bare.executions
    }
    let stub = Stub<Void, Int>(returning: 1)
    let gate = Gate(isOpen: true)
    let builder = MockBuilder<Int, Int> { $0 }
    let router = await MockRouter()
    // The first load has suspensions of its own.
    await router.load()
    #expect(await schedules { _ = try? await stub() } > 0)
    #expect(await schedules { await gate.pass() } > 0)
    #expect(await schedules { _ = await builder.produce(1) } > 0)
    #expect(await schedules { await router.load() } > 0)
  }

  // On the main actor, where mocks of routers and builders live: the hops to it are in the bare count, too.
  private func twice(_ call: @escaping @MainActor @Sendable () async -> Void) async {
    let tasks = (0..<2).map { _ in Task { @MainActor in await call() } }
    for task in tasks { await task.value }
  }

  @Test(arguments: [Explorer.Strategy.random, .pct(depth: 3), .fifo])
  func `a leak check waits for everything to come to rest, whatever the strategy`(strategy: Explorer.Strategy) async {
    let result = await Explorer(executions: 100, strategy: strategy, seed: 3).run {
      let gate = Gate()
      await expectDeallocated(within: .zero) {
        let interactor = MockInteractor()
        Task {
          await gate.pass()
          withExtendedLifetime(interactor) {}
        }
        await gate.reached()
        gate.open()
        return interactor
      }
      await expectNoLeaks(within: .zero) {
        let interactor = MockInteractor()
        Task { await interactor.activate() }
      }
    }
    #expect(result.failure == nil)
    #expect(result.executions == 100)
  }

  @Test func `a leak is found under an exploration, too`() async throws {
    let result = await Explorer(executions: 1).run {
      let kept = Monitored<[MockInteractor]>([])
      await expectNoLeaks { kept.update { $0.append(MockInteractor()) } }
    }
    let failure = try #require(result.failure)
    #expect(failure.messages.joined().contains("MockInteractor is still alive"))
  }
}
