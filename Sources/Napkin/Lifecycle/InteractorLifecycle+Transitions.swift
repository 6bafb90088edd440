// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The shell: it asks the machine under the lock, and carries the answer out after it.
extension InteractorLifecycle {
  /// What one visit to the machine leaves to be done outside the lock, where alone anything may be resumed or cancelled.
  private struct Turn: Sendable {
    var answer = LifecycleMachine.Answer.settled
    var next: LifecycleMachine.Step?
    var place: UInt64 = 0
    var wokeUnderSleeper = false
    var node: RouterNode?
    var below: RouterNode?
    var interrupted: CallbackToken?
    var streams: [LifecycleExtras.Stream] = []
    var waiters: [UnsafeContinuation<Void, Never>] = []
    var remainder: BoundTasks.Remainder?
  }

  /// Registers a request before anything suspends, so that requests count in the order of their calls (L10).
  nonisolated(nonsending) func request(
    active: Bool,
    of interactor: (any Interactable)?,
    callback: (@Sendable () async -> Void)? = nil
  ) async {
    let turn = state.withLock { state -> Turn in
      var turn = Turn()
      let wasAsleep = state.machine.isAsleep
      turn.answer = active ? state.machine.activate() : state.machine.deactivate()
      guard turn.answer != .settled else { return turn }
      turn.node = state.node
      turn.below = state.hasBelow ? state.node : nil
      if let callback {
        state.withExtras { if active { $0.didBecomeActive = callback } else { $0.willResignActive = callback } }
      }
      switch turn.answer {
      case .drive(.didBecomeActive):
        turn.wokeUnderSleeper = wasAsleep
        turn.streams = state.extras?.streams ?? []
        state.extras?.bound?.open()
      case .wait, .waitAfterInterrupt:
        turn.place = state.withExtras { $0.reserve(wantsActive: active) }
        turn.interrupted = state.extras?.running
      case .settled, .drive: break
      }
      return turn
    }
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
  private nonisolated(nonsending) func drive(
    _ first: LifecycleMachine.Step,
    of interactor: (any Interactable)?,
    _ begun: Turn
  ) async {
    var turn = begun
    var step = first
    while true {
      switch step {
      case .didBecomeActive:
        LifecycleObservation.tell(.activated(ObjectIdentifier(self)))
        for stream in turn.streams { stream.yield(true, of: self) }
        LifecycleObservation.tell(.didBecomeActiveBegan(ObjectIdentifier(self)))
        await runDidBecomeActive(of: interactor)
        LifecycleObservation.tell(.didBecomeActiveEnded(ObjectIdentifier(self)))
      case .willResignActive:
        if let below = turn.below { await below.putChildrenToSleep() }
        LifecycleObservation.tell(.willResignActiveBegan(ObjectIdentifier(self)))
        await runWillResignActive(of: interactor)
        LifecycleObservation.tell(.willResignActiveEnded(ObjectIdentifier(self)))
      }
      turn = callbackReturned(from: step)
      if step == .willResignActive {
        for stream in turn.streams { stream.yield(false, of: self) }
        LifecycleObservation.tell(.deactivated(ObjectIdentifier(self)))
        turn.remainder?.cancel()
      }
      for waiter in turn.waiters { waiter.resume() }
      guard let next = turn.next else { break }
      step = next
    }
    if step == .didBecomeActive, let below = turn.below { await below.wakeChildren() }
  }

  private func callbackReturned(from step: LifecycleMachine.Step) -> Turn {
    state.withLock { state in
      var turn = Turn()
      let (next, release) = state.machine.callbackReturned()
      turn.next = next
      turn.below = state.hasBelow ? state.node : nil
      guard let extras = state.extras else { return turn }
      extras.running = nil
      turn.waiters = extras.release(release)
      if step == .willResignActive {
        turn.streams = extras.streams
        turn.remainder = extras.bound?.close()
        if next != nil { extras.bound?.open() }
      }
      if next == nil {
        extras.didBecomeActive = nil
        extras.willResignActive = nil
        if extras.isEmpty { state.extras = nil }
      }
      return turn
    }
  }

  private nonisolated(nonsending) func runDidBecomeActive(of interactor: (any Interactable)?) async {
    let (callback, defaults) = state.withLock { ($0.extras?.didBecomeActive, $0.defaults(of: interactor)) }
    if callback == nil, defaults.contains(.didBecomeActive) { return }
    await CallbackToken.run(self, kind: .lifecycle) { token in
      let isInterrupted = state.withLock { state in
        state.withExtras { $0.running = token }
        return state.machine.isInterrupted
      }
      if isInterrupted { token.cancel() }
    } body: {
      if let callback { await callback() } else { await interactor?.didBecomeActive() }
    }
  }

  private nonisolated(nonsending) func runWillResignActive(of interactor: (any Interactable)?) async {
    let (callback, defaults) = state.withLock { ($0.extras?.willResignActive, $0.defaults(of: interactor)) }
    if callback == nil, defaults.contains(.willResignActive) { return }
    await CallbackToken.run(self, kind: .lifecycle) { _ in
    } body: {
      if let callback { await callback() } else { await interactor?.willResignActive() }
    }
  }

  /// The callback may still be on its first lines: then its creator has no task to cancel yet, but its own token has.
  func cancelCallback(_ running: CallbackToken?) {
    (running ?? CallbackToken.current?.callback(of: self))?.cancel()
  }
}

extension InteractorLifecycle.State {
  /// Asked once for each lifecycle; a type's first instances find out what the later ones are told.
  fileprivate mutating func defaults(of interactor: (any Interactable)?) -> DefaultCallbacks {
    if let interactor, !defaults.contains(.isKnown) || defaults == .isKnown {
      defaults = DefaultCallbacks.of(type(of: interactor))
    }
    return defaults
  }
}
