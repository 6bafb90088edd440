// SPDX-License-Identifier: Apache-2.0
import Foundation
import NapkinTesting
import Synchronization
import Testing

@testable import Napkin

@Suite struct CallbackFrameTests {
  @Test func `L5 a callback that is cancelled before its task is known ends`() async {
    // An execution in which it does not end is a deadlock, and no hang.
    await explore(executions: 10) {
      let lifecycle = InteractorLifecycle()
      let frame = CallbackFrame(TreeMachine.Frame(node: lifecycle.node, isLoad: false))
      // The work is dropped: the callback that it begins is the one below.
      var begun = TreeDriver.Work(onMain: true)
      TreeDriver.state.withLock { state in
        state.decide(.activate(lifecycle.node, in: nil), &begun)
        state[lifecycle.node].frame = frame
      }
      frame.cancel()
      let ended = Latch()
      let body = InteractorLifecycle.Body.closure {
        await untilCancelled()
        ended.open()
      }
      var work = TreeDriver.Work(onMain: true)
      frame.start(.didBecomeActive, of: lifecycle, body, &work)
      work.carryOut()
      await ended.pass()
      while TreeDriver.state.withLock({ $0[lifecycle.node].frame }) != nil { await Task.yield() }
      #expect(lifecycle.isActive)
    }
  }

  #if os(macOS) || os(Linux)
  /// A bound task at the end of a chain that nests in `didLoad()` has the last reference to all of them.
  @Test(.timeLimit(.minutes(60))) func `T12 a hundred thousand callbacks are released on a small stack`() async {
    await #expect(processExitsWith: .success) {
      let id = TreeMachine.Frame(node: TreeMachine.Node(index: 0), isLoad: true)
      let last = Last()
      for _ in 0..<100_000 {
        last.frame = CallbackFrame.$current.withValue(last.frame) { CallbackFrame(id) }
      }
      let released = Latch()
      let thread = Thread {
        last.frame = nil
        released.open()
      }
      // As large as the stacks of Apple's threads.
      thread.stackSize = 512 << 10
      thread.start()
      await released.pass()
    }
  }
  #endif
}

/// One thread has it after the other.
private final class Last: @unchecked Sendable {
  var frame: CallbackFrame?
}
