// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Napkin

/// The handing over of work that needs the main actor to a caller that waits there.
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

  @Test func `L11 a cancellation of a wait that is over ends no other wait`() {
    let node = InteractorLifecycle()
    func wait() -> Waiter? { TreeDriver.handle(.whenActive(node.node, isInside: false), onMain: false).waiter }
    guard let first = wait() else { return #expect(Bool(false), "there is nothing to wait for") }
    TreeDriver.withdraw(first)
    guard let second = wait() else { return #expect(Bool(false), "there is nothing to wait for") }
    // The number of the one is that of the other.
    #expect(second.request == first.request)
    TreeDriver.withdraw(first)
    #expect(TreeDriver.state.withLock { $0.waiters[Int(second.request)] } === second)
    TreeDriver.withdraw(second)
    #expect(TreeDriver.state.withLock { $0.waiters[Int(second.request)] } == nil)
  }
}
