// SPDX-License-Identifier: Apache-2.0

/// A program of a few tasks, as data: it is run under exploration, run on threads, and worked out on paper.
///
/// Where steps are whole, a task yields between two operations that another task can see; where they are split, it does not. A task has a low or a high priority, and none waits for one of a lower priority, which would raise it.
struct SmallProgram: Sendable, CustomStringConvertible {
  /// Where a hop or a task leads that does not stay on the pool.
  enum Place: Int, Sendable, CaseIterable, CustomStringConvertible {
    case a, b, main, global

    var description: String { ["A", "B", "main", "global"][rawValue] }
  }

  enum Operation: Sendable {
    /// Writes a letter into the journal, from the pool.
    case record(Character)
    /// Hops to a place, writes there and comes back.
    case hop(Place, Character)
    /// Starts a task on the pool.
    case start(Int)
    /// Starts a task that runs at once, up to its first suspension.
    case startImmediately(Int)
    /// Starts a task on the main actor or on a global one, which writes a letter and ends.
    case startOn(Place, Character)
    /// Hops to an actor, which starts a task on itself that writes a letter, and comes back.
    case startFrom(Place, Character)
    /// The same, and in the same step that actor starts a task on the pool.
    case startBoth(Place, Character, Int)
    /// Waits for a task that this one started.
    case wait(Int)
    /// Sleeps for that number of milliseconds.
    case sleep(Int)
    /// Resumes the task that waits at the latch, and lets each one pass that comes there later.
    case open
    /// Waits until the latch is open, with a continuation.
    case pass

    /// Whether the task is suspended after the part of the operation that another task can see.
    var suspends: Bool {
      switch self {
      case .hop, .startFrom, .startBoth, .wait, .sleep: true
      case .record, .start, .startImmediately, .startOn, .open, .pass: false
      }
    }
  }

  /// The tasks' operations; the first task is the body.
  var tasks: [[Operation]]

  /// Whether each task has the high priority; a task that it starts on an actor has its priority.
  var isUrgent: [Bool]

  /// How many letters the journal has at the end.
  var letters: Int {
    tasks.joined().count {
      switch $0 {
      case .record, .hop, .startOn, .startFrom, .startBoth: true
      case .start, .startImmediately, .wait, .sleep, .open, .pass: false
      }
    }
  }

  var description: String {
    tasks.enumerated().map { number, operations in
      "\(isUrgent[number] ? "urgent " : "")task \(number): "
        + operations.map(String.init(describing:)).joined(separator: ", ")
    }
    .joined(separator: "\n")
  }
}

extension SmallProgram.Operation: CustomStringConvertible {
  var description: String {
    switch self {
    case .record(let letter): "record \(letter)"
    case .hop(let place, let letter): "hop to \(place) and record \(letter)"
    case .start(let task): "start task \(task)"
    case .startImmediately(let task): "start task \(task) immediately"
    case .startOn(let place, let letter): "start a task on \(place) that records \(letter)"
    case .startFrom(let place, let letter): "from \(place), start a task on it that records \(letter)"
    case .startBoth(let place, let letter, let task):
      "from \(place), start a task on it that records \(letter), and task \(task)"
    case .wait(let task): "await task \(task)"
    case .sleep(let milliseconds): "sleep for \(milliseconds) ms"
    case .open: "open the latch"
    case .pass: "pass the latch"
    }
  }
}

extension SmallProgram {
  /// Draws two to four tasks with at most five letters, or four and two sleeps; in every other program some are urgent.
  ///
  /// In one of three programs with one sleep or none, a task waits at a latch that another one opens.
  init(seed: UInt64) {
    // `SplitMix64` again, which the other package that has this file cannot see.
    var state = seed
    func draw(_ count: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
      return Int((word ^ word >> 31) % UInt64(count))
    }
    var sleeps = Int(seed / 2 % 3)
    var letters = Array("edcba".prefix(3 + draw(sleeps == 2 ? 2 : 3)))
    let count = 2 + draw(3)
    tasks = Array(repeating: [], count: count)
    isUrgent = (0..<count).map { $0 > 0 && seed % 2 == 1 && draw(2) == 0 }
    var started: [[Int]] = Array(repeating: [], count: count)
    var unstarted = Array((1..<count).reversed())
    // Tasks are filled in the order of their starts, so each one can start those that come after it.
    var current = 0
    drawing: while true {
      if let next = unstarted.last, draw(2) == 0 || current + 1 == next && draw(2) == 0 {
        let places = [Place.a, .b, .global]
        switch draw(5) {
        case 0: tasks[current].append(.startImmediately(next))
        case 1 where !letters.isEmpty: tasks[current].append(.startBoth(places[draw(3)], letters.removeLast(), next))
        default: tasks[current].append(.start(next))
        }
        started[current].append(next)
        unstarted.removeLast()
      } else if sleeps > 0, draw(5) == 0 {
        tasks[current].append(.sleep(1 + draw(3)))
        sleeps -= 1
      } else if let task = started[current].last, draw(4) == 0, isUrgent[task] || !isUrgent[current] {
        tasks[current].append(.wait(task))
        started[current].removeLast()
      } else if let letter = letters.popLast() {
        switch draw(6) {
        case 0: tasks[current].append(.record(letter))
        case 1, 2: tasks[current].append(.hop(Place.allCases[draw(4)], letter))
        case 3: tasks[current].append(.startOn(draw(2) == 0 ? .main : .global, letter))
        case 4: tasks[current].append(.startFrom([.a, .b, .global][draw(3)], letter))
        default: tasks[current].append(.hop(.a, letter))
        }
      } else if unstarted.isEmpty {
        break drawing
      }
      // On to a task that has been started.
      current = draw(count - unstarted.count)
    }
    if seed / 2 % 3 < 2, draw(3) == 0 { addLatch(draw) }
  }

  /// Has one task open the latch that another one waits at, unless they can wait for each other then.
  private mutating func addLatch(_ draw: (Int) -> Int) {
    let without = self
    let (opener, passer) = (draw(tasks.count), draw(tasks.count))
    guard opener != passer else { return }
    tasks[opener].insert(.open, at: draw(tasks[opener].count + 1))
    tasks[passer].insert(.pass, at: draw(tasks[passer].count + 1))
    if allowedOrders.isEmpty { self = without }
  }
}
