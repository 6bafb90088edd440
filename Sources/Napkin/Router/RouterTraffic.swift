// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Those who wait for one node.
@MainActor
final class RouterTraffic {
  enum Verdict: Sendable { case done, move }
  enum Purpose { case attach, detach }

  private struct Waiter {
    let request: UInt32
    let purpose: Purpose
    let continuation: UnsafeContinuation<Verdict, Never>
  }

  private var waiters: [Waiter] = []

  /// Keeps the parent alive that the newest request named, until the child stands there.
  var awaitedParent: (any Routing)?

  /// How many are on their way to this node without standing there yet.
  var expected = 0

  let gate = LoadGate()

  func wait(request: UInt32, _ purpose: Purpose) async -> Verdict {
    await withUnsafeContinuation { continuation in
      waiters.append(Waiter(request: request, purpose: purpose, continuation: continuation))
    }
  }

  /// Lets the newest request's caller go on with the move, if it is waiting.
  func handOver(to request: UInt32) -> Bool {
    guard let index = waiters.firstIndex(where: { $0.request == request }) else { return false }
    waiters.remove(at: index).continuation.resume(returning: .move)
    return true
  }

  /// The child has left: whoever wanted that has what he asked for.
  func releaseDetachers() {
    let leaving = waiters.filter { $0.purpose == .detach }
    waiters.removeAll { $0.purpose == .detach }
    for waiter in leaving { waiter.continuation.resume(returning: .done) }
  }

  func releaseAll() {
    let all = waiters
    waiters = []
    for waiter in all { waiter.continuation.resume(returning: .done) }
  }
}

/// Those who wait for `didLoad()`; each can give up (T9), and none of it keeps the router alive.
final class LoadGate: Sendable {
  private struct State {
    var isOpen = false
    var last: UInt64 = 0
    var waiters: [(number: UInt64, continuation: UnsafeContinuation<Void, Never>)] = []
    var givenUp: [UInt64] = []
  }

  private let state = Mutex(State())

  /// Returns when the gate opens or, if the wait may be cut short, when the caller's task is cancelled.
  nonisolated(nonsending) func pass(cancellable: Bool) async {
    let number = state.withLock {
      $0.last += 1
      return $0.last
    }
    guard cancellable else { return await wait(number) }
    await withTaskCancellationHandler {
      await wait(number)
    } onCancel: {
      giveUp(number)
    }
    state.withLock { $0.givenUp.removeAll { $0 == number } }
  }

  private nonisolated(nonsending) func wait(_ number: UInt64) async {
    await withUnsafeContinuation { continuation in
      let mayGo = state.withLock { state in
        if state.isOpen || state.givenUp.contains(number) { return true }
        state.waiters.append((number, continuation))
        return false
      }
      if mayGo { continuation.resume() }
    }
  }

  private func giveUp(_ number: UInt64) {
    let continuation = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      if let index = state.waiters.firstIndex(where: { $0.number == number }) {
        return state.waiters.remove(at: index).continuation
      }
      state.givenUp.append(number)
      return nil
    }
    continuation?.resume()
  }

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume() }
  }
}
