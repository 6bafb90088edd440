// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A caller that waits for its request to be fulfilled.
final class Waiter: Sendable {
  private struct State {
    var continuation: UnsafeContinuation<Bool, Never>?
    /// The caller is to go on at the node before it waits again.
    var isCalled = false
    /// Whether the request was fulfilled; nil while it is open.
    var isFulfilled: Bool?
  }

  let request: Int32
  /// That of the node at which the request was made.
  private let lifecycle: InteractorLifecycle
  /// The running callback that has bound the caller's task.
  private let binder = CallbackFrame.currentBinder
  private let state = Mutex(State())

  init(_ request: Int32, _ lifecycle: InteractorLifecycle) {
    self.request = request
    self.lifecycle = lifecycle
  }

  /// Whether the request was fulfilled, once the caller is resumed.
  var isFulfilled: Bool { state.withLock { $0.isFulfilled == true } }

  private var isOpen: Bool { state.withLock { $0.isFulfilled == nil || $0.isCalled } }

  /// Ends the wait.
  func resume(isFulfilled: Bool) {
    let continuation = state.withLock { state in
      state.isFulfilled = isFulfilled
      return state.continuation.take()
    }
    continuation?.resume(returning: false)
  }

  /// Has the caller go on at the node, on the main actor where it waits; false if its wait is over.
  func call() -> Bool {
    let (isOpen, continuation) = state.withLock { state in
      let continuation = state.continuation.take()
      state.isCalled = continuation == nil && state.isFulfilled == nil
      return (state.isFulfilled == nil, continuation)
    }
    continuation?.resume(returning: true)
    return isOpen
  }

  /// Waits on the main actor, and goes on at the node there when that is called for.
  @MainActor @inline(__always)
  func waitOnMain() async {
    if let binder { return await wait(boundBy: binder) }
    while isOpen, await withUnsafeContinuation({ park($0) }) {
      TreeDriver.handle(.onMain(lifecycle.node), onMain: true)
    }
  }

  @inline(__always)
  nonisolated(nonsending) func wait() async {
    if let binder { return await wait(boundBy: binder) }
    _ = await withUnsafeContinuation { park($0) }
  }

  /// Waits, and finds out whether the callback that has bound the caller's task waits for that task (L4).
  ///
  /// The runtime can not be asked for that, but a task passes a higher priority on to the one that it waits for, now or as
  /// soon as it begins to wait. So the callback is lent one, and where it comes to the caller, the callback waits for it.
  private nonisolated(nonsending) func wait(boundBy binder: CallbackFrame) async {
    guard #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) else {
      TreeDriver.tie(self, to: binder)
      return await park()
    }
    await withTaskPriorityEscalationHandler {
      if let higher = Task.currentPriority.next { binder.raise(to: higher) } else { TreeDriver.tie(self, to: binder) }
      await park()
    } onPriorityEscalated: { _, _ in
      TreeDriver.tie(self, to: binder)
    }
  }

  private nonisolated(nonsending) func park() async {
    while isOpen, await withUnsafeContinuation({ park($0) }) {
      TreeDriver.handle(.onMain(lifecycle.node), onMain: true)
    }
  }

  /// Waits until the calling task is cancelled, at the longest.
  nonisolated(nonsending) func waitUntilCancelled() async {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      TreeDriver.withdraw(self)
    }
  }

  private func park(_ continuation: UnsafeContinuation<Bool, Never>) {
    let isCalled: Bool? = state.withLock { state in
      if state.isCalled || state.isFulfilled != nil {
        defer { state.isCalled = false }
        return state.isCalled
      }
      state.continuation = continuation
      return nil
    }
    if let isCalled { continuation.resume(returning: isCalled) }
  }
}

extension TaskPriority {
  /// The next higher one that the systems distinguish; nil above the highest.
  fileprivate var next: TaskPriority? {
    let classes: [UInt8] = [25, 33]
    return classes.first { $0 > rawValue }.map(TaskPriority.init(rawValue:))
  }
}
