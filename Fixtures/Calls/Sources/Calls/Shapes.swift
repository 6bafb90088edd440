// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

private final class Slot: Sendable {
  let task = Mutex<Task<Void, Never>?>(nil)
}

extension Call {
  /// What people write, and threads break.
  static let shapes: [Call] = [
    Call("handle stored late", "0", "1", rules: "") { _, log in
      let slot = Slot()
      let task = Task.detached { slot.task.withLock { $0 = nil } }
      slot.task.withLock { $0 = task }
      await task.value
      log(slot.task.withLock { $0 == nil } ? "0" : "1")
    },
    Call("registered by a task that comes second", "r", "s", rules: "", bystander: false) { _, log in
      let box = Box<CheckedContinuation<Bool, Never>>()
      let sender = Task.detached { box.take()?.resume(returning: true) }
      async let wakes = withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        box.put(continuation)
        Task.detached {
          await sender.value
          box.take()?.resume(returning: false)
        }
      }
      log(await wakes ? "r" : "s")
    },
    Call("made under a lock that it takes", "abx", rules: "a<b b<x") { _, log in
      let lock = NSLock()
      let task = lock.withLock {
        log("a")
        let task = Task.detached { lock.withLock { log("x") } }
        log("b")
        return task
      }
      await task.value
    },
    Call("resumed under a lock that it takes", "abx", rules: "a<b b<x") { _, log in
      let (lock, box) = (NSLock(), Box<CheckedContinuation<Void, Never>>())
      let task = parked {
        await withCheckedContinuation { box.put($0) }
        lock.withLock { log("x") }
      }
      lock.withLock {
        log("a")
        box.take()!.resume()
        log("b")
      }
      await task.value
    },
    Call("yielded under a lock that it takes", "abx", rules: "a<b b<x") { _, log in
      let (lock, (stream, source)) = (NSLock(), AsyncStream<Void>.makeStream())
      let task = parked {
        for await _ in stream { break }
        lock.withLock { log("x") }
      }
      lock.withLock {
        log("a")
        source.yield()
        log("b")
      }
      await task.value
    },
    Call("handler finds nothing yet", "10", "11", "0", rules: "", bystander: false) { _, log in
      let box = Box<Bool>()
      let task = Task.detached {
        await withTaskCancellationHandler {
          log("1")
          box.put(true)
        } onCancel: {
          log(box.take() == nil ? "0" : "2")
        }
      }
      task.cancel()
      await task.value
    }.copy(lines: ["1", "10", "12"], rules: "1<2").apart { outcome in
      // Neither task calls anything between its line and the box.
      outcome == "10"
    },
  ]
}
