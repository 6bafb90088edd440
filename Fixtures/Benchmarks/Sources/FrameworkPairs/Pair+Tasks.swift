// SPDX-License-Identifier: Apache-2.0
internal import Napkin
package import Sampling
internal import Synchronization

extension Pair {
  /// A bound task against a plain one: from its making to its end, and from its making to its end by cancellation.
  package static func tasks() -> [Pair] {
    let active = Later {
      let interactor = Plain()
      await interactor.activate()
      return interactor
    }
    return [
      Pair(
        "bound task, made and awaited", unit: "task", goal: 1.2,
        subject: {
          let interactor = await active.get()
          return await Reading.onMain(batch) {
            let tasks = (0..<batch).map { _ in interactor.task {} }
            for task in tasks { await task.value }
          }
        },
        yardstick: {
          await Reading.onMain(batch) {
            let tasks = (0..<batch).map { _ in Task { @concurrent in } }
            for task in tasks { await task.value }
          }
        }
      ),
      Pair(
        "bound task, made and cancelled", unit: "task", goal: 1.2,
        // The interactor's own way: deactivation cancels what is bound.
        subject: {
          let interactor = await active.get()
          return await Reading.onMain(batch) {
            let tasks = (0..<batch).map { _ in interactor.task { await Parked().untilCancelled() } }
            await interactor.deactivate()
            for task in tasks { await task.value }
            await interactor.activate()
          }
        },
        yardstick: {
          await Reading.onMain(batch) {
            let tasks = (0..<batch).map { _ in Task { @concurrent in await Parked().untilCancelled() } }
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
          }
        }
      ),
    ]
  }

  private static var batch: Int { 500 }
}

/// Work that nothing but cancellation ends.
private final class Parked: Sendable {
  private enum State {
    case running
    case waiting(UnsafeContinuation<Void, Never>)
    case cancelled
  }
  private let state = Mutex(State.running)

  func untilCancelled() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isCancelled = state.withLock { state in
          if case .cancelled = state { return true }
          state = .waiting(continuation)
          return false
        }
        if isCancelled { continuation.resume() }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        defer { state = .cancelled }
        if case .waiting(let continuation) = state { return Optional(continuation) }
        return nil
      }
      waiting?.resume()
    }
  }
}
