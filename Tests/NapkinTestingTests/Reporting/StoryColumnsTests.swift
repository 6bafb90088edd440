// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

/// The form of the lanes where there is little room.
@Suite struct StoryColumnsTests {
  /// The body starts five tasks, each of which runs a function on an actor.
  private static func five() throws -> EventLog {
    var log = EventLog()
    log.name(task: 0, "body")
    log.name(place: .actor(1), "Bank")
    log.ran(1, 0)
    for task in 1...5 { log.then(.started(by: 0), 1, task) }
    for task in 1...5 {
      let source = try StoryLanesTests.source("Account.withdraw(_:)", 10 + task)
      log.append(
        .ran(.actor(1), rank: task == 3 ? 1 : 0, ready: 5), step: 1 + task, time: .zero, task: task, source: source)
    }
    return log
  }

  @Test func `at 80 columns five tasks have marks in lanes, and their words beside them`() throws {
    #expect(
      Story(of: try Self.five()).lanes(limit: 40, width: 78) == """
          step               task: event
             1  ●            body: runs · starts task 1, task 2, task 3, task 4,
                             task 5
             2    ●          task 1: Account.withdraw(_:) on Bank     Account.swift:11
             3      ●        task 2: Account.withdraw(_:) on Bank     Account.swift:12
        ◆    4        ●      task 3: Account.withdraw(_:) on Bank     Account.swift:13
             5          ●    task 4: Account.withdraw(_:) on Bank     Account.swift:14
             6            ●  task 5: Account.withdraw(_:) on Bank     Account.swift:15
        ◆ marks a scheduling decision that differs from FIFO order.
        """)
  }

  @Test(arguments: [60, 78, 100, 118]) func `no row is cut, whatever the width`(width: Int) throws {
    let lanes = Story(of: try Self.five()).lanes(limit: 40, width: width)
    let words = lanes.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for task in 1...5 { #expect(lanes.contains("Account.swift:\(10 + task)")) }
    #expect(words.ranges(of: "Account.withdraw(_:) on Bank").count == 5, "\(lanes)")
    #expect(words.contains("starts task 1, task 2, task 3, task 4, task 5"), "\(lanes)")
    #expect(!lanes.contains("…"), "\(lanes)")
    #expect(lanes.split(separator: "\n").allSatisfy { $0.count <= width }, "\(lanes)")
  }

  @Test func `a row without room in its lane begins at the left, with its task`() throws {
    var log = try Self.five()
    log.then(.note("a note that is so long that there is no room for it in the lane of the last of five tasks"), 6, 5)
    #expect(
      Story(of: log).lanes(limit: 40, width: 118).contains(
        "        task 5: a note that is so long that there is no room for it in the lane of the last of five tasks\n"),
      "\(Story(of: log).lanes(limit: 40, width: 118))")
  }

  @Test func `steps of Napkin alone have no row, and others of it no line`() throws {
    var log = EventLog()
    log.name(task: 0, "body")
    var source = try #require(SourcePlace(symbol: "$s6Napkin6WaiterC4waityyYaF", name: "Waiter.wait()"))
    (source.file, source.line) = ("/src/Waiter.swift", 58)
    log.ran(1, 0)
    for step in 2...4 {
      log.append(.ran(.main, rank: 0, ready: 1), step: step, time: .zero, task: 1, source: source)
    }
    log.ran(5, 0)
    log.append(.ran(.main, rank: 1, ready: 2), step: 6, time: .zero, task: 1, source: source)
    #expect(
      Story(of: log).lanes(limit: 40) == """
          step  body        task 1
             1  runs
             5  runs
        ◆    6              MainActor
        ◆ marks a scheduling decision that differs from FIFO order.
        Steps without a row ran code of Napkin alone.
        """)
  }

  @Test func `the launch of a tree is one row, up to the first deviation`() {
    func lanes(rank: Int) -> String {
      var log = EventLog()
      log.name(task: 0, "body")
      log.ran(1, 0)
      log.then(.drew(label: nil, value: "tap"), 1, 0)
      log.then(.launch(isOver: false), 1, 0)
      for step in 2...5 { log.ran(step, step % 2, .main, rank: step == 4 ? rank : 0) }
      log.then(.launch(isOver: true), 5, 0)
      log.ran(6, 1)
      return Story(of: log).lanes(limit: 40)
    }
    #expect(
      lanes(rank: 0) == """
          step  body        task 1
             1  runs · draws tap
           2–5  launches the tree, in 4 steps of 2 tasks
             6              runs
        """)
    #expect(!lanes(rank: 1).contains("launches"))
  }
}
