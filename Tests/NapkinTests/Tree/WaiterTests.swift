// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Napkin

/// The handing over of what needs the main actor to a caller that waits there.
@Suite @MainActor struct WaiterTests {
  private let lifecycle = InteractorLifecycle()
  private let waiter: Waiter

  init() {
    waiter = Waiter(0, lifecycle)
    let node = lifecycle.node
    TreeDriver.state.withLock { $0.machine[node].awaitsMain = true }
  }

  private var awaitsMain: Bool {
    TreeDriver.state.withLock { $0.machine[lifecycle.node].awaitsMain }
  }

  @Test func `a call that comes before the wait, and before its end, is carried out`() async {
    #expect(waiter.call())
    waiter.resume(isFulfilled: true)
    #expect(awaitsMain)
    await waiter.waitOnMain()
    #expect(!awaitsMain)
    #expect(waiter.isFulfilled)
  }

  @Test func `a call during the wait is carried out, and the wait goes on`() async {
    let waiter = waiter
    let wait = Task { await waiter.waitOnMain() }
    await Task.yield()
    #expect(waiter.call())
    while awaitsMain { await Task.yield() }
    waiter.resume(isFulfilled: false)
    await wait.value
    #expect(!waiter.isFulfilled)
  }

  @Test func `a caller whose wait has ended takes no call`() async {
    waiter.resume(isFulfilled: true)
    #expect(!waiter.call())
    await waiter.waitOnMain()
    #expect(awaitsMain)
  }
}
