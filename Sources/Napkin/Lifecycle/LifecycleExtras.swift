// SPDX-License-Identifier: Apache-2.0

/// What a lifecycle needs only while something happens, or is watched; it is guarded by the lifecycle's lock.
final class LifecycleExtras {
  struct Stream: Sendable {
    let number: UInt64
    let continuation: AsyncStream<Bool>.Continuation

    func yield(_ isActive: Bool, of lifecycle: InteractorLifecycle) {
      continuation.yield(isActive)
      LifecycleObservation.tell(
        .streamYielded(ObjectIdentifier(lifecycle), stream: number, isActive: isActive))
    }
  }

  private struct Waiter {
    let number: UInt64
    let wantsActive: Bool
    var continuation: UnsafeContinuation<Void, Never>?
  }

  /// The suspended `didBecomeActive()`, so that a deactivation can cancel it (L5).
  var running: CallbackToken?
  /// Unchecked, since the lifecycle's lock lets nobody else in.
  @exclusivity(unchecked) var bound: BoundTasks?
  private(set) var streams: [Stream] = []
  private(set) var didBecomeActive: (@Sendable () async -> Void)?
  private(set) var willResignActive: (@Sendable () async -> Void)?

  private var waiters: [Waiter] = []
  private var last: UInt64 = 0

  var isEmpty: Bool { running == nil && bound == nil && streams.isEmpty && waiters.isEmpty }

  /// Keeps a closure for the next callback of its kind, and returns the one that it takes the place of.
  func replace(active: Bool, by callback: @escaping @Sendable () async -> Void) -> (@Sendable () async -> Void)? {
    let old = active ? didBecomeActive : willResignActive
    if active { didBecomeActive = callback } else { willResignActive = callback }
    return old
  }

  /// Removes the closures of transitions that are over, for their release outside the lock.
  func takeCallbacks() -> [@Sendable () async -> Void] {
    guard didBecomeActive != nil || willResignActive != nil else { return [] }
    defer { (didBecomeActive, willResignActive) = (nil, nil) }
    return [didBecomeActive, willResignActive].compactMap { $0 }
  }

  func admit(to lifecycle: ObjectIdentifier) -> Bond {
    if let bond = bound?.admit() { return bond }
    var bound = BoundTasks(of: lifecycle)
    defer { self.bound = bound }
    return bound.admit()
  }

  func add(_ continuation: AsyncStream<Bool>.Continuation) -> UInt64 {
    last += 1
    streams.append(Stream(number: last, continuation: continuation))
    return last
  }

  func removeStream(_ number: UInt64) { streams.removeAll { $0.number == number } }

  /// A place is taken with the request and filled when the caller suspends: what happens between is not missed.
  func reserve(wantsActive: Bool) -> UInt64 {
    last += 1
    waiters.append(Waiter(number: last, wantsActive: wantsActive))
    return last
  }

  /// False if the place is gone: what the caller would wait for has happened.
  func fill(_ number: UInt64, _ continuation: UnsafeContinuation<Void, Never>) -> Bool {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return false }
    waiters[index].continuation = continuation
    return true
  }

  func cede(_ number: UInt64) { waiters.removeAll { $0.number == number } }

  func release(_ release: LifecycleMachine.Release) -> [UnsafeContinuation<Void, Never>] {
    guard release != .nobody, !waiters.isEmpty else { return [] }
    let mayGo = { (waiter: Waiter) in release == .everybody || !waiter.wantsActive }
    defer { waiters.removeAll(where: mayGo) }
    return waiters.filter(mayGo).compactMap(\.continuation)
  }
}
