// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct StoryLanesTests {
  static func lanes(limit: Int = 40, _ body: (inout EventLog) -> Void) -> String {
    Story(of: .make(body)).lanes(limit: limit)
  }

  @Test func `an execution is shown in a lane for each task`() {
    #expect(
      Story(of: .lostUpdate).lanes(limit: 40) == """
          step  body        task 1      task 2
             1  runs · starts task 1, task 2
           2–3  │           runs › Counter
        ◆  4–7  │           │           runs › Counter ×2 › runs
             8  │           Counter
          9–11  runs › Counter › runs
                ✘ Expectation failed: (value → 1) == 2
        ◆ marks a scheduling decision that differs from FIFO order.
        """
    )
  }

  @Test func `a step without an event of its own belongs to the row before`() {
    let text = Self.lanes { log in
      log.name(task: 0, "body")
      log.ran(1, 0)
      log.ran(3, 1)
      log.ran(4, 0)
    }
    #expect(
      text == """
          step  body        task 1
           1–2  runs
             3  │           runs
             4  runs
        """
    )
  }

  @Test func `of many tasks that are started one after the other the last is shown`() {
    let text = Self.lanes { log in
      log.name(task: 0, "body")
      log.ran(1, 0)
      for task in 1...100 { log.then(.started(by: 0), 1, task) }
      log.ran(2, 0)
    }
    #expect(
      text == """
          step  body
             1  runs · starts task 1, task 2, task 3, task 4, task 5, task 6, task 7 to task 100
             2  runs
        """
    )
  }

  @Test func `so it is of tasks whose names count on`() {
    let text = Self.lanes { log in
      log.name(task: 0, "body")
      log.ran(1, 0)
      for task in 1...40 {
        log.name(task: task, task == 40 ? "host" : "guest \(task)")
        log.then(.started(by: 0), 1, task)
      }
    }
    #expect(
      text == """
          step  body
             1  runs · starts guest 1, guest 2, guest 3, guest 4, guest 5, guest 6 to guest 39
                starts host
        """
    )
  }

  @Test(
    arguments: [
      ("100", 80, 98), (nil, 80, 78), (nil, 0, 118), ("x", 0, 118), ("10", 0, 60), ("400", 0, 118),
    ] as [(String?, Int, Int)])
  func `the width is that of COLUMNS, then of the terminal, then 118`(columns: String?, terminal: Int, width: Int) {
    #expect(Story.width(columns: columns, terminal: terminal) == width)
  }

  @Test func `time is shown where it changes`() {
    let text = Self.lanes { log in
      log.name(task: 0, "body")
      log.ran(1, 0)
      log.then(.timerFired, 1, 0, at: .seconds(3_600))
      log.ran(2, 0, at: .seconds(3_600))
      log.ran(3, 0, .main, at: .seconds(3_600))
      log.then(.timerFired, 3, 0, at: .milliseconds(3_600_500))
    }
    #expect(
      text == """
          step  time      body
             1            runs
                3600 s    its sleep ends
           2–3            runs › MainActor
                3600.5 s  its sleep ends
        """
    )
  }

  @Test func `what a task draws, notes and records is beside its step while there is room`() {
    let text = Self.lanes { log in
      log.name(task: 0, "body")
      log.ran(1, 0)
      log.then(.drew(label: "taps", value: "3"), 1, 0)
      log.then(.drew(label: nil, value: "[500]"), 1, 0)
      log.then(.note("this one is much too long to stand on the same line as the rest"), 1, 0)
      log.then(.lifecycle(.other("Profile is attached to Home")), 1, 0)
      log.then(.cancelled, 1, 0)
      log.ran(2, 0)
      log.then(.note("first line\nsecond line"), 2, 0)
    }
    #expect(
      text == """
          step  body
             1  runs · draws taps = 3 · draws [500]
                this one is much too long to stand on the same line as the rest
                Profile is attached to Home · is cancelled by the exploration
             2  runs · first line …
        """
    )
  }

  @Test func `what begins and returns with nothing in between is shown by its name`() {
    let text = Self.lanes { log in
      log.name(task: 0, "body")
      log.ran(1, 0)
      log.then(.lifecycle(.begins("Home.didLoad()")), 1, 0)
      log.then(.lifecycle(.returns("Home.didLoad()")), 1, 0)
      log.then(.lifecycle(.begins("Home.didBecomeActive()")), 1, 0)
      log.then(.note("working"), 1, 0)
      log.then(.lifecycle(.returns("Home.didBecomeActive()")), 1, 0)
    }
    #expect(
      text == """
          step  body
             1  runs · Home.didLoad() · Home.didBecomeActive() begins · working
                Home.didBecomeActive() returns
        """
    )
  }

  @Test func `tasks of one name are distinguished, and a test's name is no task's`() {
    let text = Self.lanes { log in
      log.name(task: 1, "worker")
      log.name(task: 2, "worker")
      log.name(task: 3, "[Swift Testing] test something() - running")
      for task in 1...3 { log.ran(task, task) }
    }
    #expect(
      text == """
          step  worker (1)   worker (2)   task 3
             1  runs
             2               runs
             3                            runs
        """
    )
  }

  @Test func `a task that is preferred again and again takes one row`() {
    let text = Self.lanes { log in
      log.ran(1, 1)
      for step in 2...9 { log.ran(step, 2, rank: 1) }
      log.ran(10, 1)
    }
    #expect(
      text == """
          step  task 1      task 2
             1  runs
        ◆  2–9  │           runs ×8
            10  runs
        ◆ marks a scheduling decision that differs from FIFO order.
        """
    )
  }

  @Test func `a long walk is shown by its ends`() {
    let text = Self.lanes { log in
      log.name(task: 0, "body")
      for step in 1...9 { log.ran(step, 0, .actor(step)) }
    }
    #expect(
      text == """
          step  body
           1–9  actor 1 › actor 2 › … › actor 8 › actor 9
        """
    )
  }

  @Test func `more than seven tasks at once are shown by their names`() {
    // No two rows are alike, or they would be folded.
    let text = Self.lanes { log in
      for task in 1...8 { log.ran(task, task, .actor(task), rank: task == 8 ? 2 : 0) }
      for task in 1...8 { log.ran(8 + task, task, .actor(8 + task)) }
    }
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.prefix(3) == ["  step  task: event", "     1  task 1: actor 1", "     2  task 2: actor 2"])
    #expect(lines[8] == "◆    8  task 8: actor 8")
  }

  @Test func `an ended task gives its column to a later one, which is named where it begins`() {
    let text = Self.lanes { log in
      log.name(task: 0, "body")
      for task in 1...8 {
        log.ran(3 * task - 2, 0, .actor(task))
        log.ran(3 * task - 1, task)
        log.then(.note("working"), 3 * task - 1, task)
        log.ran(3 * task, task)
      }
      log.ran(25, 0)
    }
    let lines = text.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(6) == [
        "  step  body        task 1", "     1  actor 1", "     2  │           runs · working",
        "     3  │           runs", "     4  actor 2", "     5  │           task 2: runs · working",
      ], "\(text)")
  }

  /// A place in a file, as a step of the reported execution has it.
  static func source(_ name: String, _ line: Int) throws -> SourcePlace {
    var source = try #require(SourcePlace(symbol: "$s4Bank7AccountC8withdrawyySiYaF", name: name))
    (source.file, source.line) = ("/src/Bank/Account.swift", line)
    return source
  }

  @Test func `each row ends with the file and the lines of its steps, the file once`() throws {
    var log = EventLog()
    log.name(place: .actor(1), "Account")
    let steps: [(Event.Place, Int)] = [(.global, 12), (.actor(1), 14), (.actor(1), 14), (.global, 20)]
    for (step, (place, line)) in steps.enumerated() {
      let source = try Self.source("Account.withdraw(_:)", line)
      log.append(.ran(place, rank: 0, ready: 1), step: step + 1, time: .zero, task: 1, source: source)
    }
    log.append(.issue("broke"), step: 4, time: .zero, task: 1, line: "AccountTests.swift:23")
    #expect(
      Story(of: log).lanes(limit: 40) == """
          step  task 1
           1–4  Account.withdraw(_:) ×4  Account.swift:12, 14, 20
                ✘ broke                  AccountTests.swift:23
        """)
  }

  @Test func `a label keeps the function whole, and shortens a long type`() throws {
    let source = try Self.source("SubscriptionCoordinatingModel.refresh(for:)", 1)
    #expect(source.brief == "SubscriptionCoo….refresh(for:)")
    var log = EventLog()
    log.name(place: .actor(1), "Bank")
    log.append(.ran(.actor(1), rank: 0, ready: 1), step: 1, time: .zero, task: 1, source: source)
    #expect(Story(of: log).lanes(limit: 9).contains("SubscriptionCoo….refresh(for:) on Bank"))
  }

  @Test(arguments: [60, 80, 118]) func `no line is longer than the width it is given`(width: Int) throws {
    var log = EventLog()
    for step in 1...30 {
      let source = try Self.source("SubscriptionCoordinatingModel.refresh(for:withPolicy:)", step)
      log.append(
        .ran(.actor(step % 5), rank: step % 3, ready: 4), step: step, time: .zero, task: step % 6, source: source)
    }
    let lines = Story(of: log).lanes(limit: 40, width: width).split(separator: "\n")
    #expect((20...40).contains(lines.count))
    #expect(lines.dropLast().allSatisfy { $0.count <= width })
  }

  @Test func `what happens outside any task is on the left`() {
    let text = Self.lanes { log in
      log.ran(1, 4)
      log.then(.issue("lost control"), 1, nil)
    }
    #expect(
      text == """
          step  task 4
             1  runs
                ✘ lost control
        """
    )
  }

  @Test func `no line is longer than a terminal, whatever people write`() {
    let text = Self.lanes { log in
      log.name(task: 1, String(repeating: "name ", count: 60))
      log.ran(1, 1)
      log.ran(2, 2)
      log.then(.issue(String(repeating: "words ", count: 60)), 2, 2)
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 118 })
    #expect(text.hasSuffix("…"))
  }

  @Test func `an execution in which nothing happened has no lanes`() {
    #expect(Self.lanes { _ in } == "")
  }
}
