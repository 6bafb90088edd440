// SPDX-License-Identifier: Apache-2.0

extension SmallProgram {
  /// The orders of letters that the runtime's rules allow, worked out without any scheduler.
  ///
  /// The rules: a task on the pool goes on at any time, and so does one that sleeps. An actor takes a job out of its queue
  /// at any time at which it has none, and runs it at any time after that: the first one of the highest priority. Global
  /// actors are actors; the main actor is one that knows no priorities. A task that waits at the latch goes on at any time
  /// after it is open. Empty if the tasks can wait for each other for ever.
  var allowedOrders: Set<String> {
    var orders: Set<String> = []
    var (seen, open) = (Set([State(self)]), [State(self)])
    while let state = open.popLast() {
      let next = state.successors(in: self)
      if next.isEmpty {
        guard state.isFinished else { return [] }
        orders.insert(state.journal)
      }
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
      /// Puts a task of its own into the same queue, and starts a task on the pool.
      case start(Character, with: Int?, next: Int, of: Int)
    }

    struct Entry: Hashable {
      var job: Job
      var isUrgent: Bool
    }

    var journal = ""
    private var isOpen = false
    private var tasks: [Progress]
    private var queues: [[Entry]] = Array(repeating: [], count: Place.allCases.count)
    /// The entry that each place has taken out of its queue.
    private var taken: [Entry?] = Array(repeating: nil, count: Place.allCases.count)

    init(_ program: SmallProgram) {
      tasks = program.tasks.map { _ in .unstarted }
      tasks[0] = .ready(0)
    }

    var isFinished: Bool { tasks.allSatisfy { $0 == .finished } }

    func successors(in program: SmallProgram) -> [State] {
      tasks.indices.compactMap { running($0, in: program) } + queues.indices.compactMap { draining($0, in: program) }
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
        next.enqueue(.record(letter, next: position + 1, of: task), on: place.rawValue, in: program)
      case .start(let child): next.tasks[child] = .ready(0)
      case .startImmediately(let child):
        next.tasks[child] = .ready(0)
        return next.running(child, in: program) ?? next
      case .startOn(let place, let letter):
        next.enqueue(.record(letter, next: nil, of: task), on: place.rawValue, in: program)
      case .startFrom(let place, let letter):
        next.tasks[task] = .queued
        next.enqueue(.start(letter, with: nil, next: position + 1, of: task), on: place.rawValue, in: program)
      case .startBoth(let place, let letter, let child):
        next.tasks[task] = .queued
        next.enqueue(.start(letter, with: child, next: position + 1, of: task), on: place.rawValue, in: program)
      case .wait(let child): if tasks[child] != .finished { return nil }
      case .open: next.isOpen = true
      case .pass: if !isOpen { return nil }
      case .sleep: break
      }
      return next
    }

    private mutating func enqueue(_ job: Job, on place: Int, in program: SmallProgram) {
      let task =
        switch job {
        case .record(_, _, let task), .start(_, _, _, let task): task
        }
      queues[place].append(Entry(job: job, isUrgent: program.isUrgent[task] && place != Place.main.rawValue))
    }

    /// The next step of a place: it takes the job that comes first, or runs the one that it has taken.
    private func draining(_ place: Int, in program: SmallProgram) -> State? {
      var next = self
      guard let entry = taken[place] else {
        guard let first = queues[place].firstIndex(where: \.isUrgent) ?? queues[place].indices.first else { return nil }
        next.taken[place] = next.queues[place].remove(at: first)
        // Without priorities it is all the same when a job is taken.
        return program.isUrgent.contains(true) ? next : next.draining(place, in: program)
      }
      next.taken[place] = nil
      switch entry.job {
      case .record(let letter, let position, let task):
        next.journal.append(letter)
        if let position { next.tasks[task] = .ready(position) }
      case .start(let letter, let child, let position, let task):
        next.enqueue(.record(letter, next: nil, of: task), on: place, in: program)
        if let child { next.tasks[child] = .ready(0) }
        next.tasks[task] = .ready(position)
      }
      return next
    }
  }
}

extension SmallProgram {
  /// Whether no two tasks share anything but actors: the journal is written on actors alone, and nothing waits at the latch.
  var sharesOnlyActors: Bool {
    tasks.joined().allSatisfy {
      switch $0 {
      case .record, .open, .pass: false
      default: true
      }
    }
  }

  /// An order of letters as each place has it.
  func byPlace(_ order: String) -> [String] {
    var places: [Character: Place] = [:]
    for operation in tasks.joined() {
      switch operation {
      case .hop(let place, let letter), .startOn(let place, let letter), .startFrom(let place, let letter),
        .startBoth(let place, let letter, _):
        places[letter] = place
      default: continue
      }
    }
    return Place.allCases.map { place in order.filter { places[$0] == place } }
  }
}
