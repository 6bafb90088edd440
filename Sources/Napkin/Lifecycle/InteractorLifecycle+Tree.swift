// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What the tree of routers says to a lifecycle, and asks of it, without ever waiting.
extension InteractorLifecycle {
  /// The tree wants this interactor inactive: a running activation is cancelled at once, and resigns by itself.
  func fallAsleep() {
    let (isInterrupted, running) = state.withLock { state in
      // `activate(invoking:)` came with half a pair: the other half is known once `deactivate(invoking:)` is called.
      let canResign = state.extras.map { $0.didBecomeActive == nil || $0.willResignActive != nil } ?? true
      return (state.machine.fallAsleep(canResign: canResign), state.extras?.running)
    }
    if isInterrupted { cancelCallback(running) }
  }

  /// The tree wants this interactor active again, and is about to ask for it.
  func wakeUp() { state.withLock { $0.machine.wakeUp() } }

  var isAsleep: Bool { state.withLock { $0.machine.isAsleep } }

  /// The tree has put it to sleep and not woken it since, even if it was activated on its own meanwhile.
  var isDismissed: Bool { state.withLock { $0.machine.isDismissed } }

  /// Asleep and inactive already: unless something below has stirred, so is all that stands below.
  var isAtRestAsleep: Bool { state.withLock { $0.machine.isAsleep && !$0.machine.isActive } }

  var isFallingAsleep: Bool { state.withLock { $0.machine.isFallingAsleep } }

  var makesChildrenSleep: Bool { state.withLock { $0.machine.makesChildrenSleep } }

  /// True while a callback is running, or about to.
  var isInTransition: Bool { state.withLock { $0.machine.phase == .activating || $0.machine.phase == .resigning } }

  /// The node of the router that owns the interactor.
  var node: RouterNode? { state.withLock { $0.node } }

  /// The first router that an interactor is given to stays its router.
  func connect(to node: RouterNode) {
    state.withLock { if $0.node == nil { $0.node = node } }
  }

  /// From now on the interactor's own transitions concern others too.
  func becameParent(by node: RouterNode) {
    state.withLock { if $0.node === node { $0.hasBelow = true } }
  }

  func disconnect(from node: RouterNode) {
    state.withLock {
      guard $0.node === node else { return }
      $0.node = nil
      $0.hasBelow = false
    }
  }

  /// How many streams are being kept up to date.
  package var watcherCount: Int { state.withLock { $0.extras?.streams.count ?? 0 } }
}
