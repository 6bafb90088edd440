// SPDX-License-Identifier: Apache-2.0

extension SmallProgram {
  /// The orders of letters that the runtime's rules allow, worked out without any scheduler.
  ///
  /// The rules: a task on the pool goes on at any time; an actor runs what has been put into its queue, one job at a
  /// time, in the order of arrival, at any time. The main actor and global actors are actors.
  var allowedOrders: Set<String> {
    var orders: Set<String> = []
    var (seen, open) = (Set([State(self)]), [State(self)])
    while let state = open.popLast() {
      let next = state.successors(in: self)
      if next.isEmpty { orders.insert(state.journal) }
      for state in next where seen.insert(state).inserted { open.append(state) }
    }
    return orders
  }

  private struct State: Hashable {
    enum Progress: Hashable {
      case unstarted
      case ready(Int)
      case queued, finished
    }

    enum Job: Hashable {
      /// Writes a letter; the task goes on at that operation, unless the job is a task of its own.
      case record(Character, next: Int?, of: Int)
      /// Puts a task of its own into the same queue.
      case start(Character, next: Int, of: Int)
    }

    var journal = ""
    private var tasks: [Progress]
    private var queues: [[Job]] = Array(repeating: [], count: Place.allCases.count)

    init(_ program: SmallProgram) {
      tasks = program.tasks.map { _ in .unstarted }
      tasks[0] = .ready(0)
    }

    func successors(in program: SmallProgram) -> [State] {
      tasks.indices.compactMap { running($0, in: program) } + queues.indices.compactMap { draining($0) }
    }

    /// The next operation of a task that is on the pool.
    private func running(_ task: Int, in program: SmallProgram) -> State? {
      guard case .ready(let position) = tasks[task] else { return nil }
      var next = self
      guard position < program.tasks[task].count else {
        next.tasks[task] = .finished
        return next
      }
      next.tasks[task] = .ready(position + 1)
      switch program.tasks[task][position] {
      case .record(let letter): next.journal.append(letter)
      case .hop(let place, let letter):
        next.tasks[task] = .queued
        next.queues[place.rawValue].append(.record(letter, next: position + 1, of: task))
      case .start(let child): next.tasks[child] = .ready(0)
      case .startImmediately(let child):
        next.tasks[child] = .ready(0)
        return next.running(child, in: program) ?? next
      case .startOn(let place, let letter): next.queues[place.rawValue].append(.record(letter, next: nil, of: task))
      case .startFrom(let place, let letter):
        next.tasks[task] = .queued
        next.queues[place.rawValue].append(.start(letter, next: position + 1, of: task))
      case .wait(let child): if tasks[child] != .finished { return nil }
      }
      return next
    }

    /// The first job in the queue of a place.
    private func draining(_ place: Int) -> State? {
      guard let job = queues[place].first else { return nil }
      var next = self
      next.queues[place].removeFirst()
      switch job {
      case .record(let letter, let position, let task):
        next.journal.append(letter)
        if let position { next.tasks[task] = .ready(position) }
      case .start(let letter, let position, let task):
        next.queues[place].append(.record(letter, next: nil, of: task))
        next.tasks[task] = .ready(position)
      }
      return next
    }
  }
}
