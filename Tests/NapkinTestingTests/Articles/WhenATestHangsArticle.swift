// SPDX-License-Identifier: Apache-2.0
import NapkinTesting
import Synchronization
import Testing

// The code of the article WhenATestHangs. The test that hangs is run by `Fixtures/Hangs/run`, and compared with the page there.
private enum WhenATestHangsArticle {
  actor Door {
    func pass() async {}
    func open() {}
  }

  final class Box: Sendable {
    let task = Mutex<Task<Void, Never>?>(nil)
  }

  @Suite(.disabled("it hangs")) struct Hanging {
    @Test func circleOfTasks() async {
      let box = Box()
      let started = Door()
      let first = Task {
        await started.pass()
        await box.task.withLock { $0 }?.value
      }
      box.task.withLock { $0 = Task { await first.value } }
      await started.open()
      await first.value
    }
  }

  @Suite struct Explained {
    private func placeOrder() async throws { try await Task.sleep(for: .milliseconds(1)) }

    @Test(.explainsHang(after: .seconds(10))) func `an order is placed`() async throws {
      try await placeOrder()
    }
  }
}
