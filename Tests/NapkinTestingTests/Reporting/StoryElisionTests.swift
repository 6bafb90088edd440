// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@Suite struct StoryElisionTests {
  /// A long execution of two tasks, with a deviation, a note and an issue far apart.
  ///
  /// The tasks follow the sequence of Thue and Morse, which never repeats a part three times, so no rows are folded as equal rounds.
  static func long(_ steps: Int, deviations: Set<Int> = [], notes: Set<Int> = [], issues: Set<Int> = []) -> EventLog {
    .make { log in
      for step in 1...steps {
        let task = step.nonzeroBitCount % 2
        log.ran(step, task, rank: deviations.contains(step) ? 1 : 0)
        if notes.contains(step) { log.then(.note("here"), step, task) }
        if issues.contains(step) { log.then(.issue("broken"), step, task) }
      }
    }
  }

  @Test func `what matters most is kept, and every gap is marked`() {
    let log = Self.long(5_000, deviations: [40], notes: [2_000], issues: [4_000])
    #expect(
      Story(of: log).lanes(limit: 15) == """
               step  task 1      task 0
                  ⋮  26 rows of 2 tasks left out
        ◆        40              runs
                  ⋮  1307 rows of 2 tasks left out
               2000              runs · here
                  ⋮  1326 rows of 2 tasks left out
          3991–3992  runs ×2     │
          3993–3994  │           runs ×2
               3995  runs        │
               3996  │           runs
          3997–3998  runs ×2     │
          3999–4000              runs ×2
                                 ✘ broken
                  ⋮  667 rows of 2 tasks left out
        ◆ marks a scheduling decision that differs from FIFO order.
        """
    )
  }

  @Test func `no limit is ever passed, and nothing is left out where there is room`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      func some() -> Set<Int> { Set((0..<random.next(below: 30)).map { _ in 1 + Int(random.next(below: 100)) }) }
      let story = Story(of: Self.long(100, deviations: some(), notes: some(), issues: some()))
      let limit = 2 + Int(random.next(below: 130))
      #expect(story.pieces(within: limit).count <= limit)
      #expect(story.lanes(limit: limit).split(separator: "\n").count <= max(limit, 3))
      let rows = story.pieces(within: limit).flatMap { piece in
        switch piece {
        case .row(let index): [index]
        case .gap(let range): Array(range)
        }
      }
      #expect(rows == Array(story.rows.indices))
      #expect(story.pieces(within: story.rows.count) == story.rows.indices.map(Story.Piece.row))
    }
  }

  @Test func `a gap is never one row that would have fitted in its place`() {
    let story = Story(of: Self.long(300, deviations: [50, 52, 54, 56, 100, 102]))
    for limit in 1...60 {
      for case .gap(let range) in story.pieces(within: limit) {
        #expect(range.count > 1)
      }
    }
  }

  @Test func `what touches the actors of the failure is kept, and other work is left out`() {
    let log = EventLog.make { log in
      for step in 1...300 {
        let touches = [100, 150, 200].contains(step)
        log.ran(step, touches ? 0 : 1 + step % 2, touches ? .actor(7) : .actor(1), rank: step == 150 ? 1 : 0)
        if step % 5 == 0, !touches { log.then(.note("noise"), step, 1 + step % 2) }
      }
      log.then(.issue("broken"), 300, 0)
    }
    let story = Story(of: log)
    let shown = story.pieces(within: 12).flatMap { if case .row(let row) = $0 { [row] } else { [Int]() } }
    let steps = shown.flatMap { Array(story.rows[$0].steps) }
    #expect([100, 150, 200].allSatisfy(steps.contains), "\(story.lanes(limit: 13))")
  }
}
