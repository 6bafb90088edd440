// SPDX-License-Identifier: Apache-2.0

import NapkinTesting
import Testing

@MainActor @Suite(.serialized) struct ProgressLineTests {
  private final class Terminal {
    var texts: [String] = []
  }

  private static let clear = "\r\u{1B}[K"

  private func line(executions: Int? = 10_000, budget: Duration? = nil, on terminal: Terminal) -> ProgressLine {
    ProgressLine(executions: executions, budget: budget, isRewritten: true) { terminal.texts.append($0) }
  }

  @Test func `after two seconds a line shows executions, schedules, the rate and the time left`() {
    let terminal = Terminal()
    let progress = line(on: terminal)
    progress.show(executions: 1_900, schedules: 1_700, elapsed: .milliseconds(1_999))
    #expect(terminal.texts == [])
    progress.show(executions: 2_000, schedules: 1_750, elapsed: .seconds(2))
    #expect(
      terminal.texts == [
        Self.clear + "napkin: 2,000 of 10,000 executions · 1,750 schedules · 1,000/s · 8 s left"
      ])
    progress.end()
    #expect(terminal.texts.last == Self.clear)
  }

  @Test func `it is written five times a second at most`() {
    let terminal = Terminal()
    let progress = line(on: terminal)
    for step in 0..<100 {
      progress.show(executions: step, schedules: 1, elapsed: .seconds(2) + .milliseconds(step * 20))
    }
    #expect(terminal.texts.count == 10)
    progress.end()
  }

  @Test func `where nothing can be written over, a line is added every ten seconds`() {
    let output = Terminal()
    let progress = ProgressLine(executions: 10_000, budget: nil, isRewritten: false) { output.texts.append($0) }
    for second in 1...25 { progress.show(executions: second * 100, schedules: 7, elapsed: .seconds(second)) }
    progress.failed(execution: 2_500)
    progress.end()
    #expect(
      output.texts == [
        "napkin: 1,000 of 10,000 executions · 7 schedules · 100/s · 1 min 30 s left\n",
        "napkin: 2,000 of 10,000 executions · 7 schedules · 100/s · 1 min 20 s left\n",
      ])
  }

  @Test func `with a time budget it is the budget that is left`() {
    let terminal = Terminal()
    let progress = line(executions: nil, budget: .seconds(90), on: terminal)
    progress.show(executions: 500, schedules: nil, elapsed: .seconds(10))
    #expect(terminal.texts == [Self.clear + "napkin: 500 executions · 50/s · 1 min 20 s left"])
    progress.end()
  }

  @Test func `of several explorations one has the line`() {
    let terminal = Terminal()
    let (first, second) = (line(on: terminal), line(on: terminal))
    first.show(executions: 1, schedules: 1, elapsed: .seconds(3))
    second.show(executions: 1, schedules: 1, elapsed: .seconds(3))
    second.failed(execution: 1)
    second.end()
    #expect(terminal.texts.count == 1)
    first.failed(execution: 1_234)
    #expect(terminal.texts.last == Self.clear + "napkin: execution 1,234 failed; shrinking it …")
    first.end()
    second.show(executions: 2, schedules: 2, elapsed: .seconds(4))
    #expect(terminal.texts.count == 4)
    second.end()
  }
}
