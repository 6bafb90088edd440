// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The tasks that are bound to one lifecycle's active scope, in the order of their registration (L6).
///
/// Tasks refer to it in place of the lifecycle, which they must not keep alive (L8). Its lock is its own, so tasks that
/// begin and end do not contend for the tree's.
final class BoundTasks: Sendable {
  /// A registered task: its number counts up within the lifecycle, and its slot is used again after its end.
  struct Ticket: Sendable {
    let number: UInt64
    fileprivate let slot: Int
  }

  private struct Slot {
    /// 0 where the slot is free.
    var number: UInt64 = 0
    /// Nil as long as the task is being created.
    var task: Task<Void, Never>?
  }

  private struct State {
    var slots: [Slot] = []
    var free: [Int] = []
    var last: UInt64 = 0

    /// Frees the slot of a task, unless that has happened.
    mutating func take(_ ticket: Ticket) -> Task<Void, Never>? {
      guard slots[ticket.slot].number == ticket.number else { return nil }
      defer {
        slots[ticket.slot] = Slot()
        free.append(ticket.slot)
      }
      return slots[ticket.slot].task
    }
  }

  private let owner: ObjectIdentifier
  private let state = Mutex(State())
  private let runs = WorkerRuns()
  /// The last number whose scope has ended.
  private let lastClosed = Atomic<UInt64>(0)
  /// Set when the lifecycle is released: its identity may be used again, so no later event names it.
  private let isOrphaned = Atomic<Bool>(false)

  init(of lifecycle: ObjectIdentifier) { owner = lifecycle }

  /// How many tasks are registered and have not ended.
  var count: Int { state.withLock { $0.slots.count - $0.free.count } }

  /// Admits one task, which is created outside the tree's lock.
  func admit() -> Ticket {
    state.withLock { state in
      state.last += 1
      let slot = state.free.popLast() ?? state.slots.count
      if slot == state.slots.count { state.slots.append(Slot()) }
      state.slots[slot].number = state.last
      return Ticket(number: state.last, slot: slot)
    }
  }

  /// Creates an admitted task, and cancels it if the scope has ended since.
  func start(
    _ ticket: Ticket, priority: TaskPriority?, site: BindingSite?, _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    LifecycleObservation.notify(
      .taskRegistered(owner, task: ticket.number, scope: ObjectIdentifier(self), site: site))
    let task = CallbackFrame.bind { create(ticket, priority, work) }
    enter(task, ticket)
    return task
  }

  /// Runs a worker, unless it runs already (L12).
  func start(_ worker: any Worker, _ ticket: Ticket, priority: TaskPriority?, site: BindingSite) {
    let id = ObjectIdentifier(worker)
    guard let run = runs.begin(id, number: ticket.number, lastClosed: lastClosed.load(ordering: .acquiring)) else {
      _ = state.withLock { $0.take(ticket) }
      return
    }
    LifecycleObservation.notify(
      .taskRegistered(
        owner, task: ticket.number, scope: ObjectIdentifier(self), site: site,
        worker: BoundWorker(id: id, name: "\(type(of: worker))")))
    let body: @Sendable () async -> Void = { [self] in
      await run.waitForPrevious()
      if begins(ticket) { await worker.run() }
      end(ticket)
      runs.end(run, of: id)
    }
    enter(CallbackFrame.bind { startTask(priority: priority, body) }, ticket)
  }

  private func enter(_ task: Task<Void, Never>, _ ticket: Ticket) {
    let isOver = state.withLock { state in
      // It has ended already.
      guard state.slots[ticket.slot].number == ticket.number else { return false }
      state.slots[ticket.slot].task = task
      return ticket.number <= lastClosed.load(ordering: .relaxed)
    }
    if isOver { cancel(ticket) }
  }

  /// Two literal closures: one that is passed on to `startTask` costs each task an allocation and a call more.
  private func create(
    _ ticket: Ticket, _ priority: TaskPriority?, _ work: @Sendable @escaping () async -> Void
  ) -> Task<Void, Never> {
    if let preferredExecutor {
      return Task(executorPreference: preferredExecutor, priority: priority) { [self] in
        if begins(ticket) { await work() }
        end(ticket)
      }
    }
    return Task(priority: priority) { [self] in
      if begins(ticket) { await work() }
      end(ticket)
    }
  }

  /// Whether a task may begin: only inside its scope, and not after its own cancellation.
  private func begins(_ ticket: Ticket) -> Bool {
    // The scope is asked about last: no call comes between that and the work.
    guard !Task.isCancelled, ticket.number > lastClosed.load(ordering: .acquiring) else { return false }
    LifecycleObservation.notify(.taskStarted(owner, task: ticket.number))
    return true
  }

  private func end(_ ticket: Ticket) {
    let task = state.withLock { $0.take(ticket) }
    _ = task
    LifecycleObservation.notify(
      isOrphaned.load(ordering: .relaxed)
        ? .orphanFinished(scope: ObjectIdentifier(self), task: ticket.number)
        : .taskFinished(owner, task: ticket.number))
  }

  /// Ends the scope, and returns its tasks, for `cancel(all:)`.
  func close(forGood: Bool = false) -> [Ticket] {
    if forGood { isOrphaned.store(true, ordering: .relaxed) }
    return state.withLock { state in
      lastClosed.store(state.last, ordering: .releasing)
      return state.slots.indices.compactMap { slot in
        let number = state.slots[slot].number
        return number == 0 ? nil : Ticket(number: number, slot: slot)
      }
    }
  }

  /// Cancels the tasks of a scope that has ended, the oldest first, outside every lock.
  func cancel(all tickets: [Ticket]) {
    for ticket in tickets.sorted(by: { $0.number < $1.number }) { cancel(ticket) }
  }

  /// Cancels a task unless it has ended; one that is still being created is cancelled by its creator.
  private func cancel(_ ticket: Ticket) {
    let task = state.withLock { state in state.slots[ticket.slot].task == nil ? nil : state.take(ticket) }
    guard let task else { return }
    LifecycleObservation.notify(.taskCancelled(owner, task: ticket.number))
    task.cancel()
  }
}
