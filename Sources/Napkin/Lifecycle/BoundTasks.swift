// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The work that is bound to one lifecycle's active scope, in the order of its registration (L6).
///
/// The tasks hold this object instead of the lifecycle, which they must not keep alive (L8). Only registering takes its
/// lock: a task that begins or ends touches nothing that it shares with others, so many of them do not queue up.
final class BoundTasks: Sendable {
  private struct State {
    var isOpen = true
    var last: UInt64 = 0
    var bonds: [Bond] = []
    /// The finished ones are swept out at this count, which keeps a registration's cost constant on average.
    var sweepsAt = 32
  }

  private let state = Mutex(State())
  /// The last number whose scope has ended: it may not begin any more.
  private let lastClosed = Atomic<UInt64>(0)
  /// Set when the lifecycle goes: its identity may be another's from then on, so nothing is told under it any more.
  private let isOrphaned = Atomic<Bool>(false)
  private let owner: ObjectIdentifier

  init(of lifecycle: ObjectIdentifier) { owner = lifecycle }

  /// How much work is registered and has not ended.
  var count: Int { state.withLock { $0.bonds.count { !$0.isFinished } } }

  /// How much is remembered, the finished that have not been swept out included.
  var held: Int { state.withLock { $0.bonds.count } }

  /// Creates the task of one piece of work, unless the scope has just ended.
  func bind(priority: TaskPriority?, site: BindingSite?, _ work: @Sendable @escaping () async -> Void) -> Task<
    Void, Never
  >? {
    guard let bond = admit() else { return nil }
    LifecycleObservation.tell(.taskRegistered(owner, task: bond.number, scope: ObjectIdentifier(self), site: site))
    let task =
      if let preferredExecutor {
        Task(executorPreference: preferredExecutor, priority: priority) { [self] in await carryOut(work, bond) }
      } else {
        Task(priority: priority) { [self] in await carryOut(work, bond) }
      }
    bond.store(task)
    return task
  }

  private nonisolated(nonsending) func carryOut(_ work: @Sendable () async -> Void, _ bond: Bond) async {
    // Work begins inside its scope or never, and never once its own task is cancelled.
    if !Task.isCancelled, bond.number > lastClosed.load(ordering: .acquiring) {
      LifecycleObservation.tell(.taskStarted(owner, task: bond.number))
      await work()
    }
    bond.finish()
    LifecycleObservation.tell(
      isOrphaned.load(ordering: .relaxed)
        ? .orphanFinished(scope: ObjectIdentifier(self), task: bond.number)
        : .taskFinished(owner, task: bond.number))
  }

  private func admit() -> Bond? {
    state.withLock { state in
      guard state.isOpen else { return nil }
      if state.bonds.count == state.sweepsAt {
        state.bonds.removeAll(where: \.isFinished)
        state.sweepsAt = max(32, state.bonds.count * 2)
      }
      state.last += 1
      let bond = Bond(number: state.last)
      state.bonds.append(bond)
      return bond
    }
  }

  /// Ends the scope and returns what is to be cancelled.
  func close(forGood: Bool = false) -> Remainder {
    if forGood { isOrphaned.store(true, ordering: .relaxed) }
    return state.withLock { state in
      state.isOpen = false
      lastClosed.store(state.last, ordering: .releasing)
      defer { state.bonds = [] }
      return Remainder(bonds: state.bonds, owner: owner)
    }
  }

  /// Opens the next scope.
  func open() { state.withLock { $0.isOpen = true } }

  /// What the end of a scope found unfinished; it is cancelled outside every lock, the oldest first.
  struct Remainder {
    fileprivate let bonds: [Bond]
    fileprivate let owner: ObjectIdentifier

    func cancel() {
      for bond in bonds where !bond.isFinished {
        LifecycleObservation.tell(.taskCancelled(owner, task: bond.number))
        bond.cancel()
      }
    }
  }
}

/// One piece of work and the task that carries it, which is known a moment after the work was admitted.
private final class Bond: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isFinished = false
    var isCancelled = false
  }

  let number: UInt64
  private let state = Mutex(State())

  init(number: UInt64) { self.number = number }

  var isFinished: Bool { state.withLock { $0.isFinished } }

  func store(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      if !state.isFinished { state.task = task }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Forgets the task, which remembers this.
  func finish() {
    let task = state.withLock { state in
      state.isFinished = true
      return state.task.take()
    }
    _ = task
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
