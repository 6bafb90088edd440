// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Some successive pieces of work of one scope: what they need is allocated once for all of them.
///
/// What binding adds to the creation of a task: a turn of the lifecycle's lock, two marks, and a sixteenth of a page.
final class TaskPage: Sendable {
  static let capacity = 16

  let scope: TaskScope
  private let first: UInt64
  /// Three marks for each: see `Bond`.
  fileprivate let marks = Atomic<UInt64>(0)
  /// A place is its creator's until it is marked as placed, and then theirs who mark it as taken.
  fileprivate nonisolated(unsafe) let tasks: UnsafeMutablePointer<Task<Void, Never>?>

  init(in scope: TaskScope, from first: UInt64) {
    self.scope = scope
    self.first = first
    tasks = .allocate(capacity: Self.capacity)
    tasks.initialize(repeating: nil, count: Self.capacity)
  }

  deinit {
    tasks.deinitialize(count: Self.capacity)
    tasks.deallocate()
  }

  /// The place of a piece of work; nil if there is no room for it.
  func bond(_ number: UInt64) -> Bond? {
    let index = number - first
    return index < UInt64(Self.capacity) ? Bond(page: self, number: number, index: Int(index)) : nil
  }

  /// The work up to a number that is registered here, the oldest first.
  func bonds(upTo last: UInt64) -> [Bond] {
    (first...min(last, first + UInt64(Self.capacity) - 1)).compactMap { bond($0) }
  }

  /// Whatever there is room for has ended.
  var isSpent: Bool { marks.load(ordering: .relaxed) & Bond.allEnded == Bond.allEnded }
}

/// One piece of admitted work, as its task knows it.
struct Bond: Sendable {
  fileprivate let page: TaskPage
  fileprivate let number: UInt64
  fileprivate let index: Int

  /// Its creator has put its task in place.
  private var placed: UInt64 { 1 << UInt64(truncatingIfNeeded: index) }
  private var ended: UInt64 { placed << UInt64(TaskPage.capacity) }
  /// Somebody has taken its task from its place, or has nothing to do there any more.
  private var taken: UInt64 { ended << UInt64(TaskPage.capacity) }

  fileprivate static var allEnded: UInt64 { (1 << UInt64(TaskPage.capacity) - 1) << UInt64(TaskPage.capacity) }

  var isFinished: Bool { page.marks.load(ordering: .relaxed) & ended != 0 }

  /// Creates the task, and cancels it if the scope has ended since the work was admitted.
  func start(
    priority: TaskPriority?, site: BindingSite?, _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    LifecycleObservation.tell(
      .taskRegistered(page.scope.owner, task: number, scope: ObjectIdentifier(page.scope), site: site))
    let task = create(priority: priority, work)
    page.tasks[index] = task
    // Whoever ends the scope says so and then looks for the tasks in place: one of the two sees the other.
    let before = page.marks.bitwiseOr(placed, ordering: .sequentiallyConsistent).oldValue
    if before & ended != 0 { page.tasks[index] = nil } else if isOver { cancel() }
    return task
  }

  private func create(priority: TaskPriority?, _ work: @Sendable @escaping () async -> Void) -> Task<Void, Never> {
    if let preferredExecutor {
      return Task(executorPreference: preferredExecutor, priority: priority) {
        if begins { await work() }
        end()
      }
    }
    return Task(priority: priority) {
      if begins { await work() }
      end()
    }
  }

  /// Its scope has ended.
  private var isOver: Bool { number <= page.scope.lastClosed.load(ordering: .sequentiallyConsistent) }

  /// Work begins inside its scope or never, and never once its own task is cancelled.
  private var begins: Bool {
    guard !isOver, !Task.isCancelled else { return false }
    LifecycleObservation.tell(.taskStarted(page.scope.owner, task: number))
    return true
  }

  private func end() {
    let before = page.marks.bitwiseOr(ended | taken, ordering: .acquiringAndReleasing).oldValue
    if before & (placed | taken) == placed { page.tasks[index] = nil }
    LifecycleObservation.tell(
      page.scope.isOrphaned.load(ordering: .relaxed)
        ? .orphanFinished(scope: ObjectIdentifier(page.scope), task: number)
        : .taskFinished(page.scope.owner, task: number))
  }

  /// Cancels the task, once and unless it has ended; one that is still being created is cancelled by its creator.
  func cancel() {
    var marks = page.marks.load(ordering: .sequentiallyConsistent)
    repeat {
      guard marks & (placed | taken) == placed else { return }
      let taking = page.marks.compareExchange(
        expected: marks, desired: marks | taken, ordering: .sequentiallyConsistent)
      if taking.exchanged { break }
      marks = taking.original
    } while true
    LifecycleObservation.tell(.taskCancelled(page.scope.owner, task: number))
    page.tasks[index].take()?.cancel()
  }
}
