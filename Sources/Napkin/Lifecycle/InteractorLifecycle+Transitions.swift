// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The shell: it asks the machine under the lock, and carries the answer out after it.
extension InteractorLifecycle {
  /// What one visit to the machine leaves to be done outside the lock, where alone anything may be resumed or cancelled.
  private struct Turn: Sendable {
    var answer = LifecycleMachine.Answer.settled
    var next: LifecycleMachine.Step?
    /// The next callback is a default, which does nothing and need not be called.
    var isDefault = false
    var wokeUnderSleeper = false
    var place: UInt64 = 0
    var node: RouterNode?
    var below: RouterNode?
    /// What `activate(invoking:)` and `deactivate(invoking:)` brought in place of the interactor's own.
    var callback: (@Sendable () async -> Void)?
    var interrupted: CallbackToken?
    var streams: [LifecycleExtras.Stream] = []
    var waiters: [UnsafeContinuation<Void, Never>] = []
    var remainder: BoundTasks.Remainder?
    /// Closures that are not needed any more: what they capture is released after the lock, since a `deinit` may call back.
    var spent: [@Sendable () async -> Void] = []
  }

  /// Registers a request before anything suspends, so that requests count in the order of their calls (L10).
  nonisolated(nonsending) func request(
    active: Bool,
    of interactor: (any Interactable)?,
    callback: (@Sendable () async -> Void)? = nil
  ) async {
    let turn = register(active: active, of: interactor, callback)
    LifecycleObservation.tell(.requested(ObjectIdentifier(self), active: active))
    defer { LifecycleObservation.tell(.requestReturned(ObjectIdentifier(self), active: active)) }
    switch turn.answer {
    case .settled: return
    case .drive(let step):
      if turn.wokeUnderSleeper { await turn.node?.hasStirred() }
      if let below = turn.below, step == .willResignActive, await isInsideCallback(below: below) {
        handOver(step, of: interactor, turn)
      } else {
        await drive(step, of: interactor, turn)
      }
    case .wait, .waitAfterInterrupt:
      if turn.answer == .waitAfterInterrupt { cancelCallback(turn.interrupted) }
      await wait(turn)
    }
  }

  private func register(
    active: Bool, of interactor: (any Interactable)?, _ callback: (@Sendable () async -> Void)?
  ) -> Turn {
    state.withLock { state -> Turn in
      var turn = Turn()
      let wasAsleep = state.machine.isAsleep
      turn.answer = active ? state.machine.activate() : state.machine.deactivate()
      guard turn.answer != .settled else { return turn }
      if state.hasBelow { turn.below = state.node }
      if let callback {
        if let old = state.withExtras({ $0.replace(active: active, by: callback) }) { turn.spent.append(old) }
      }
      switch turn.answer {
      case .drive(let step):
        state.prepare(step, of: interactor, &turn.callback, &turn.isDefault)
        guard step == .didBecomeActive else { break }
        if wasAsleep {
          turn.wokeUnderSleeper = true
          turn.node = state.node
        }
        turn.streams = state.extras?.streams ?? []
      case .wait, .waitAfterInterrupt:
        turn.place = state.withExtras { $0.reserve(wantsActive: active) }
        turn.interrupted = state.extras?.running
      case .settled: break
      }
      return turn
    }
  }

  /// A caller inside a callback that this transition will wait for must not wait for the transition (T8).
  private func handOver(_ step: LifecycleMachine.Step, of interactor: (any Interactable)?, _ turn: Turn) {
    Task {
      await CallbackToken.$current.withValue(nil) { await drive(step, of: interactor, turn) }
    }
  }

  private nonisolated(nonsending) func isInsideCallback(below node: RouterNode) async -> Bool {
    guard let token = CallbackToken.current else { return false }
    let running = token.running.filter { $0 !== self }
    return running.isEmpty ? false : await node.encloses(running)
  }

  private nonisolated(nonsending) func wait(_ turn: Turn) async {
    var mustNotWait = CallbackToken.current?.callback(of: self) != nil
    if !mustNotWait, let below = turn.below { mustNotWait = await isInsideCallback(below: below) }
    if mustNotWait {
      state.withLock { $0.extras?.cede(turn.place) }
      return
    }
    await withUnsafeContinuation { continuation in
      let isWaiting = state.withLock { $0.extras?.fill(turn.place, continuation) ?? false }
      if !isWaiting { continuation.resume() }
    }
  }

