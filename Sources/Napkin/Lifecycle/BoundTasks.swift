// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The work that is bound to one lifecycle's active scope, in the order of its registration (L6).
///
/// It is guarded by the lifecycle's lock, which only registering takes: a task that begins or ends touches nothing that
/// it shares with others, so many of them do not queue up.
struct BoundTasks {
  fileprivate struct Entry: Sendable {
    let bond: Bond
    let task: Task<Void, Never>
  }

  private let scope: TaskScope
  private var last: UInt64 = 0
  private var entries: [Entry] = []
  /// The finished ones are swept out at this count, which keeps a registration's cost constant on average.
  private var sweepsAt = 32

  init(of lifecycle: ObjectIdentifier) { scope = TaskScope(of: lifecycle) }

  /// How much work is registered and has not ended.
  var count: Int { entries.count { !$0.bond.isFinished } }

  /// How much is remembered, the finished that have not been swept out included.
  var held: Int { entries.count }

  /// Admits one piece of work, whose task is then created outside the lock; `keep(_:of:)` follows.
  mutating func admit() -> Bond {
    last += 1
    return Bond(number: last, in: scope)
  }

  /// Enters the task of what was admitted; false if the scope has ended since, so that it is to be cancelled.
  mutating func keep(_ task: Task<Void, Never>, of bond: Bond) -> Bool {
    if bond.isOver { return false }
    if entries.count == sweepsAt {
      entries.removeAll { $0.bond.isFinished }
      sweepsAt = max(32, entries.count * 2)
    }
    entries.append(Entry(bond: bond, task: task))
    return true
  }

  /// Ends the scope and returns what is to be cancelled.
  mutating func close(forGood: Bool = false) -> Remainder {
    if forGood { scope.isOrphaned.store(true, ordering: .relaxed) }
    scope.lastClosed.store(last, ordering: .releasing)
    defer { entries = [] }
    return Remainder(entries: entries)
  }

  /// What the end of a scope found unfinished; it is cancelled outside every lock, the oldest first.
  struct Remainder: Sendable {
    fileprivate let entries: [Entry]

    func cancel() {
      for entry in entries { entry.bond.cancel(entry.task) }
    }
  }
}

/// What the tasks of one lifecycle hold instead of it, since they must not keep it alive (L8).
private final class TaskScope: Sendable {
  /// The last number whose scope has ended: it may not begin any more.
  let lastClosed = Atomic<UInt64>(0)
  /// Set when the lifecycle goes: its identity may be another's from then on, so nothing is told under it any more.
  let isOrphaned = Atomic<Bool>(false)
  let owner: ObjectIdentifier

  init(of lifecycle: ObjectIdentifier) { owner = lifecycle }
}

/// One piece of admitted work, as its task knows it.
final class Bond: Sendable {
  private let number: UInt64
  private let scope: TaskScope
  private let hasEnded = Atomic<Bool>(false)

  fileprivate init(number: UInt64, in scope: TaskScope) {
    self.number = number
    self.scope = scope
  }

  fileprivate var isFinished: Bool { hasEnded.load(ordering: .relaxed) }

  /// Its scope has ended.
  fileprivate var isOver: Bool { number <= scope.lastClosed.load(ordering: .acquiring) }

  /// Creates the task, to be entered under the lock afterwards.
  func start(
    priority: TaskPriority?, site: BindingSite?, _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    LifecycleObservation.tell(
      .taskRegistered(scope.owner, task: number, scope: ObjectIdentifier(scope), site: site))
    if let preferredExecutor {
      return Task(executorPreference: preferredExecutor, priority: priority) {
        if self.begins { await work() }
        self.end()
      }
    }
    return Task(priority: priority) {
      if self.begins { await work() }
      self.end()
    }
  }

  /// Work begins inside its scope or never, and never once its own task is cancelled.
  private var begins: Bool {
    guard !isOver, !Task.isCancelled else { return false }
    LifecycleObservation.tell(.taskStarted(scope.owner, task: number))
    return true
  }

  private func end() {
    hasEnded.store(true, ordering: .relaxed)
    LifecycleObservation.tell(
      scope.isOrphaned.load(ordering: .relaxed)
        ? .orphanFinished(scope: ObjectIdentifier(scope), task: number)
        : .taskFinished(scope.owner, task: number))
  }

  func cancel(_ task: Task<Void, Never>) {
    if isFinished { return }
    LifecycleObservation.tell(.taskCancelled(scope.owner, task: number))
    task.cancel()
  }
}