  /// Runs callback after callback until the lifecycle rests; then wakes what slept below.
  ///
  /// All of it is one async function, and the rest synchronous: each further one costs some hundred nanoseconds.
  @inline(__always)
  private nonisolated(nonsending) func drive(
    _ first: LifecycleMachine.Step,
    of interactor: (any Interactable)?,
    _ begun: Turn
  ) async {
    var turn = begun
    var step = first
    while true {
      if step == .willResignActive, let below = turn.below { await below.putChildrenToSleep() }
      if let token = begin(step, of: interactor, turn) { await token.wait() }
      turn = end(step, of: interactor)
      guard let next = turn.next else { break }
      step = next
    }
    if step == .didBecomeActive, let below = turn.below { await below.wakeChildren() }
  }

  /// Starts a callback; nil if it has returned already.
  private func begin(
    _ step: LifecycleMachine.Step, of interactor: (any Interactable)?, _ turn: Turn
  ) -> CallbackToken? {
    switch step {
    case .didBecomeActive:
      LifecycleObservation.tell(.activated(ObjectIdentifier(self)))
      for stream in turn.streams { stream.yield(true, of: self) }
      LifecycleObservation.tell(.didBecomeActiveBegan(ObjectIdentifier(self)))
    case .willResignActive:
      LifecycleObservation.tell(.willResignActiveBegan(ObjectIdentifier(self)))
    }
    if turn.isDefault { return nil }
    guard let token = CallbackToken.run(self, step, of: interactor, turn.callback) else { return nil }
    if step == .didBecomeActive {
      // A deactivation may have come before there was a task that it could cancel.
      let isInterrupted = state.withLock { state in
        state.withExtras { $0.running = token }
        return state.machine.isInterrupted
      }
      if isInterrupted { token.cancel() }
    }
    return token
  }

  /// Asks what comes after a callback that has returned, and tells those who waited for it.
  private func end(_ step: LifecycleMachine.Step, of interactor: (any Interactable)?) -> Turn {
    switch step {
    case .didBecomeActive: LifecycleObservation.tell(.didBecomeActiveEnded(ObjectIdentifier(self)))
    case .willResignActive: LifecycleObservation.tell(.willResignActiveEnded(ObjectIdentifier(self)))
    }
    let turn = callbackReturned(from: step, of: interactor)
    if step == .willResignActive {
      for stream in turn.streams { stream.yield(false, of: self) }
      LifecycleObservation.tell(.deactivated(ObjectIdentifier(self)))
      turn.remainder?.cancel()
    }
    for waiter in turn.waiters { waiter.resume() }
    return turn
  }

  private func callbackReturned(from step: LifecycleMachine.Step, of interactor: (any Interactable)?) -> Turn {
    state.withLock { state in
      var turn = Turn()
      let (next, release) = state.machine.callbackReturned()
      turn.next = next
      if state.hasBelow { turn.below = state.node }
      if let next { state.prepare(next, of: interactor, &turn.callback, &turn.isDefault) }
      guard let extras = state.extras else { return turn }
      extras.running = nil
      turn.waiters = extras.release(release)
      if step == .willResignActive {
        turn.streams = extras.streams
        turn.remainder = extras.bound?.close()
      }
      if next == nil {
        turn.spent = extras.takeCallbacks()
        if extras.isEmpty { state.extras = nil }
      }
      return turn
    }
  }

  /// The callback may still be on its first lines: then its creator has no task to cancel yet, but its own token has.
  func cancelCallback(_ running: CallbackToken?) {
    (running ?? CallbackToken.current?.callback(of: self))?.cancel()
  }
}

extension InteractorLifecycle.State {
  fileprivate mutating func prepare(
    _ step: LifecycleMachine.Step, of interactor: (any Interactable)?,
    _ callback: inout (@Sendable () async -> Void)?, _ isDefault: inout Bool
  ) {
    if let extras { callback = step == .didBecomeActive ? extras.didBecomeActive : extras.willResignActive }
    guard callback == nil, let interactor else { return }
    isDefault = defaults.isDefault(step == .didBecomeActive ? .didBecomeActive : .willResignActive, of: interactor)
  }
}
